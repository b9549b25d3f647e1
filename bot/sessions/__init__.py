"""Who talks, in which session, what runs for them, and what is sent."""

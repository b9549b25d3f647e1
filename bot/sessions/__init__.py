"""Who talks, in which session, and what is sent: router, one person's session at a time, outbox, commands."""

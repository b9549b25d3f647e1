"""What each run did: events, their table, and ways to read and export them."""

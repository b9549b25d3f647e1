"""People's own mailboxes: read, never used for sending."""

"""The terminal as a chat platform: one person at a keyboard, or one line from a pipe."""

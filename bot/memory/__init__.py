"""Memory: tiers of markdown entries with their search, and the facts of a session."""

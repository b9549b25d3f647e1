"""What Bellhop remembers: tiers of markdown entries and their search, and the facts of a session."""

"""Polls of platforms: posting one, reading the votes, and what comes of its end."""

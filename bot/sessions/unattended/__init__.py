"""Runs without a person present: due work, events, and background agents."""

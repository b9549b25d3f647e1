"""Shorter versions of conversations: new epochs, summaries, facts to remember."""

"""Stored sessions, conversations and messages."""

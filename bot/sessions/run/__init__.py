"""Prepares a run: its session, opening message, toolset and facts; and fresh epochs."""

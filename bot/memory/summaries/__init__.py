"""Summaries of ended conversations: their form, their table and their file."""

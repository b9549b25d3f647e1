"""Summaries of conversations that are over: their form, their table and their file."""

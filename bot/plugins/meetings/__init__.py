"""Meetings: a folder each with transcript, summary and notes."""

"""Incoming events: supervises adapters, decides and records events, notices gaps."""

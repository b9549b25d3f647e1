"""Fault campaigns: real processes on both loopback platforms, many people, and ledgers that nobody can argue with."""

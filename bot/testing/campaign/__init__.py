"""Fault campaigns: real processes, both loopback platforms, many people, and exact ledgers."""

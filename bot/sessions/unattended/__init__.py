"""Runs that nobody waits in front of: what comes due, what an event starts, agents in the background."""

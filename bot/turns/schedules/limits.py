"""How much may run by itself."""

LEAST_MINUTES = 15
"""A repeating schedule is due no more often: each run costs model calls that nobody asked for."""
MOST_OF_A_PERSON = 30
"""Schedules of one person at a time, and as many todos that wake by themselves."""

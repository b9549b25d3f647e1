"""Automations: files that say what an agent does when something happens, and the events that start it."""

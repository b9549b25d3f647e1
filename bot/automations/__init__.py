"""Automations: trigger files, and the events that start them."""

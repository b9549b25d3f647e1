"""Automations: files about what an agent does on an event, and the events themselves."""

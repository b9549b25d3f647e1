"""Loopback servers of the vendors behind web and mail tools, built from their published references and as strict."""

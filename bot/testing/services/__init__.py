"""Strict loopback servers of web and mail vendors, after their published references."""

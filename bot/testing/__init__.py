"""Fakes and loopback servers: product code for tests and for the demo without accounts."""

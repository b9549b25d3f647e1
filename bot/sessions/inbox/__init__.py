"""Incoming events: adapters are supervised, events decided and recorded, gaps noticed."""

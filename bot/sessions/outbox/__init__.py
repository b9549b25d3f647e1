"""Outgoing messages: intent, call, receipt; closed cards; messages that were not shown."""

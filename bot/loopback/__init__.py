"""Discord, Slack and the Messages API on loopback: their real protocols, without accounts."""

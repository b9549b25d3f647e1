"""Discord, Slack, Telegram and the Messages API on loopback: real protocols, without accounts."""

"""Slack with the person's own account: searching and posting."""

"""Slack as a platform: Socket Mode or signed HTTP, threads, streams, buttons, files."""

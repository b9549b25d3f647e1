"""Slack as a chat platform: Socket Mode or signed HTTP, threads, streams, buttons, files, agent sessions."""

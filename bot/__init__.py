"""Bellhop: a self-hosted assistant for a team, in Discord, Slack, Telegram and the terminal."""

__version__ = "0.1.0"

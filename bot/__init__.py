"""Bellhop: a self-hosted assistant for a team's Discord channels, Slack workspace and terminals."""

__version__ = "0.1.0"

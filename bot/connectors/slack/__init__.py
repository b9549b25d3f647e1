"""Slack as the person themself: searching and posting."""

from bot.connectors.slack.connector import SlackAccountConnector

__all__ = ["SlackAccountConnector"]

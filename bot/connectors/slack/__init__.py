"""Slack with the person's own account: searching and posting."""

from bot.connectors.slack.connector import SlackAccountConnector

__all__ = ["SlackAccountConnector"]

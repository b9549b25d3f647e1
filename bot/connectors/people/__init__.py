"""People: a file about each, from their public profile and by hand."""

from bot.connectors.people.connector import PeopleConnector

__all__ = ["PeopleConnector"]

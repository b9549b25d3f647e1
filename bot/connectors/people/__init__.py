"""People: a file about each person, from their public profile and from edits by hand."""

from bot.connectors.people.connector import PeopleConnector

__all__ = ["PeopleConnector"]

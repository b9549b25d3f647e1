"""Meetings: a folder each with transcript, summary and notes."""

from bot.connectors.meetings.connector import MeetingsConnector

__all__ = ["MeetingsConnector"]

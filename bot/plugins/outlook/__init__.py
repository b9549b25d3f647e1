"""Outlook mail and calendars of people who connected Microsoft."""

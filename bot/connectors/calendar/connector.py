"""The connector "calendar"."""

from pathlib import Path

from bot.connectors.service import ServiceConnector


class CalendarConnector(ServiceConnector):
    """There for people who connected their calendar. It ships the skill of writing events."""

    id = "calendar"
    service = "google"
    skills = Path(__file__).parent / "skills"

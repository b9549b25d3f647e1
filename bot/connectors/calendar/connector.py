"""The connector "calendar"."""

from collections.abc import Callable, Set
from pathlib import Path

from bot.connectors.native import NativeConnector
from bot.domain.tools import ToolScope

SERVICE = "google"
"""The service whose token opens the calendar of a person."""


class CalendarConnector(NativeConnector):
    """There for people who connected their calendar. It ships the skill of writing events."""

    id = "calendar"
    skills = Path(__file__).parent / "skills"

    def __init__(self, services: Callable[[str], Set[str]]) -> None:
        """`services`: what a person has connected, by person id."""
        super().__init__()
        self._services = services

    def available(self, scope: ToolScope) -> bool:
        return SERVICE in self._services(scope.person.id)

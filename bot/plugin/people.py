"""For connectors that speak of people: whom a name means."""

from bot.domain.people import FindsPeople, PersonFile

__all__ = ["FindsPeople", "PersonFile"]

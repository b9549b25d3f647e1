"""What a tool file needs to know of the native tools that may serve it."""

from typing import Protocol

from bot.domain.json_types import JsonObject
from bot.domain.tools import Implementation


class KnowsNatives(Protocol):
    """The registered native tools, as far as their files depend on them."""

    def parameters(self, name: str) -> JsonObject | None:
        """The schema of a native tool's arguments; None if none of this name is registered."""
        ...

    def reserves(self, name: str) -> bool:
        """Whether nothing but the native tool of this name may serve it."""
        ...

    def lacks(self, implementation: Implementation) -> str:
        """Why nothing here could ever run it, with the remedy; empty if something may."""
        ...


class NoNatives:
    """For files that are read by themselves."""

    def parameters(self, name: str) -> JsonObject | None:
        return None

    def reserves(self, name: str) -> bool:
        return False

    def lacks(self, implementation: Implementation) -> str:
        return ""

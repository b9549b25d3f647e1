"""Profiles of people on a platform, and the files about them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, runtime_checkable

from bot.domain.messages import Conversation, PlatformPerson
from bot.domain.privacy import Viewer


@dataclass(frozen=True)
class Profile:
    """The public profile of somebody in a workspace.

    An empty field: the platform doesn't tell.
    """

    name: str
    other_names: tuple[str, ...] = ()
    title: str = ""
    timezone: str = ""


@runtime_checkable
class KnowsProfiles(Protocol):
    """A chat adapter that can read public profiles."""

    async def profile(self, person: PlatformPerson, place: Conversation) -> Profile | None:
        """Their profile in the workspace of `place`; None if the platform has nobody with this id.

        Raises DeliveryError if the platform can't be asked now.
        """
        ...


@dataclass(frozen=True)
class PersonFile:
    """The file about somebody, for references."""

    name: str
    path: str
    """`/people/ann-lee.md`."""


@dataclass(frozen=True)
class KnownPerson:
    """Somebody who wrote where Bellhop reads, or whom contacts.yaml names."""

    id: str
    """Their person id."""
    name: str
    rank: int
    timezone: str = ""


@dataclass(frozen=True)
class LastTalk:
    """When somebody last wrote in a public place, and where the asker wrote, too."""

    seen: datetime | None = None
    together: datetime | None = None
    where: str = ""
    """The title of the place of `together`; empty if the platform gave none."""


class Directory(Protocol):
    """The people that Bellhop knows."""

    async def newcomers(self) -> Sequence[KnownPerson]:
        """People who were in no earlier result of this process.

        Raises StorageError.
        """
        ...

    async def profile(self, person: str) -> Profile | None:
        """The current public profile of a person; None if no platform has one.

        Raises DeliveryError.
        """
        ...

    async def last_talk(self, asker: str, persons: Sequence[str]) -> LastTalk:
        """When the person with these ids last wrote in a public place.

        Raises StorageError.
        """
        ...

    def mentioned(self, text: str, place: Conversation) -> str | None:
        """The person id of a mention or platform id (`<@U1>`); None for other words."""
        ...


class FindsPeople(Protocol):
    """Finds people by name."""

    async def named(self, viewer: Viewer, name: str) -> Sequence[PersonFile]:
        """Everybody with this name or first name whom the viewer may see.

        Raises StorageError.
        """
        ...

"""What a platform says about a person, and the file about them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, runtime_checkable

from bot.domain.messages import Conversation, PlatformPerson
from bot.domain.privacy import Viewer


@dataclass(frozen=True)
class Profile:
    """What everybody in a workspace can read about somebody there.

    Empty: the platform doesn't say.
    """

    name: str
    other_names: tuple[str, ...] = ()
    title: str = ""
    timezone: str = ""


@runtime_checkable
class KnowsProfiles(Protocol):
    """A chat adapter, too, that can read the public profile of a person."""

    async def profile(self, person: PlatformPerson, place: Conversation) -> Profile | None:
        """Their profile in the workspace of `place`; None if the platform has nobody with this id.

        Raises DeliveryError if the platform can't be asked now.
        """
        ...


@dataclass(frozen=True)
class PersonFile:
    """The file about somebody, as it is named elsewhere."""

    name: str
    path: str
    """`/people/ann-lee.md`."""


@dataclass(frozen=True)
class KnownPerson:
    """Somebody who has written to Bellhop, where it reads along, or whom contacts.yaml names."""

    id: str
    """Their person id."""
    name: str
    rank: int
    timezone: str = ""


@dataclass(frozen=True)
class LastTalk:
    """When somebody last wrote where all members can read, or where the asker wrote, too."""

    seen: datetime | None = None
    together: datetime | None = None
    where: str = ""
    """The title of the place of `together`, as far as the platform gave one."""


class Directory(Protocol):
    """Who there is, as far as the house knows."""

    async def newcomers(self) -> Sequence[KnownPerson]:
        """Everybody who was not in an answer since the start of the process.

        Raises StorageError.
        """
        ...

    async def profile(self, person: str) -> Profile | None:
        """The public profile of a person id now; None when no platform tells one.

        Raises DeliveryError.
        """
        ...

    async def last_talk(self, asker: str, persons: Sequence[str]) -> LastTalk:
        """When the person with these ids wrote last, in public places alone.

        Raises StorageError.
        """
        ...

    def mentioned(self, text: str, place: Conversation) -> str | None:
        """The person id of a mention or platform id (`<@U1>`); None for other words."""
        ...


class FindsPeople(Protocol):
    """Finds who is meant by a name."""

    async def named(self, viewer: Viewer, name: str) -> Sequence[PersonFile]:
        """Everybody whom this viewer may see and who bears this name, or has it as first name.

        Raises StorageError.
        """
        ...

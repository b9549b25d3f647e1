"""People as the rest of the house knows them: what a platform tells of somebody, and the file that is about them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from bot.domain.messages import Conversation, PlatformPerson
from bot.domain.privacy import Viewer


@dataclass(frozen=True)
class Profile:
    """What everybody in a workspace can read about somebody there. Empty: the platform doesn't say."""

    name: str
    other_names: tuple[str, ...] = ()
    title: str = ""
    timezone: str = ""


@runtime_checkable
class KnowsProfiles(Protocol):
    """A chat adapter, too, that can read the public profile of a person."""

    async def profile(self, person: PlatformPerson, place: Conversation) -> Profile | None:
        """Their profile in the workspace of `place`; None when the platform knows nobody of this id.

        Raises DeliveryError when the platform can't be asked now.
        """
        ...


@dataclass(frozen=True)
class PersonFile:
    """The file about somebody, as it is named elsewhere."""

    name: str
    path: str
    """`/people/ann-lee.md`."""


class FindsPeople(Protocol):
    """Finds who is meant by a name."""

    async def named(self, viewer: Viewer, name: str) -> Sequence[PersonFile]:
        """Everybody whom this viewer may see and who bears this name, or has it as first name. Raises StorageError."""
        ...

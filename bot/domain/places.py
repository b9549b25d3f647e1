"""Places in rules: a channel, its category, its workspace, and who can read it."""

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Self, assert_never

from bot.domain.messages import DIRECT, Conversation, Place, Visibility


class Reach(StrEnum):
    """Who can read a place."""

    DM = "dm"
    """One person and the assistant; includes the terminal."""
    PRIVATE = "private"
    """A channel that only its members can read."""
    PUBLIC = "public"


UNSURE = frozenset({Reach.PRIVATE, Reach.PUBLIC})
CLOSED = frozenset({Reach.PRIVATE})


@dataclass(frozen=True)
class Location:
    """Where a conversation is, for rules. A thread has the location of its channel.

    A closed thread also has the rules of its channel, but is an audience of its own.
    """

    platform: str = "terminal"
    workspace: str = ""
    channel: str = ""
    category: str = ""
    reaches: frozenset[Reach] = frozenset({Reach.DM})
    """Several if unsure, or if a private channel became public. The limits of each apply."""
    thread: str = ""
    """The id of a closed thread; empty where everybody reads who reads the channel."""
    shared: bool = False
    """People of other companies read it as well."""
    homes: frozenset[str] = field(default=frozenset(), compare=False)
    """In a direct message that belongs to no workspace: those of its person, as
    `platform:workspace`.
    """
    withdrawn: frozenset[str] = field(default=frozenset(), compare=False, repr=False)
    """Keys of channels, anywhere, that were public and that not everybody reads now."""
    mode: str = field(default="", compare=False)
    """Whom to answer there, as its people chose; empty: as the rules say."""
    alone: str = field(default="", compare=False)
    """The person (id) who alone reads the request and its answer in a place that others read."""

    @classmethod
    def of(cls, conversation: Conversation, *, was_private: bool = False) -> Self:
        """The location of a conversation. `was_private`: it was a private channel at some time."""
        closed = conversation.place is Place.THREAD and conversation.closed
        return cls(
            conversation.platform,
            conversation.workspace,
            conversation.channel or conversation.id,
            conversation.category,
            _reaches(conversation, closed=closed, was_private=was_private),
            conversation.id if closed else "",
            conversation.place is not Place.DM and conversation.visibility is Visibility.SHARED,
        )

    @property
    def has_workspace(self) -> bool:
        """Whether it belongs to one; the terminal and direct messages of Discord do not."""
        at_terminal = self.platform == AT_TERMINAL.platform and Reach.DM in self.reaches
        return self.workspace not in {"", DIRECT} and not at_terminal

    @property
    def workspaces(self) -> frozenset[str]:
        """The workspace that it belongs to, else those of its person."""
        return (
            frozenset({f"{self.platform}:{self.workspace}"}) if self.has_workspace else self.homes
        )

    @property
    def channel_key(self) -> str:
        """The key of a channel, as in `Conversation`: `platform:workspace:channel`."""
        return f"{self.platform}:{self.workspace}:{self.channel}"

    @property
    def audience_key(self) -> str:
        """The same for a channel and its open threads; another one for a closed thread."""
        return f"{self.platform}:{self.workspace}:{self.thread or self.channel}"

    def read_by(self, alone: str) -> Self:
        """The same for a request whose answer one person (id) alone reads; empty: not so."""
        return replace(self, alone=alone)


def _reaches(conversation: Conversation, *, closed: bool, was_private: bool) -> frozenset[Reach]:
    if conversation.place is Place.DM:
        return frozenset({Reach.DM})
    if closed:
        return CLOSED
    match conversation.visibility:
        case Visibility.UNKNOWN | Visibility.SHARED:
            return UNSURE
        case Visibility.PRIVATE:
            return CLOSED
        case Visibility.PUBLIC:
            return UNSURE if was_private else frozenset({Reach.PUBLIC})
        case _:
            assert_never(conversation.visibility)


AT_TERMINAL = Location()


class NameKind(StrEnum):
    """What a name in a rule refers to, most specific last."""

    PLATFORM = "platform"
    REACH = "reach"
    WORKSPACE = "workspace"
    CATEGORY = "category"
    CHANNEL = "channel"


PLATFORMS = ("discord", "slack", "telegram", "terminal")
"""Our own platforms and the terminal, which rules name as they are; others are `platform:NAME`."""
_WITH_ID = (NameKind.CHANNEL, NameKind.CATEGORY, NameKind.WORKSPACE, NameKind.PLATFORM)
_SPECIFICITY = {kind: rank for rank, kind in enumerate(NameKind)}
HOW_TO_NAME = (
    f"write dm, private, public, {', '.join(PLATFORMS)}, platform:NAME, channel:ID, category:ID"
    " or workspace:ID"
)


@dataclass(frozen=True)
class PlaceName:
    """The name of a place in a rule: `private`, `slack`, `channel:C0123`."""

    kind: NameKind
    value: str

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse one name. Raises ValueError that lists the valid forms."""
        kind, colon, value = text.strip().partition(":")
        if colon:
            if kind in _WITH_ID and value.strip():
                return cls(NameKind(kind), value.strip())
        elif kind in PLATFORMS:
            return cls(NameKind.PLATFORM, kind)
        elif kind in set(Reach):
            return cls(NameKind.REACH, kind)
        raise ValueError(f"{text[:60]!r} names no place; {HOW_TO_NAME}")

    def __str__(self) -> str:
        ours = self.kind is NameKind.PLATFORM and self.value in PLATFORMS
        short = ours or self.kind is NameKind.REACH
        return self.value if short else f"{self.kind}:{self.value}"

    @property
    def specificity(self) -> int:
        """Higher if it covers fewer places."""
        return _SPECIFICITY[self.kind]

    def covers(self, location: Location, *, surely: bool = False) -> bool:
        """Whether it covers the location.

        With `surely`, every possible location must be covered.
        """
        match self.kind:
            case NameKind.PLATFORM:
                return location.platform == self.value
            case NameKind.REACH:
                there = Reach(self.value) in location.reaches
                return there and not (surely and len(location.reaches) > 1)
            case NameKind.WORKSPACE:
                return location.workspace == self.value
            case NameKind.CATEGORY:
                return location.category == self.value
            case NameKind.CHANNEL:
                return location.channel == self.value

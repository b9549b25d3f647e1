"""For chat platforms: the record of one, and what its adapter speaks.

The record is everything that the rest of the program needs to know of a platform.
"""

import asyncio
from abc import abstractmethod
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol, TypeAlias, TypeVar

from bot.domain.chat import (
    PIECE_BYTES,
    Accept,
    Acceptance,
    ChatAdapter,
    LiveReply,
    LiveUpdate,
    PlanShown,
    Recovery,
    Status,
    TextDelta,
    TextReset,
    Thinking,
    ToolEnded,
    ToolStarted,
    WorkShown,
)
from bot.domain.clock import Clock
from bot.domain.drafts import NoDrafts, OpenDraft, OpenDrafts
from bot.domain.health import Check
from bot.domain.json_types import JsonObject
from bot.domain.languages import Phrase
from bot.domain.lines import Shard
from bot.domain.messages import (
    DIRECT,
    FRIENDLY_FACE,
    UNKNOWN_FACE,
    Action,
    Addressed,
    Attachment,
    Choice,
    Command,
    Conversation,
    Heard,
    IncomingMessage,
    Interaction,
    MessageKind,
    OutgoingFile,
    OutgoingMessage,
    Place,
    PlatformPerson,
    PostedCard,
    QuotedMessage,
    Receipt,
    ReplyTarget,
    Visibility,
    without_end,
)
from bot.domain.people import Profile
from bot.domain.platforms import PlatformTraits
from bot.domain.step_keys import ANSWER, draft_key, sibling_key, turn_of
from bot.errors import BotError, DeliveryError, SettingsError, StorageError
from bot.place_settings import (
    NAMED,
    Answer,
    AnsweredPlace,
    PlaceTerms,
    answer_in,
    checked_answers,
    checked_keys,
    place_of_key,
)
from bot.settings import Section

Secrets: TypeAlias = Callable[[str], str]
"""A secret by its name in .env; empty if there is none."""

ReadBlob: TypeAlias = Callable[[str], Awaitable[bytes | None]]
"""The bytes of an `OutgoingFile`, by the name of its blob."""


async def _no_blob(_name: str) -> bytes | None:
    return None


async def _nowhere(_conversation: str) -> bool:
    return False


class PlatformSettings(Section):
    """The section of a platform in bellhop.yaml."""

    enabled: bool = False
    """Whether Bellhop is there; its secrets then have to be in .env (docs/setting-up.md#secrets).
    """


@dataclass(frozen=True)
class ChatServices:
    """The parts that the program gives an adapter."""

    clock: Clock
    followed: Callable[[str], Awaitable[bool]] = _nowhere
    """Whether the assistant takes part in a conversation, by its key."""
    recovery: Recovery | None = None
    """How far the platform was read; None: no catch-up."""
    read_blob: ReadBlob = _no_blob
    drafts: OpenDrafts = field(default_factory=NoDrafts)
    """What is shown and not finished, kept across restarts."""
    line: str = ""
    """Which of `ChatPlatform.lines` it serves."""
    logins: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held by the one of several lines that logs in."""


class Quiet:
    """A `LiveReply` for platforms that show nothing while a turn runs."""

    def show(self, update: LiveUpdate) -> None:
        """Show nothing."""

    async def close(self) -> None:
        """Nothing was shown."""


@dataclass(frozen=True)
class Secret:
    """A secret of a platform or plug-in. `bellhop init` asks for it if it has a label."""

    name: str
    label: str = ""


@dataclass(frozen=True)
class PlaceTable:
    """A setting of the section with exceptions for places, by their ids."""

    setting: str
    terms: Mapping[str, PlaceTerms]


@dataclass(frozen=True)
class IdTable:
    """A setting whose keys are ids of the platform: a name there would never match anything."""

    setting: str
    """`section.name`, or `access.roles.<platform>`."""
    ids: Callable[[str], bool]
    """Whether a key can be an id."""
    where: str
    """Where people find the ids."""


def place_ids(ids: Callable[[str], bool]) -> Callable[[str], bool]:
    """The same for a table of places, where `dm` and `workspace:ID` stand beside channels."""
    return lambda key: key in NAMED or ":" in key or ids(key)


@dataclass(frozen=True)
class AppAccount:
    """What the app of a platform is asked for when people connect their own accounts to it."""

    scopes: Sequence[str]
    back: str
    """Where the platform sends them then."""


S = TypeVar("S", bound=PlatformSettings)


class ChatPlatform(Protocol[S]):
    """One chat platform. Its methods import the adapter late, so that only its users pay for it.

    `settings` is always the section of the platform, `secret` returns its secrets.
    """

    traits: ClassVar[PlatformTraits]
    settings: type[S]
    secrets: ClassVar[tuple[Secret, ...]] = ()
    secrets_note: ClassVar[str] = ""
    """Follows the title above the secrets in .env.example."""
    first_steps: ClassVar[int] = 0
    """The number of `steps` that come before the secrets can be asked for."""
    try_it: ClassVar[str] = ""
    """The first thing to do once it runs, for `init`."""
    id_tables: ClassVar[tuple[IdTable, ...]] = ()

    @property
    def name(self) -> str:
        return self.traits.name

    @abstractmethod
    def build(self, settings: S, secret: Secrets, services: ChatServices) -> ChatAdapter:
        """The adapter; nothing is connected. The secrets have passed `problems`."""
        ...

    def lines(self, settings: S) -> Sequence[str]:
        """The connections that serve it together, each held by one process."""
        return (self.name,)

    def line_of(self, settings: S, workspace: str) -> str:
        """The line that serves a workspace; for an empty one, any."""
        return self.name

    def gives_events_to_any(self, settings: S) -> bool:
        """Whether each event comes to any process that listens, whoever holds the line."""
        return False

    def steps(self, application: str = "") -> Sequence[str]:
        """The steps of setting it up; `application` is the id of the app there, if known."""
        return ()

    def problems(self, settings: S, secret: Secrets) -> Sequence[str]:
        """Problems of settings and secrets, found without a call; each with its remedy."""
        return ()

    def state(self, settings: S) -> str:
        """The line of `doctor` when there is no problem."""
        return "on"

    def needs_server(self, settings: S) -> str:
        """The notice if the HTTP server should carry it but there is none; else empty."""
        return ""

    async def examine(self, settings: S, secret: Secrets) -> Sequence[Check]:
        """Ask the platform about the secrets; never raises for problems that it finds."""
        return ()

    async def canary(self, settings: S, secret: Secrets, channel: str) -> Check:
        """Post and delete a message in a channel, and see whether it arrives; never raises."""
        return Check("canary", "error", f"{self.traits.title} can't try a channel")

    def is_channel(self, text: str) -> bool:
        """Whether this can be the id of a channel there."""
        return bool(text)

    def place_tables(self, settings: S) -> Sequence[PlaceTable]:
        """The settings' rules about places."""
        return ()

    def manifest(
        self, settings: S, url: str = "", links: str = "", account: AppAccount | None = None
    ) -> JsonObject | None:
        """The app manifest for the platform; None if it takes none.

        `url` is the public address for its calls, `links` the host of pages for anybody, and
        `account` what people's own accounts need, where they can be connected. Raises ValueError
        where the settings need an address that is empty.
        """
        return None


AnyPlatform: TypeAlias = ChatPlatform[Any]

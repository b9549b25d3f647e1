"""For chat platforms: the record of one, and what its adapter speaks.

The record is everything that the rest of the program needs to know of a platform.
"""

import asyncio
from abc import abstractmethod
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol, TypeAlias, TypeVar

from bot.domain.chat import PIECE_BYTES as PIECE_BYTES
from bot.domain.chat import Accept as Accept
from bot.domain.chat import Acceptance as Acceptance
from bot.domain.chat import ChatAdapter as ChatAdapter
from bot.domain.chat import LiveReply as LiveReply
from bot.domain.chat import LiveUpdate as LiveUpdate
from bot.domain.chat import PlanShown as PlanShown
from bot.domain.chat import Recovery
from bot.domain.chat import Status as Status
from bot.domain.chat import TextDelta as TextDelta
from bot.domain.chat import TextReset as TextReset
from bot.domain.chat import Thinking as Thinking
from bot.domain.chat import ToolEnded as ToolEnded
from bot.domain.chat import ToolStarted as ToolStarted
from bot.domain.chat import WorkShown as WorkShown
from bot.domain.clock import Clock
from bot.domain.drafts import NoDrafts as NoDrafts
from bot.domain.drafts import OpenDraft as OpenDraft
from bot.domain.drafts import OpenDrafts as OpenDrafts
from bot.domain.health import Check as Check
from bot.domain.json_types import JsonObject
from bot.domain.languages import Phrase as Phrase
from bot.domain.lines import Shard as Shard
from bot.domain.messages import DIRECT as DIRECT
from bot.domain.messages import FRIENDLY_FACE as FRIENDLY_FACE
from bot.domain.messages import UNKNOWN_FACE as UNKNOWN_FACE
from bot.domain.messages import Action as Action
from bot.domain.messages import Addressed as Addressed
from bot.domain.messages import Attachment as Attachment
from bot.domain.messages import Choice as Choice
from bot.domain.messages import Command as Command
from bot.domain.messages import Conversation as Conversation
from bot.domain.messages import Heard as Heard
from bot.domain.messages import IncomingMessage as IncomingMessage
from bot.domain.messages import Interaction as Interaction
from bot.domain.messages import MessageKind as MessageKind
from bot.domain.messages import OutgoingFile as OutgoingFile
from bot.domain.messages import OutgoingMessage as OutgoingMessage
from bot.domain.messages import Place as Place
from bot.domain.messages import PlatformPerson as PlatformPerson
from bot.domain.messages import PostedCard as PostedCard
from bot.domain.messages import QuotedMessage as QuotedMessage
from bot.domain.messages import Receipt as Receipt
from bot.domain.messages import ReplyTarget as ReplyTarget
from bot.domain.messages import Visibility as Visibility
from bot.domain.people import Profile as Profile
from bot.domain.platforms import PlatformTraits as PlatformTraits
from bot.domain.step_keys import ANSWER as ANSWER
from bot.domain.step_keys import draft_key as draft_key
from bot.domain.step_keys import sibling_key as sibling_key
from bot.domain.step_keys import turn_of as turn_of
from bot.errors import BotError as BotError
from bot.errors import DeliveryError as DeliveryError
from bot.errors import SettingsError as SettingsError
from bot.errors import StorageError as StorageError
from bot.place_settings import NAMED
from bot.place_settings import Answer as Answer
from bot.place_settings import AnsweredPlace as AnsweredPlace
from bot.place_settings import PlaceTerms as PlaceTerms
from bot.place_settings import answer_in as answer_in
from bot.place_settings import checked_answers as checked_answers
from bot.place_settings import checked_keys as checked_keys
from bot.place_settings import place_of_key as place_of_key
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

"""A plug-in: what a package adds to Bellhop. docs/plugins.md explains it with examples."""

import inspect
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property, partial
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar, cast

from bot.clock import SystemClock
from bot.connections.client import ServiceClient
from bot.connections.services import Service
from bot.connectors.accounts import PersonAccounts
from bot.connectors.calendars import CalendarAccount
from bot.connectors.mailboxes import MailboxAccount
from bot.domain.clock import Clock
from bot.domain.database import Database, Write
from bot.domain.files import AttachedFiles, FileSource
from bot.domain.health import Check
from bot.domain.people import Directory, FindsPeople
from bot.domain.person_tables import PersonTable
from bot.domain.recordings import Transcriber
from bot.domain.tool_context import NativeTool
from bot.errors import SettingsError
from bot.files.incoming import IncomingFiles
from bot.plugin.agents import AgentGround
from bot.plugin.asking import CheapModel
from bot.plugin.chat import AnyPlatform, Secret
from bot.plugin.chat_commands import ChatCommand
from bot.plugin.command_line import Answer, AnyCommand
from bot.plugin.databases import DatabaseEngine
from bot.plugin.drafts import DraftGround
from bot.plugin.events import EventSource, FindUpcoming
from bot.plugin.files import DocumentReader
from bot.plugin.http import Receiver
from bot.plugin.imports import SkillImporter
from bot.plugin.late import LateGround, LateParts
from bot.plugin.mail import MailIn
from bot.plugin.meaning import Similarity, VectorModel
from bot.plugin.models import ModelProvider
from bot.plugin.places import PlaceGround, PlaceParts
from bot.plugin.programs import ProgramRunner, Sandbox
from bot.plugin.readers import FileReader
from bot.plugin.site import Site, SiteGround
from bot.plugin.tool_servers import ToolServers
from bot.settings import Section
from bot.tools.native.connector import Connector
from bot.tools.native.registry import Usable
from bot.web.client import WebClient
from bot.web.service import service_client
from bot.web.settings import WebSettings
from bot.workshop.moving.found import HomeImporter

API_VERSION = 26
"""The version of `bot.plugin`. It grows when something is added that a plug-in may need."""
Purge: TypeAlias = Callable[[datetime], Write]
"""Deletes at most some hundred rows from before a moment, with a RETURNING clause.

It is repeated until it returns none.
"""
Task: TypeAlias = Callable[[], Awaitable[None]]
"""Work in the background: runs until cancelled."""


class NoSettings(Section):
    """For plug-ins without a section in bellhop.yaml."""


S = TypeVar("S", bound=Section)


@dataclass(frozen=True)
class Setup(Generic[S]):
    """What a home's files say about a plug-in."""

    settings: S
    """Its section of bellhop.yaml."""
    secret: Callable[[str], str]
    """A secret of `Plugin.secrets` by its name; empty if there is none."""
    clock: Clock = field(default_factory=SystemClock, kw_only=True)
    client_at: Callable[[str], WebClient] = field(
        default=partial(service_client, WebSettings()), kw_only=True
    )
    """The guarded client for a service at an address of the settings, which may be private."""
    addressed: bool = field(default=False, kw_only=True)
    """Whether an agent has a mail address of its own."""
    listens: bool = field(default=False, kw_only=True)
    """Whether the HTTP server listens."""


@dataclass(frozen=True)
class Given(Setup[S]):
    """What the house gives a plug-in to build its parts from."""

    timezone: str
    """IANA name; where people have none of their own."""
    database: Database
    web: WebClient
    """The guarded client: it reaches the public internet, and what `web.allow_private` names."""
    clients: Mapping[str, ServiceClient]
    """The clients of `Plugin.services` by id, without those where nobody can have an account."""
    usable: Usable
    """The services that a person's requests can use now."""
    folder: Path
    """A folder of its own in the home, to be made by who needs it."""
    cheap: CheapModel
    """The cheap model, for a question about a text; the person of the call pays."""
    similarity: Similarity | None
    """Compares meanings; None without an embedder."""
    vectors: VectorModel | None
    """Makes vectors to be kept; None without an embedder."""
    reader: DocumentReader
    """Finds the text of a document of any kind, also of those that plug-ins read."""
    documents: FileSource
    """`/documents`: the files of the person of a call."""
    incoming: IncomingFiles
    """Keeps a text from outside among a person's documents."""
    people: FindsPeople
    """Whom a name means, as the plug-ins with `Parts.people` say; nobody where there are none."""
    directory: Directory
    """Who is known: who wrote, contacts, and profiles of platforms. For calls, not for `build`."""
    calendars: PersonAccounts[CalendarAccount]
    """The calendars of all plug-ins with `Parts.calendars`; none before all are built."""
    mailboxes: PersonAccounts[MailboxAccount]
    """People's own mailboxes, in the same way."""
    home: Path
    """The home folder."""
    programs: ProgramRunner
    """Runs a program of this machine, within the limits of `tools.shell`."""
    sandbox: Sandbox
    """Where programs run that people and models wrote; ask it in each call, it is tried late."""
    every: bool = field(default=False, kw_only=True)
    """Whether connectors are wanted that the settings leave nothing to do, for a list of all."""


@dataclass(frozen=True)
class Parts:
    """What a plug-in adds to a running house."""

    connectors: Sequence[Connector] = ()
    chat_commands: Sequence[ChatCommand] = ()
    """Commands that people type in any chat. A name that another has ends the start."""
    calendars: Mapping[str, CalendarAccount] = field(default_factory=dict[str, CalendarAccount])
    """People's calendars, by the id of the service of `Plugin.services` that keeps them."""
    mailboxes: Mapping[str, MailboxAccount] = field(default_factory=dict[str, MailboxAccount])
    """People's own mailboxes, in the same way."""
    events: Sequence[EventSource] = ()
    upcoming: FindUpcoming | None = None
    """What begins soon: automations on `meeting_prep` then start before it."""
    people: FindsPeople | None = None
    """Finds its files about people, for other plug-ins: see `Given.people`."""
    transcriber: Transcriber | None = None
    """Writes down voice messages and other recordings. Two of them end the start."""
    tool_servers: ToolServers | None = None
    """Tools that come and go. A server's name that another plug-in has, too, ends the start."""
    load: Task | None = None
    """Reads what it keeps in memory of its tables: before the house works, and after a change.

    Another process that shares the database may have made it.
    """
    answers: Mapping[str, Answer] = field(default_factory=dict[str, Answer])
    """What its commands ask of the house, by name."""
    tasks: Sequence[Task] = ()
    """Each runs in one process at a time. An error starts it again after a minute."""
    own_tasks: Sequence[Task] = ()
    """The same, in each process that runs turns: for what calls of tools leave open there."""
    receivers: Sequence[Receiver] = ()
    """What is posted to `/plugins/<name>/…/{ref}` on the HTTP server, if that listens.

    The paths of our own plug-ins may begin with `/<name>/`.
    """
    mail_in: MailIn | None = None
    """Receives mail for agents, built once the house stands; automations may then wait for it."""
    agent_tools: Callable[[AgentGround], Sequence[NativeTool[Any]]] = lambda _ground: ()
    """Tools whose calls have agents work, made once the house stands."""
    attached_tools: Callable[[AttachedFiles], Sequence[NativeTool[Any]]] = lambda _attached: ()
    """Tools that take files of people's messages, made once the house stands.

    While a call of one waits for a yes, the files stay.
    """
    draft_tools: Callable[[DraftGround], Sequence[NativeTool[Any]]] = lambda _ground: ()
    """Tools whose calls draft tools and skills, made once the house stands."""
    places: Callable[[PlaceGround], PlaceParts] | None = None
    """Tools for what a place has beside messages, and their work, made once the house stands."""
    site: Callable[[SiteGround], Site] | None = None
    """Its pages and commands, built once the house stands, where `console.website` is on."""
    late: Callable[[LateGround], LateParts] | None = None
    """What acts for people who are not there, such as pages for strangers, built in any case."""


@dataclass(frozen=True)
class Lacking:
    """A part of a plug-in that does nothing yet, because the operator has to do something first.

    A search for tools names it, with the step for a MasterAdmin and whom to ask for others.
    """

    title: str
    """`Own mail`"""
    gives: str
    """`a mail address of the agent's own`"""
    tools: frozenset[str]
    """The tools that are missing until then."""
    step: str
    """`put RESEND_API_KEY into .env`"""
    docs: str = "the documentation of the plug-in"
    begun: bool = False
    """Whether a part of the set-up is there."""
    id: str = ""
    """What the search calls it, if that is not the plug-in's name."""


class Plugin(Generic[S]):
    """Everything that a package adds; what it leaves out, it does not have.

    A subclass is named by an entry point of the group `bellhop.plugins`, whose name is `name`. It
    is imported only where `plugins:` in bellhop.yaml names it. It is made without arguments, and
    its methods are called once or more: they keep nothing.
    """

    name: ClassVar[str]
    """Small letters, digits and underscores. Its section and tables are called so, too."""
    api: ClassVar[int] = 1
    """The least `API_VERSION` that it needs."""
    title: ClassVar[str] = ""
    """What it is, in a few words, for `bellhop plugins`."""
    settings: type[S] = cast("Any", NoSettings)
    """The model of its section in bellhop.yaml. Every field has a default."""
    secrets: ClassVar[tuple[Secret, ...]] = ()
    """What it reads from the environment or .env. Their values never appear in logs or results."""
    always_examined: ClassVar[bool] = False
    """Whether `bellhop doctor` calls `examine` without --live, too."""
    secrets_note: ClassVar[str] = ""
    """The comment above the secrets in .env.example, if they are of our own plug-in."""
    services: ClassVar[tuple[Service, ...]] = ()
    """Services where people connect their accounts by OAuth."""
    platforms: ClassVar[tuple[AnyPlatform, ...]] = ()
    """Chat platforms; each has a section of its own, by its own name."""
    models: ClassVar[tuple[ModelProvider, ...]] = ()
    databases: ClassVar[tuple[DatabaseEngine, ...]] = ()
    """Servers that can hold the state of a home."""
    readers: ClassVar[tuple[FileReader, ...]] = ()
    tables: ClassVar[tuple[PersonTable, ...]] = ()
    """Those of its tables whose rows are people's."""
    purges: ClassVar[tuple[Purge, ...]] = ()
    """What it keeps only for `sessions.keep_days`; one of ours purges while it is off, too."""
    starts: ClassVar[tuple[str, ...]] = ()
    """Kinds of events of the house that it tells automations of: `meeting_prep`, `poll_ended`."""
    skills_with: ClassVar[str] = ""
    """The id of the connector where its skills exist, if that is not its name."""
    importers: ClassVar[tuple[HomeImporter, ...]] = ()
    """Homes of other assistants, for `bellhop import`."""
    skill_importers: ClassVar[tuple[SkillImporter, ...]] = ()
    """Skills from elsewhere, for `bellhop skills import`."""
    commands: ClassVar[tuple[AnyCommand, ...]] = ()
    """Commands of the command line; those of chats are `Parts.chat_commands`."""

    def build(self, given: Given[S]) -> Parts:
        """Connectors, event sources and background work. Nothing is connected yet."""
        return Parts()

    def lacks(self, setup: Setup[S]) -> Sequence[Lacking]:
        """What the operator has to do before its tools exist. Asks nobody."""
        return ()

    def named_secrets(self, settings: S) -> Iterable[str]:
        """Further secrets that it reads: those that its settings name, such as by `${NAME}`."""
        return ()

    def previews(self, setup: Setup[S]) -> bool:
        """Whether people get links to its pages of which a chat can say where they lead."""
        return False

    def problems(self, setup: Setup[S]) -> Sequence[str]:
        """What is wrong with settings and secrets, each with its remedy. Asks nobody."""
        return ()

    def state(self, setup: Setup[S]) -> str:
        """The line of `bellhop doctor` when there is no problem; empty: nothing to say."""
        return ""

    async def examine(self, setup: Setup[S]) -> Sequence[Check]:
        """Lines of `bellhop doctor --live`: asks the services. Never raises for what it finds."""
        return ()

    @cached_property
    def folder(self) -> Path:
        """Where `tools/<folder>/<tool>.md` and `agents/<name>.md` lie, `skills/` and `migrations/`.

        It is the one of its module.

        Each may be missing. The skills exist where the connector of the plug-in's name does, or
        that of `skills_with`.
        """
        return Path(inspect.getfile(type(self))).parent


AnyPlugin: TypeAlias = Plugin[Any]

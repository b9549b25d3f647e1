"""Builds the connectors, their virtual files, and the native tools without a connector."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bot.agents.cycle_log.inspect import inspect_cycle_tool, recall_recent_tool
from bot.assembly.accounts import Accounts
from bot.assembly.automations import automation_files
from bot.assembly.browser import cheap_model
from bot.assembly.ground import Ground
from bot.assembly.plugged import Plugged, connectors_of, sources_of
from bot.assembly.tools import Tooling
from bot.assembly.written import WrittenHome
from bot.connectors.browser import BrowserSettings, CheapModel
from bot.connectors.firewall import FirewallSettings
from bot.connectors.mail.settings import MailSettings
from bot.connectors.search import Sources
from bot.connectors.shipped import Machine, SharedDocuments, build_connectors
from bot.connectors.web import WebToolSettings
from bot.domain.access import Role
from bot.domain.chat import ChatAdapter
from bot.domain.files import FileSource
from bot.domain.memory import Recalls
from bot.domain.search import SearchSource
from bot.domain.tool_context import NativeTool
from bot.files.daily_notes import ROOT as DAILY_NOTES
from bot.files.daily_notes import DailyNotes
from bot.files.database_files import DatabaseFiles
from bot.files.directory_files import DirectoryFiles
from bot.files.seen_store import SeenFiles
from bot.files.store import FileRows
from bot.files.tools import file_tools
from bot.files.versions import VersionedFiles
from bot.files.virtual import VirtualFiles
from bot.memory.editing import TierEditor
from bot.memory.embedding import Similarity
from bot.memory.finding import Memories
from bot.memory.forget import forget_tool
from bot.memory.remember import remember_tool
from bot.memory.settings import MemorySettings
from bot.memory.summaries.recall import PastSummaries
from bot.sessions.learning.sharing import Sharing, share_memory_tool
from bot.sessions.people.directory import HouseDirectory
from bot.sessions.search.chat_search import ChatSearch
from bot.sessions.search.recall import PastTalk
from bot.settings import Settings
from bot.skills.custom_file import CUSTOM, SHARED
from bot.skills.custom_files import CustomSkillFiles
from bot.skills.library_files import LibraryFiles
from bot.tools.native.connector import Connector
from bot.tools.policy.rights import Rights
from bot.tools.policy.view import PolicyView
from bot.tools.running.sandbox import Sandbox
from bot.tools.running.shell import ProgramRunner
from bot.tools.settings import ToolSettings
from bot.turns.schedules.settings import ScheduleSettings
from bot.web.client import WebClient
from bot.web.settings import WebSettings


def connect_all(  # noqa: PLR0913, PLR0917 - the rooms below
    ground: Ground,
    written: WrittenHome,
    tooling: Callable[[], Tooling],
    accounts: Accounts,
    searched: Sources,
    adapters: Mapping[str, ChatAdapter],
    shared: SharedDocuments,
    plugged: Sequence[Plugged],
    *,
    every: bool,
) -> Sequence[Connector]:
    """The connectors that ship; those that run programs or ask a platform get at it when they do.

    `accounts`: what people connected; `searched`: what `search` looks through beside what
    connectors keep; `plugged`: what plug-ins add; `every`: also those that these settings leave
    nothing to do.
    """
    settings, tools = ground.settings, ground.settings.get(ToolSettings)
    programs = ProgramRunner(tools.shell, tools.output_chars, ground.clock)
    connectors: list[Connector] = []
    connectors += build_connectors(
        ground.database,
        ground.clock,
        files=_sources(ground, written, accounts, sources_of(plugged)),
        machine=_machine(
            settings,
            lambda: tooling().sandbox,
            programs,
            cheap_model(ground, lambda: tooling().meter),
            every=every,
        ),
        schedules=settings.get(ScheduleSettings),
        usable=accounts.connections.usable,
        clients=accounts.clients,
        could_connect=lambda person: bool(accounts.connections.connectable(person)),
        searched=lambda: [
            *(one for one in connectors if isinstance(one, SearchSource)),
            *searched(),
        ],
        directory=HouseDirectory(ground.database, written.contacts, adapters),
        shared=shared,
    )
    connectors += connectors_of(plugged)
    return connectors


def _machine(
    settings: Settings,
    sandbox: Callable[[], Sandbox],
    programs: ProgramRunner,
    cheap: CheapModel,
    *,
    every: bool,
) -> Machine:
    """The machine and keyed services that connectors use."""
    limits = settings.get(WebSettings)
    return Machine(
        settings.home,
        sandbox,
        programs,
        WebClient(limits),
        settings.secret,
        limits,
        settings.get(WebToolSettings),
        settings.get(MailSettings),
        settings.get(BrowserSettings),
        settings.get(FirewallSettings),
        cheap,
        every,
    )


@dataclass(frozen=True)
class KeptMemory:
    """Personal things outside the memory tiers, and the search over them."""

    sources: Sequence[Recalls]
    memories: Memories


def build_memories(
    ground: Ground,
    written: WrittenHome,
    connectors: Sequence[Connector],
    chat: ChatSearch,
    similarity: Similarity | None = None,
) -> KeptMemory:
    """`chat` searches messages."""
    settings = ground.settings.get(MemorySettings)
    keeping = [connector for connector in connectors if isinstance(connector, Recalls)]
    sources = [*keeping, PastSummaries(ground.database), PastTalk(ground.database, chat)]
    return KeptMemory(sources, Memories(written.memory, settings, sources, similarity))


def build_sharing(ground: Ground, written: WrittenHome, rights: Rights) -> Sharing:
    tiers = TierEditor(written.memory, ground.settings.get(MemorySettings))
    return Sharing(ground.database, ground.clock, tiers, written.contacts, rights)


def build_own_tools(
    ground: Ground,
    written: WrittenHome,
    files: VirtualFiles,
    kept: KeptMemory,
    sharing: Sharing,
) -> list[NativeTool[Any]]:
    """Tools that exist for everybody."""
    return [
        remember_tool(kept.memories),
        forget_tool(written.memory, kept.sources),
        share_memory_tool(sharing),
        inspect_cycle_tool(ground.cycle_log),
        recall_recent_tool(ground.cycle_log),
        written.skills.read_skill_tool(),
        *file_tools(
            files,
            ground.settings.get(ToolSettings).output_chars,
            SeenFiles(ground.database),
        ),
    ]


def virtual_files(written: WrittenHome, connectors: Sequence[Connector]) -> VirtualFiles:
    """The files of all connectors, and the view of the policy."""
    sources = [source for connector in connectors for source in connector.file_sources()]
    return VirtualFiles([*sources, PolicyView(written.policy)])


def _sources(
    ground: Ground, written: WrittenHome, accounts: Accounts, events: Collection[str]
) -> Mapping[str, FileSource]:
    """Virtual files by the surface that shows them."""
    database, clock = ground.database, ground.clock
    return {
        "preferences": VersionedFiles(
            DatabaseFiles(database, clock, "/preferences", "person", standing=True),
            FileRows(database),
        ),
        "documents": VersionedFiles(
            DatabaseFiles(database, clock, "/documents", "person"), FileRows(database)
        ),
        "daily-notes": DailyNotes(DatabaseFiles(database, clock, DAILY_NOTES, "person")),
        "custom-skills": CustomSkillFiles(
            DatabaseFiles(database, clock, CUSTOM, "person", confirmable=True),
            DatabaseFiles(
                database, clock, SHARED, "workspace", least_rank=Role.GUEST.rank, confirmable=True
            ),
            written.custom_skills,
        ),
        "automations": automation_files(ground, accounts.connections, events),
        "skills": LibraryFiles(DirectoryFiles("/skills", written.skills.roots), written.skills),
    }

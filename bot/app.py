"""build_app: the composition root, the only place that builds things (design §2)."""

import asyncio
import logging
import os
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Protocol

from bot.agents.activation import SkillActivation
from bot.agents.calls import ToolCalls
from bot.agents.cycle_log import CycleLog
from bot.agents.dispatch import Dispatch, InProcessRunner, delegation_tools
from bot.agents.handlers import GetCapabilities, control_handlers
from bot.agents.inspect import inspect_cycle_tool, recall_recent_tool
from bot.agents.loop import ReactLoop
from bot.agents.pipeline import ToolPipeline
from bot.agents.prompt import PromptBuilder, PromptParts
from bot.agents.registry import AgentRegistry
from bot.agents.settings import AgentSettings
from bot.agents.spending import Purse
from bot.assembly.imports import build_import_desk
from bot.assembly.making import build_making_tools
from bot.assembly.platforms import build_platforms, http_server, offer_commands
from bot.assembly.tools import build_tooling
from bot.chat.discord_chat.settings import DiscordSettings
from bot.chat.slack_chat.settings import SlackSettings
from bot.clock import SystemClock
from bot.connectors.shipped import Machine, build_connectors
from bot.console.settings import ConsoleSettings
from bot.domain.access import Role
from bot.domain.agents import AgentDefinition
from bot.domain.chat import Accept, ChatAdapter
from bot.domain.clock import Clock
from bot.domain.database import Database
from bot.domain.models import Model, ModelSize
from bot.domain.tools import ToolScope
from bot.domain.turns import TurnEngine
from bot.errors import SettingsError
from bot.files.database_files import DatabaseFiles
from bot.files.directory_files import DirectoryFiles
from bot.files.store import FileRows
from bot.files.tools import file_tools
from bot.files.virtual import VirtualFiles
from bot.llm.build import LazyModel, build_model
from bot.llm.settings import ModelSettings
from bot.log import redact_json
from bot.memory.facts_store import FactsStore
from bot.memory.remember import remember_tool
from bot.memory.settings import MemorySettings
from bot.memory.tiers import MemoryStore
from bot.sessions.address_book import AddressBook
from bot.sessions.approvals import Decisions
from bot.sessions.attachments import Attachments
from bot.sessions.cards import Cards
from bot.sessions.catch_up import Recoveries
from bot.sessions.checkup import Checkup
from bot.sessions.commands import Commands
from bot.sessions.contacts import Contacts
from bot.sessions.expiry import Expiries
from bot.sessions.house import House
from bot.sessions.housekeeping import Housekeeping
from bot.sessions.native_commands import NativeCommandDesk
from bot.sessions.opening import ContextLimits
from bot.sessions.outbox import Outbox
from bot.sessions.platforms import Platforms
from bot.sessions.router import Router, has_files, is_message, message_text
from bot.sessions.runner import TurnRunner
from bot.sessions.session import Sessions
from bot.sessions.settings import AccessSettings, CatchUpSettings, SessionSettings
from bot.sessions.transcripts import Transcripts
from bot.settings import LogSettings, Section, Settings, load
from bot.shipped import shipped_dir
from bot.skills.custom import CustomSkills
from bot.skills.custom_file import CUSTOM, SHARED
from bot.skills.custom_files import CustomSkillFiles
from bot.skills.library import SkillLibrary
from bot.skills.library_files import LibraryFiles
from bot.skills.manifests import SkillManifests
from bot.storage.blobs import Blobs
from bot.storage.home import HomeLock, database_path, open_database
from bot.storage.markdown import MarkdownStore
from bot.storage.settings import DatabaseSettings
from bot.storage.watch import changes
from bot.tools.approvals import ApprovalStore
from bot.tools.catalog import ToolCatalog
from bot.tools.credentials import Credentials
from bot.tools.dispatcher import dispatcher_tools
from bot.tools.mcp.fleet import McpServers
from bot.tools.mcp.settings import McpSettings
from bot.tools.policy_book import PolicyBook
from bot.tools.policy_view import PolicyView
from bot.tools.sandbox import Sandbox
from bot.tools.settings import ApprovalSettings, BudgetSettings, PolicySettings, RunShapeSettings, ToolSettings
from bot.tools.shell import Programs
from bot.tools.toolset import Toolset
from bot.turns.engine import JournalEngine
from bot.web.client import WebClient
from bot.web.settings import WebSettings

log = logging.getLogger(__name__)

SECTIONS: dict[str, type[Section]] = {
    "model": ModelSettings,
    "database": DatabaseSettings,
    "access": AccessSettings,
    "tools": ToolSettings,
    "run_shapes": RunShapeSettings,
    "memory": MemorySettings,
    "agents": AgentSettings,
    "sessions": SessionSettings,
    "catch_up": CatchUpSettings,
    "approvals": ApprovalSettings,
    "policy": PolicySettings,
    "budgets": BudgetSettings,
    "mcp": McpSettings,
    "web": WebSettings,
    "console": ConsoleSettings,
    "discord": DiscordSettings,
    "slack": SlackSettings,
}
"""Every section of bellhop.yaml and the model of the room that owns it."""


@dataclass(frozen=True)
class AppOptions:
    """What a door wants: which home, which platforms, and in tests which model, clock and engine."""

    home: Path
    adapters: Sequence[ChatAdapter] = ()
    model: Model | None = None
    clock: Clock | None = None
    read_only: bool = False
    """Only look: no lock is taken and nothing is written."""
    settings: Settings | None = None
    agent: str | None = None
    """Agent to talk with instead of `agents.default`."""
    platforms: bool = False
    """Also serve Discord and Slack where the settings switch them on."""
    wrap_database: Callable[[Database], Database] | None = None
    """Puts something between the app and its database: tests of crashes end the process at a chosen write."""


class Definitions(Protocol):
    """Files that define something, read when they change: a broken one keeps its last good version (design §6)."""

    async def load(self) -> None: ...

    async def reload_changed(self) -> bool: ...

    @property
    def problems(self) -> Sequence[object]: ...


@dataclass
class App:
    """Everything that runs on one home. `run` serves until cancelled."""

    settings: Settings
    database: Database
    engine: TurnEngine
    model: Model
    catalog: ToolCatalog
    agents: AgentRegistry
    skills: SkillLibrary
    memory: MemoryStore
    contacts: Contacts
    approvals: ApprovalStore
    decisions: Decisions
    cycle_log: CycleLog
    accept: Accept
    commands: Commands
    compose: Callable[[AgentDefinition, ToolScope], Toolset]
    house: House
    adapters: Sequence[ChatAdapter]
    platforms: Platforms
    checkup: Checkup
    clock: Clock
    mcp: McpServers
    credentials: Credentials
    sandbox: Sandbox
    policy: PolicyBook
    definitions: Sequence[Definitions]
    """Everything that is read from prompts/ and skills/."""
    tasks: list[Callable[[], Awaitable[None]]] = field(default_factory=list[Callable[[], Awaitable[None]]])
    """Background work that `run` keeps going."""

    async def run(self) -> None:
        """Run turns, chat adapters, the outbox and live reload, until cancelled or one of them fails for good."""
        async with asyncio.TaskGroup() as group:
            for task in self.tasks:
                group.create_task(_forever(task))
            group.create_task(self.platforms.run(self.accept))

    def problems(self) -> list[str]:
        """What is wrong with the files of this home, one sentence each, with file, line and remedy."""
        found = [str(problem) for part in self.definitions for problem in part.problems]
        return [*self.contacts.problems, *found]


async def _forever(task: Callable[[], Awaitable[None]]) -> None:
    await task()


def load_settings(home: Path) -> Settings:
    """Read bellhop.yaml of a home with the sections of all rooms. Raises SettingsError."""
    return load(home, SECTIONS)


@asynccontextmanager
async def open_app(options: AppOptions) -> AsyncGenerator[App]:
    """Lock the home, open its database, build the app and read its files; close everything afterwards.

    Raises SettingsError, HomeInUse or StorageError. With `read_only` it works beside a running Bellhop.
    """
    settings = options.settings or await asyncio.to_thread(load_settings, options.home)
    lock = HomeLock(settings.home / "data" / "bellhop.lock")
    if not options.read_only:
        await asyncio.to_thread(lock.acquire)
    try:
        path = database_path(settings.get(DatabaseSettings).url, settings.home)
        database = await open_database(path, read_only=options.read_only)
        try:
            contacts = await asyncio.to_thread(
                Contacts.load, settings.home / settings.get(AccessSettings).contacts, settings.get(AccessSettings)
            )
            used = options.wrap_database(database) if options.wrap_database else database
            app = build_app(options, settings, used, contacts)
            await asyncio.gather(
                app.mcp.load(), app.credentials.load(), app.sandbox.probe(), *(part.load() for part in app.definitions)
            )
            try:
                if not options.read_only:
                    _require_agent(app, options.agent)
                    _require_policy(app)
                    _require_prices(app)
                yield app
            finally:
                await app.model.close()
        finally:
            await database.close()
    finally:
        lock.release()


def _require_agent(app: App, chosen: str | None) -> None:
    """Raises SettingsError when there is nobody to talk with, so that this is said at the start and not in a chat."""
    if problem := app.agents.missing(app.house.default_agent):
        raise SettingsError(f"{'--agent' if chosen else 'agents.default'}: {problem}")


def _require_policy(app: App) -> None:
    """Raises SettingsError for a policy that can't be read: nothing runs under rules that nobody knows."""
    if problems := app.policy.problems:
        raise SettingsError("\n".join(problems))


def _require_prices(app: App) -> None:
    """Raises SettingsError when budgets in money are set and a model's price is unknown: they could not hold."""
    names = app.house.meter.unpriced([app.model.name(size) for size in ModelSize])
    if names:
        raise SettingsError(
            f"budgets: the price of {', '.join(names)} is not known, so budgets in dollars can't be held; add"
            f" budgets.prices.{names[0]}: {{input: …, output: …}} (dollars per million tokens), or limit calls instead"
        )


def build_app(options: AppOptions, settings: Settings, database: Database, contacts: Contacts) -> App:
    """Put the rooms together, bottom to top; nothing is read, connected or started here."""
    home = settings.home
    clock = options.clock or SystemClock()
    model = options.model or build_model(settings.get(ModelSettings), settings.secret, clock)
    prompts = (home / "prompts", shipped_dir("prompts"))
    skill_roots = (home / "skills", shipped_dir("skills"))

    engine = JournalEngine(
        database,
        clock,
        owner=f"process-{os.getpid()}",
        steerable=is_message,
        answer_text=message_text,
        more_than_text=has_files,
    )
    cycle_log = CycleLog(
        database, clock, tool_io=settings.get(LogSettings).tool_io, redact=redact_json, instance_id=home.name
    )

    agents = AgentRegistry([root / "agents" for root in prompts])
    skills = SkillLibrary(skill_roots)
    manifests = SkillManifests(skill_roots)
    memory = MemoryStore(MarkdownStore(home / "memory"))
    tool_settings = settings.get(ToolSettings)

    custom_skills = CustomSkills(database, clock, contacts.role_of)
    sources = {
        "preferences": DatabaseFiles(database, clock, "/preferences", "person"),
        "documents": DatabaseFiles(database, clock, "/documents", "person"),
        "custom-skills": CustomSkillFiles(
            DatabaseFiles(database, clock, CUSTOM, "person"),
            DatabaseFiles(database, clock, SHARED, "workspace", least_rank=Role.GUEST.rank),
            custom_skills,
        ),
        "skills": LibraryFiles(DirectoryFiles("/skills", skill_roots), skills),
    }
    connectors = build_connectors(
        database,
        clock,
        files=sources,
        machine=Machine(
            home,
            lambda: tooling.sandbox,
            Programs(tool_settings.shell, tool_settings.output_chars, clock),
            WebClient(settings.get(WebSettings)),
        ),
    )
    policy = PolicyBook(home / settings.get(PolicySettings).file)
    files = VirtualFiles(
        [*(source for connector in connectors for source in connector.file_sources()), PolicyView(policy)]
    )
    own_tools = [
        remember_tool(memory, settings.get(MemorySettings)),
        inspect_cycle_tool(cycle_log),
        recall_recent_tool(cycle_log),
        skills.read_skill_tool(),
        *file_tools(files),
    ]
    handlers = control_handlers(GetCapabilities(agents, skills, manifests), SkillActivation(manifests))
    tooling = build_tooling(
        settings, database, clock, own_tools, connectors, policy, intercepted=frozenset({*handlers, "call_agent"})
    )
    tooling.gate.address_book = AddressBook(lambda: contacts.people)
    approvals = tooling.approvals
    definitions: list[Definitions] = [tooling.catalog, agents, skills, manifests, policy]

    def compose(agent: AgentDefinition, scope: ToolScope) -> Toolset:
        delegation = delegation_tools(agents, agent, scope.person.role)
        return tooling.toolset(scope, (*delegation, *dispatcher_tools(model.capabilities.unlock)))

    prompt_builder = PromptBuilder(
        PromptParts(prompts),
        memory,
        settings.get(MemorySettings),
        skills,
        connectors,
        tool_settings.catalogue_tokens,
        model.capabilities.unlock,
    )
    dispatch = Dispatch(agents, lambda: specialists, settings.get(AgentSettings).depth)
    purse = Purse(tooling.meter, approvals, cycle_log)
    pipeline = ToolPipeline(
        gate=tooling.gate,
        executor=tooling.executor,
        approvals=approvals,
        grants=tooling.grants,
        redaction=tooling.redaction,
        purse=purse,
        handlers={**handlers, "call_agent": dispatch.call_agent},
        dispatch=dispatch.agent_tool,
        cycle_log=cycle_log,
        clock=clock,
        credentials=tooling.credentials,
    )
    calls = ToolCalls(pipeline, model.capabilities)
    loop = ReactLoop(model, calls, cycle_log, clock, purse)
    specialists = InProcessRunner(loop, prompt_builder, compose, cycle_log, clock)

    session_settings = settings.get(SessionSettings)
    idle = timedelta(minutes=session_settings.idle_minutes)
    blobs = Blobs(home / "data" / "blobs")
    recovery = Recoveries(database, clock, settings.get(CatchUpSettings), lambda: outbox)
    served = build_platforms(settings, database, blobs, clock, recovery) if options.platforms else []
    chats = [*options.adapters, *served]
    adapters = {adapter.platform: adapter for adapter in chats}
    cards = Cards(database, clock, engine, approvals, adapters, contacts.person)
    outbox = Outbox(database, clock, chats, cards.sent)
    platforms = Platforms(chats, clock)
    checkup = Checkup(database, engine, platforms, clock)
    house = House(
        database=database,
        clock=clock,
        engine=engine,
        model=model,
        loop=loop,
        calls=calls,
        agents=agents,
        sessions=Sessions(database, clock, prompt_builder, idle, model.capabilities.dialect),
        transcripts=Transcripts(database),
        outbox=outbox,
        cards=cards,
        attachments=Attachments(blobs, adapters),
        approvals=approvals,
        grants=tooling.grants,
        meter=tooling.meter,
        catalog=tooling.catalog,
        facts=FactsStore(database),
        files=FileRows(database),
        cycle_log=cycle_log,
        imports=build_import_desk(home, tooling.catalog, skills, approvals, database, clock),
        contacts=lambda: contacts,
        compose=compose,
        connectors=connectors,
        adapters=adapters,
        platforms=platforms,
        context=ContextLimits(session_settings.context_messages, session_settings.context_chars),
        prompts=prompt_builder,
        manifests=manifests,
        skills=skills,
        custom_skills=custom_skills,
        forget_unlocked=tool_settings.unlock_scope == "run",
        default_agent=options.agent or settings.get(AgentSettings).default,
        timezone=settings.timezone,
        compact_percent=session_settings.compact_percent,
        notify=settings.get(ApprovalSettings).notify,
    )
    # Natives read this list at each request: the workbench needs the catalogue, which is built with them.
    own_tools += build_making_tools(
        home, house.imports, (tooling.catalog, skills, manifests), approvals, tool_settings.shell, clock
    )
    decisions = Decisions(approvals, tooling.grants, tooling.meter, engine, clock, cards.look)
    commands = Commands(house, decisions)
    offer_commands(chats, NativeCommandDesk(database, clock, commands.skills, custom_skills, contacts))
    runner = TurnRunner(house, commands, decisions)
    return App(
        settings=settings,
        database=database,
        engine=engine,
        model=model,
        catalog=tooling.catalog,
        agents=agents,
        skills=skills,
        memory=memory,
        contacts=contacts,
        approvals=approvals,
        decisions=decisions,
        cycle_log=cycle_log,
        accept=Router(database, engine, lambda: contacts, clock).accept,
        commands=commands,
        compose=compose,
        house=house,
        adapters=chats,
        platforms=platforms,
        checkup=checkup,
        clock=clock,
        mcp=tooling.mcp,
        credentials=tooling.credentials,
        sandbox=tooling.sandbox,
        policy=policy,
        definitions=definitions,
        tasks=[
            lambda: engine.run(runner.run_turn, runner.apologise),
            outbox.run,
            cards.run,
            Housekeeping(
                database,
                clock,
                engine,
                approvals,
                idle,
                timedelta(days=session_settings.keep_days),
                Expiries(
                    engine, approvals, outbox, clock, timedelta(hours=session_settings.question_hours), cards.look
                ),
            ).run,
            lambda: _reload([*prompts, *skill_roots], [part.reload_changed for part in definitions]),
            lambda: _reload(
                list({home, policy.path.parent}), [contacts.reload_if_changed, policy.reload_changed], recursive=False
            ),
            *http_server(settings, chats, checkup, clock),
            *([model.warm] if isinstance(model, LazyModel) else []),
            *([tooling.mcp.run] if tooling.mcp else []),
        ],
    )


async def _reload(
    folders: Sequence[Path], readers: Sequence[Callable[[], Awaitable[bool]]], *, recursive: bool = True
) -> None:
    """Read changed files again as they change; a broken one keeps its last good version (design §6)."""
    async for _ in changes(folders, recursive=recursive):
        for reader in readers:
            await reader()

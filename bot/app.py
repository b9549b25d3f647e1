"""build_app: the composition root, the only place that builds things."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bot.agents.control_tools.making import MakesFiles
from bot.agents.control_tools.sending import Sends
from bot.agents.cycle_log.log import CycleLog
from bot.agents.definitions.registry import AgentRegistry
from bot.assembly.accounts import build_accounts
from bot.assembly.automations import automation_problem
from bot.assembly.background import of_this_process
from bot.assembly.bookings import build_bookings
from bot.assembly.chats import build_chats
from bot.assembly.collections import build_shared
from bot.assembly.commands import build_commands
from bot.assembly.crew import build_crew
from bot.assembly.ground import build_ground
from bot.assembly.house import House, build_house
from bot.assembly.learning import LearningWork, build_learning
from bot.assembly.making import build_making_tools
from bot.assembly.models import names_of
from bot.assembly.own_tools import (
    build_memories,
    build_own_tools,
    build_sharing,
    connect_all,
    virtual_files,
)
from bot.assembly.people import build_person_links, build_takeovers
from bot.assembly.place_rules import place_rules
from bot.assembly.platforms import offer_commands
from bot.assembly.plugged import (
    apply_plugin_tables,
    build_plugged,
    require_own_tools,
    sources_of,
)
from bot.assembly.plugins import (
    hide_secrets,
    known_platforms,
    require_provider,
    sections_of_plugins,
    tool_roots,
    usable_plugins,
)
from bot.assembly.prices import Prices
from bot.assembly.processes import build_processes, require_shared
from bot.assembly.sections import SECTIONS
from bot.assembly.sharing import follow_others
from bot.assembly.tasks import Rooms, background_tasks
from bot.assembly.tools import build_tooling
from bot.assembly.turns import build_runner
from bot.assembly.written import Definitions, build_written
from bot.connections.connecting import Connecting
from bot.connections.credentials import Credentials
from bot.domain.agents import AgentDefinition
from bot.domain.chat import Accept, ChatAdapter
from bot.domain.clock import Clock
from bot.domain.database import Database
from bot.domain.models import Model
from bot.domain.processes import Processes, ProcessRole
from bot.domain.tool_context import ToolScope
from bot.domain.turns import TurnEngine
from bot.errors import SettingsError
from bot.files.document_index import DocumentIndex
from bot.files.search import DocumentSearch
from bot.knowledge.documents import DocumentCollections
from bot.knowledge.making.maker import FileMaker
from bot.llm.settings import ModelSettings
from bot.memory.settings import MemorySettings
from bot.memory.tiers import MemoryStore
from bot.sessions.approvals.cards import CardPlaces
from bot.sessions.approvals.decisions import Decisions
from bot.sessions.commands.commands import Commands
from bot.sessions.commands.native_commands import NativeCommandDesk
from bot.sessions.inbox.platforms import Checkup, Platforms
from bot.sessions.inbox.router import Router, Strangers
from bot.sessions.inbox.verdicts import Verdicts
from bot.sessions.opening.recall import OpeningRecall
from bot.sessions.outbox.outbox_store import begin_life
from bot.sessions.people.contact_record import ContactRecord
from bot.sessions.people.contacts import ContactList, Contacts
from bot.sessions.people.people import AddressBook
from bot.sessions.people.person_links import PersonLinks
from bot.sessions.people.takeovers import TakeOvers
from bot.sessions.reports.rights_report import RightsReports
from bot.sessions.settings import AccessSettings
from bot.sessions.unattended.bookings import Bookings
from bot.sessions.unattended.connections import ConnectionWaits, LapseNotices
from bot.sessions.unattended.member_reminders import MemberReminders
from bot.settings import LogSettings, Settings, load
from bot.skills.library import SkillLibrary
from bot.storage.database import SqliteDatabase
from bot.storage.opening import home_lock, open_home_database
from bot.tools.catalog.catalog import ToolCatalog
from bot.tools.mcp.fleet import McpServers
from bot.tools.native.connector import Connector
from bot.tools.native.registry import NativeTools
from bot.tools.permission.approvals import ApprovalStore
from bot.tools.permission.bundles import Bundles
from bot.tools.policy.book import PolicyBook
from bot.tools.policy.rights import Rights
from bot.tools.running.sandbox import Sandbox
from bot.tools.settings import ApprovalSettings, ToolSettings
from bot.tools.toolset.toolset import Toolset


@dataclass(frozen=True)
class AppOptions:
    """A caller's wishes: the home, the platforms, and in tests model, clock and engine."""

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
    role: ProcessRole = ProcessRole.BOTH
    """What this process does, where several share a database."""
    every_connector: bool = False
    """Load all connectors, to check tool files against tools that this home can't use."""
    wrap_database: Callable[[Database], Database] | None = None
    """Wraps the database; tests of crashes end the process at a chosen write with it."""


@dataclass
class App:
    """Everything that runs on one home. `run` serves until cancelled."""

    settings: Settings
    database: Database
    engine: TurnEngine
    model: Model
    catalog: ToolCatalog
    natives: NativeTools
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
    connecting: Connecting
    sandbox: Sandbox
    policy: PolicyBook
    prices: Prices
    definitions: Sequence[Definitions]
    """Everything that is read from prompts/ and skills/."""
    links: PersonLinks
    bookings: Bookings
    record: ContactRecord
    takeovers: TakeOvers
    learning: LearningWork
    rights_reports: RightsReports
    documents: DocumentCollections
    processes: Processes | None
    """None where this process has the database alone."""
    tasks: list[Callable[[], Awaitable[None]]] = field(
        default_factory=list[Callable[[], Awaitable[None]]]
    )
    """Background work that `run` keeps going."""

    async def run(self) -> None:
        """Run turns, adapters, outbox and live reload, until cancelled or one fails for good."""
        async with asyncio.TaskGroup() as outer:
            if self.processes is not None:  # turns that end with the process still make calls
                outer.create_task(self.processes.notices.run(), name="notices")
            async with asyncio.TaskGroup() as group:
                for task in self.tasks:
                    group.create_task(_forever(task))
                group.create_task(self.platforms.run(self.accept))

    def problems(self) -> list[str]:
        """Problems in this home's files, a sentence each, with file, line and remedy."""
        found = [str(problem) for part in self.definitions for problem in part.problems]
        return [*self.contacts.problems, *found]


def native_tools(home: Path) -> NativeTools:
    """The native tools of a home with default settings: what its tool files may leave out."""
    return _with_every_connector(home).natives


def every_connector(home: Path) -> Sequence[Connector]:
    """All connectors that ship, also those that a home with default settings does without."""
    return _with_every_connector(home).house.connectors


def _with_every_connector(home: Path) -> App:
    plugins = tuple(plugin.name for plugin in usable_plugins(home))
    of_plugins = sections_of_plugins(plugins)
    kinds = {"log": LogSettings, **SECTIONS, **of_plugins}
    sections = {name: section() for name, section in kinds.items()}
    settings = Settings(home, "UTC", sections, plugins)
    known = known_platforms(settings)
    nobody = Contacts(home / "contacts.yaml", ContactList((), ()), known, AccessSettings())
    unopened = SqliteDatabase(home / "data" / "unopened.db")
    options = AppOptions(home, read_only=True, every_connector=True)
    return build_app(options, settings, unopened, nobody)


async def _forever(task: Callable[[], Awaitable[None]]) -> None:
    await task()


def load_settings(home: Path) -> Settings:
    """Read bellhop.yaml of a home with the sections of all rooms and plug-ins.

    Raises SettingsError.
    """
    settings = load(home, SECTIONS, of_plugins=sections_of_plugins)
    require_provider(settings, settings.get(ModelSettings).provider)
    hide_secrets(settings)
    return settings


@asynccontextmanager
async def open_app(options: AppOptions) -> AsyncGenerator[App]:
    """Lock the home, open its database, build the app, read its files; close it afterwards.

    Raises SettingsError, HomeInUse or StorageError. With `read_only` it works beside a running
    Bellhop.
    """
    settings = options.settings or await asyncio.to_thread(load_settings, options.home)
    require_shared(settings, options.role)
    lock = home_lock(settings)
    if not options.read_only:
        await asyncio.to_thread(lock.acquire)
    try:
        database = await open_home_database(settings, read_only=options.read_only)
        try:
            if not options.read_only:
                await begin_life(database)
            contacts = await asyncio.to_thread(
                Contacts.load,
                settings.home / settings.get(AccessSettings).contacts,
                known_platforms(settings),
                settings.get(AccessSettings),
            )
            used = options.wrap_database(database) if options.wrap_database else database
            processes = await asyncio.to_thread(
                build_processes, settings, database, options.role, read_only=options.read_only
            )
            await apply_plugin_tables(settings, database, read_only=options.read_only)
            app = build_app(options, settings, used, contacts, processes)
            await asyncio.gather(
                app.mcp.load(),
                app.credentials.load(),
                app.sandbox.probe(),
                app.documents.load(),
                *(part.load() for part in app.definitions),
            )
            kept = await app.memory.people()
            # As in `begin_life`: what the opening of a home writes is no part of a life.
            begun = ContactRecord(database, app.clock, contacts.platforms)
            await contacts.follow_record(begun, kept, only_look=options.read_only)
            contacts.record = app.record
            try:
                if not options.read_only:
                    _require_agent(app, options.agent)
                    _require_policy(app)
                    app.prices.require()
                    app.prices.require_in(place_rules(settings))
                    await app.links.follow()
                yield app
            finally:
                await app.model.close()
        finally:
            await database.close()
    finally:
        lock.release()


def _require_agent(app: App, chosen: str | None) -> None:
    """Raises SettingsError if there is no agent to talk with, at the start instead of in a chat."""
    if problem := app.agents.missing(app.house.rules.default_agent):
        raise SettingsError(f"{'--agent' if chosen else 'agents.default'}: {problem}")


def _require_policy(app: App) -> None:
    """Raises SettingsError for an unreadable policy: nothing runs under unknown rules."""
    if problems := app.policy.problems:
        raise SettingsError("\n".join(problems))


def build_app(
    options: AppOptions,
    settings: Settings,
    database: Database,
    contacts: Contacts,
    processes: Processes | None = None,
) -> App:
    """Put the rooms together, bottom to top; nothing is read, connected or started here."""
    ground = build_ground(settings, database, options.model, options.clock, processes)
    written = build_written(ground, contacts)
    clock, engine = ground.clock, ground.engine
    document_index = DocumentIndex(database, clock)
    accounts = build_accounts(ground, every_service=options.every_connector)

    approvals = ApprovalStore(database, clock, settings.get(ApprovalSettings).expire_minutes)
    chats = build_chats(ground, approvals, contacts, options.adapters, served=options.platforms)
    shared = build_shared(ground, chats.attachments)
    plugged = build_plugged(ground, accounts)
    connectors = connect_all(
        ground,
        written,
        lambda: tooling,
        accounts,
        lambda: [chats.search, DocumentSearch(database, document_index)],
        chats.by_platform,
        shared,
        plugged,
        every=options.every_connector,
    )
    kept = build_memories(ground, written, connectors, chats.search, shared.similarity)
    rights = Rights(place_rules(settings))
    sharing = build_sharing(ground, written, rights)
    files = virtual_files(written, connectors)
    own_tools = build_own_tools(ground, written, files, kept, sharing)
    tooling = build_tooling(
        ground,
        own_tools,
        connectors,
        written.policy,
        rights,
        approvals,
        [*written.prompts, *tool_roots(ground.plugins)],
    )
    prices = Prices(tooling.meter, names_of(ground.model))
    written.policy.checks.append(prices.check)
    tooling.gate.automation_problem = automation_problem(
        ground, accounts.connections, sources_of(plugged)
    )
    tooling.gate.address_book = AddressBook(lambda: contacts.vouching)
    definitions: list[Definitions] = [
        tooling.catalog, written.agents, written.skills, written.manifests, written.policy,
    ]  # fmt: skip

    crew = build_crew(ground, written, tooling, accounts, connectors)
    house = build_house(ground, written, tooling, accounts, crew, chats, connectors, options.agent)
    follow_others(ground, written, chats, shared.documents, definitions)
    house.imports.unlearnable = house.learning.forbidden
    waits = ConnectionWaits(database, clock, engine, accounts.connections)
    # The workbench needs the catalogue, which is built with the natives.
    workbench = build_making_tools(
        settings.home,
        house.imports,
        (tooling.catalog, written.skills, written.manifests),
        tooling.approvals,
        settings.get(ToolSettings).shell,
        clock,
    )
    reminders = MemberReminders(database, house.people, house.channels, house.rules.schedules)
    sends = Sends(files, shared.attached, chats.attachments.keep, tooling.redaction)
    tooling.natives.add(*workbench, reminders.tool(), waits.tool(), sends.tool())
    makes = MakesFiles(FileMaker(), files, chats.attachments.keep, tooling.redaction)
    makes.register(tooling.natives)
    require_own_tools(plugged, tooling.natives, connectors)
    accounts.connecting.on_connected.append(waits.connected)
    places = CardPlaces(database, contacts, chats.by_platform, house.rules.notify)
    accounts.connections.on_lapse.append(LapseNotices(places, chats.outbox, clock))

    decisions = Decisions(
        tooling.approvals,
        tooling.grants,
        tooling.plans,
        Bundles(database, clock),
        engine,
        clock,
        database,
        chats.cards.look,
    )
    learning = build_learning(house, settings)
    rights_reports = RightsReports(
        rights,
        written.agents,
        tooling.catalog,
        contacts,
        crew.compose,
        house.resolver.integrations.usable,
        house.rules.default_agent,
    )
    record = ContactRecord(database, clock, contacts.platforms)
    links = build_person_links(ground, written, tooling, accounts, chats, connectors, record)
    takeovers = build_takeovers(ground, contacts, tooling, chats, record, links)
    bookings = build_bookings(house, places)
    commands = build_commands(
        house, places, decisions, accounts.connecting, rights_reports, takeovers, bookings
    )
    offer_commands(
        chats.adapters,
        NativeCommandDesk(database, clock, commands.skills, written.custom_skills, contacts),
    )
    recall = OpeningRecall(kept.memories) if settings.get(MemorySettings).recall else None
    runner = build_runner(house, places, commands, reminders, recall, links.ran)
    router = Router(
        database,
        engine,
        contacts,
        clock,
        rights,
        Verdicts(database, tooling.approvals, chats.cards.open_here, contacts.platforms).of,
        Strangers(settings.get(AccessSettings).unknown_people, house.pairing.is_settled),
        house.watching,
        ground.changes.catch_up if ground.changes.shared else None,
    )
    return App(
        settings=settings,
        database=database,
        engine=engine,
        model=ground.model,
        catalog=tooling.catalog,
        natives=tooling.natives,
        agents=written.agents,
        skills=written.skills,
        memory=written.memory,
        contacts=contacts,
        approvals=tooling.approvals,
        decisions=decisions,
        cycle_log=ground.cycle_log,
        accept=router.accept,
        commands=commands,
        compose=crew.compose,
        house=house,
        adapters=chats.adapters,
        platforms=chats.platforms,
        checkup=chats.checkup,
        clock=clock,
        mcp=tooling.mcp,
        credentials=accounts.credentials,
        connecting=accounts.connecting,
        sandbox=tooling.sandbox,
        policy=written.policy,
        prices=prices,
        definitions=definitions,
        links=links,
        bookings=bookings,
        record=record,
        takeovers=takeovers,
        learning=learning,
        rights_reports=rights_reports,
        documents=shared.documents,
        processes=processes,
        tasks=of_this_process(
            background_tasks(
                Rooms(
                    ground=ground,
                    written=written,
                    tooling=tooling,
                    accounts=accounts,
                    chats=chats,
                    house=house,
                    runner=runner,
                    definitions=definitions,
                    connectors=connectors,
                    learning=learning,
                    links=links,
                    waits=waits,
                    bookings=bookings,
                    document_index=document_index,
                    documents=shared.documents,
                    plugged=plugged,
                )
            ),
            processes,
        ),
    )

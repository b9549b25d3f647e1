"""build_app: the composition root, the only place that builds things."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from bot.agents.cycle_log.log_store import CycleLog
from bot.assembly.accounts import build_accounts
from bot.assembly.background import of_this_process
from bot.assembly.chats import build_chats
from bot.assembly.commands import build_commands, build_decisions, build_rights_reports
from bot.assembly.connectors import build_documents, connect_all
from bot.assembly.crew import build_crew
from bot.assembly.database import home_lock, open_home_database
from bot.assembly.ground import HOUSE_LIMITS, HouseLimits, build_ground
from bot.assembly.home_settings import load_settings
from bot.assembly.house import House, build_house, follow_others
from bot.assembly.memory import build_memory
from bot.assembly.own_tools import add_session_tools, build_own_tools, virtual_files
from bot.assembly.people import Moves, build_moves
from bot.assembly.permission import build_permission
from bot.assembly.place_rules import place_rules
from bot.assembly.plugged import apply_plugin_tables, build_plugged, load_plugged
from bot.assembly.plugins import (
    known_platforms,
    known_services,
    sections_of_plugins,
    switched_off,
    usable_plugins,
)
from bot.assembly.processes import build_processes, require_shared
from bot.assembly.sections import SECTIONS
from bot.assembly.tasks import background_tasks
from bot.assembly.tools import build_tooling
from bot.assembly.turns import build_router, build_runner
from bot.assembly.unattended import LearningWork, Unattended, build_learning, build_unattended
from bot.assembly.views import build_sites
from bot.assembly.written import build_written
from bot.domain.chat import Accept, ChatAdapter
from bot.domain.clock import Clock
from bot.domain.database import Database
from bot.domain.models import Model
from bot.domain.processes import Processes, ProcessRole
from bot.errors import SettingsError
from bot.llm.no_model import NoModel
from bot.sessions.approvals.decisions import Decisions
from bot.sessions.commands.commands import Commands
from bot.sessions.outbox.outbox_store import begin_life
from bot.sessions.people.contact_record import ContactRecord
from bot.sessions.people.contacts import CONTACTS_FILE, ContactList, Contacts
from bot.sessions.people.members import HouseDirectory
from bot.sessions.reports.rights_report import RightsReports
from bot.sessions.settings import AccessSettings
from bot.settings import LogSettings, Settings
from bot.storage.database import SqliteDatabase
from bot.storage.file_locks import lock_of, remove_former_locks
from bot.tools.catalog.catalog import ToolCatalog
from bot.tools.native.connector import Connector
from bot.tools.native.registry import NativeTools
from bot.tools.permission.approvals import ApprovalStore
from bot.turns.engine import TurnEngine


@dataclass(frozen=True)
class AppOptions:
    """A caller's wishes: the home, the platforms, and in tests model, clock and limits."""

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
    limits: HouseLimits = HOUSE_LIMITS
    wrap_database: Callable[[Database], Database] | None = None
    """Wraps the database; tests of crashes end the process at a chosen write with it."""


@dataclass(frozen=True)
class App:
    """Everything that runs on one home, for its doors. `run` serves until cancelled."""

    house: House
    accept: Accept
    commands: Commands
    decisions: Decisions
    rights_reports: RightsReports
    moves: Moves
    unattended: Unattended
    learning: LearningWork
    tasks: Sequence[Callable[[], Awaitable[None]]]
    """Background work that `run` keeps going."""

    @property
    def settings(self) -> Settings:
        return self.house.ground.settings

    @property
    def database(self) -> Database:
        return self.house.ground.database

    @property
    def clock(self) -> Clock:
        return self.house.ground.clock

    @property
    def engine(self) -> TurnEngine:
        return self.house.ground.engine

    @property
    def model(self) -> Model:
        return self.house.ground.model

    @property
    def cycle_log(self) -> CycleLog:
        return self.house.ground.cycle_log

    @property
    def processes(self) -> Processes | None:
        """None where this process has the database alone."""
        return self.house.ground.processes

    @property
    def contacts(self) -> Contacts:
        return self.house.written.contacts

    @property
    def approvals(self) -> ApprovalStore:
        return self.house.permission.approvals

    async def run(self) -> None:
        """Run turns, adapters, outbox and live reload, until cancelled or one fails for good."""
        async with asyncio.TaskGroup() as outer:
            if self.processes is not None:  # turns that end with the process still make calls
                outer.create_task(self.processes.notices.run(), name="notices")
            async with asyncio.TaskGroup() as group:
                for task in self.tasks:
                    group.create_task(_forever(task))
                group.create_task(self.house.chats.platforms.run(self.accept))

    def problems(self) -> list[str]:
        """Problems in this home's files, a sentence each, with file, line and remedy."""
        found = [str(problem) for part in self.house.definitions for problem in part.problems]
        return [*self.contacts.problems, *found]


def native_tools(home: Path) -> NativeTools:
    """The native tools of a home with default settings: what its tool files may leave out."""
    return _with_every_connector(home).house.tooling.natives


def every_connector(home: Path) -> Sequence[Connector]:
    """All connectors that ship, also those that a home with default settings does without."""
    return _with_every_connector(home).house.connectors


def unusable_plugin_tools(home: Path, catalog: ToolCatalog) -> list[str]:
    """A sentence for each tool that a plug-in of others has and nobody can use."""
    if not usable_plugins(home):
        return []  # the house is built for the others alone
    house = _with_every_connector(home).house
    known = {one.id for one in (*house.connectors, *known_services(house.ground.plugins))}
    return [
        problem
        for one in house.plugged
        if not one.ours
        for problem in (*one.tools_without_files(catalog), *one.files_without_needs(catalog, known))
    ]


def _with_every_connector(home: Path) -> App:
    plugins = (*(plugin.name for plugin in usable_plugins(home)), *switched_off(home))
    of_plugins = sections_of_plugins(plugins)
    kinds = {"log": LogSettings, **SECTIONS, **of_plugins}
    sections = {name: section() for name, section in kinds.items()}
    settings = Settings(home, "UTC", sections, plugins)
    known = known_platforms(settings)
    nobody = Contacts(home / CONTACTS_FILE, ContactList((), ()), known, AccessSettings())
    unopened = SqliteDatabase(home / "data" / "unopened.db")
    options = AppOptions(home, read_only=True, every_connector=True)
    return build_app(options, settings, unopened, nobody)


async def _forever(task: Callable[[], Awaitable[None]]) -> None:
    await task()


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
                await asyncio.to_thread(remove_former_locks, settings.home)
            access = settings.get(AccessSettings)
            path = settings.home / CONTACTS_FILE
            lock_of_contacts = lock_of(settings.home, settings.home)
            contacts = await asyncio.to_thread(
                Contacts.load, path, known_platforms(settings), access, lock_of_contacts
            )
            used = options.wrap_database(database) if options.wrap_database else database
            processes = await asyncio.to_thread(
                build_processes, settings, database, options.role, read_only=options.read_only
            )
            await apply_plugin_tables(settings, database, read_only=options.read_only)
            app = build_app(options, settings, used, contacts, processes)
            house = app.house
            await asyncio.gather(
                house.accounts.credentials.load(),
                house.ground.sandbox.probe(),
                *map(load_plugged, house.plugged),
                *(part.load() for part in house.definitions),
            )
            kept = await house.written.memory.people()
            # As in `begin_life`: what the opening of a home writes is no part of a life.
            begun = ContactRecord(database, app.clock, contacts.platforms)
            await contacts.follow_record(begun, kept, only_look=options.read_only)
            contacts.record = app.moves.record
            try:
                if not options.read_only:
                    _require_agent(app, options.agent)
                    _require_policy(app)
                    house.permission.prices.require()
                    house.permission.prices.require_in(place_rules(settings))
                    await app.moves.links.follow()
                yield app
            finally:
                await app.model.close()
        finally:
            await database.close()
    finally:
        lock.release()


def _require_agent(app: App, chosen: str | None) -> None:
    """Raises SettingsError if there is no agent to talk with, at the start instead of in a chat."""
    if problem := app.house.written.agents.missing(app.house.rules.default_agent):
        raise SettingsError(f"{'--agent' if chosen else 'agents.default'}: {problem}")


def _require_policy(app: App) -> None:
    """Raises SettingsError for an unreadable policy: nothing runs under unknown rules."""
    if problems := app.house.written.policy.problems:
        raise SettingsError("\n".join(problems))


@asynccontextmanager
async def open_read_only(home: Path) -> AsyncGenerator[App]:
    """`open_app` for who only looks, which needs no key of a model.

    Raises StorageError without a database, and SettingsError.
    """
    async with open_app(AppOptions(home, read_only=True, model=NoModel())) as app:
        yield app


def build_app(
    options: AppOptions,
    settings: Settings,
    database: Database,
    contacts: Contacts,
    processes: Processes | None = None,
) -> App:
    """Put the rooms together, bottom to top; nothing is read, connected or started here."""
    # What all stand on, what people write into files, and which services they connect.
    ground = build_ground(
        settings, database, options.model, options.clock, processes, options.limits
    )
    written = build_written(ground, contacts)
    accounts = build_accounts(ground, every_service=options.every_connector)
    directory = partial(HouseDirectory, database, contacts, lambda: chats.by_platform)
    plugged = build_plugged(ground, accounts, directory, every=options.every_connector)

    # Which calls may run; the platforms where people talk; the documents that they share.
    permission = build_permission(ground, written, accounts, plugged)
    approvals, adapters = permission.approvals, options.adapters
    chats = build_chats(ground, approvals, contacts, adapters, served=options.platforms)
    documents = build_documents(ground, chats.attachments)

    # The tools: of connectors, of Bellhop itself, and in files.
    connectors = connect_all(ground, written, accounts, plugged, chats, documents)
    memory = build_memory(ground, written, permission, chats, documents, connectors)
    files = virtual_files(written, documents, connectors)
    own_tools = build_own_tools(ground, written, files, memory)
    tooling = build_tooling(ground, written, permission, plugged, connectors, own_tools)

    # The agents that call them, and what people's sessions with agents share.
    crew = build_crew(ground, written, accounts, permission, tooling, connectors)
    house = build_house(
        ground, written, accounts, plugged, permission, chats, documents, connectors,
        memory, tooling, crew, options.agent,
    )  # fmt: skip
    unattended = build_unattended(house)
    of_places = add_session_tools(house, unattended, files)

    # What a message meets: commands, decisions, or a turn.
    moves = build_moves(house)
    decisions, rights_reports = build_decisions(house), build_rights_reports(house)
    sites = build_sites(house, decisions, rights_reports)
    commands = build_commands(house, decisions, rights_reports, moves.takeovers, sites)
    router = build_router(house)
    runner = build_runner(house, commands, unattended.reminders, moves.links.ran)

    # What goes on beside it.
    learning = build_learning(house)
    follow_others(house)
    tasks = background_tasks(house, runner, learning, moves.links, unattended, sites, of_places)
    return App(
        house=house,
        accept=router.accept,
        commands=commands,
        decisions=decisions,
        rights_reports=rights_reports,
        moves=moves,
        unattended=unattended,
        learning=learning,
        tasks=of_this_process(tasks, processes, ground.clock),
    )

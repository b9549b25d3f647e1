"""Builds the parts of plug-ins: connectors, event sources and background work."""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from bot.assembly.accounts import Accounts
from bot.assembly.background import KeptUp
from bot.assembly.ground import Ground
from bot.assembly.own_plugins import OWN
from bot.assembly.plugin_shape import in_code_of, require
from bot.assembly.plugins import plugins_named, setup_of
from bot.clock import SystemClock, format_utc
from bot.domain.clock import Clock
from bot.domain.database import Database
from bot.domain.files import FileSource
from bot.domain.health import Check
from bot.domain.models import Usage
from bot.domain.people import Directory, FindsPeople, PersonFile
from bot.domain.person_tables import PersonTable
from bot.domain.privacy import Viewer
from bot.domain.recordings import Transcriber
from bot.domain.tool_context import NativeTool, ToolContext
from bot.errors import SettingsError, StorageError
from bot.files.database_files import DatabaseFiles
from bot.files.incoming import IncomingFiles
from bot.files.store import FileRows
from bot.files.versions import VersionedFiles
from bot.memory.embedding import OllamaEmbedder
from bot.memory.settings import MemorySettings
from bot.plugin.asking import CheapModel
from bot.plugin.http import Receiver
from bot.plugin.late import LateParts
from bot.plugin.meaning import VectorModel
from bot.plugin.plugin import AnyPlugin, Given, Parts, Task
from bot.sessions.approvals.decisions import CARDS_OF_THE_HOUSE
from bot.sessions.unattended.own_events import AutomationEvents
from bot.settings import Settings
from bot.storage.plugin_tables import (
    apply_table_files,
    missing_files,
    require_person_table,
    table_files,
)
from bot.tools.budget.budgets import Payer
from bot.tools.catalog.catalog import ToolCatalog
from bot.tools.native.connector import Connector
from bot.tools.native.registry import NativeTools, ToolRegistration
from bot.tools.running.output import OUTPUT_CHARS
from bot.tools.running.shell import ProgramRunner
from bot.tools.settings import ToolSettings
from bot.web.client import WebClient
from bot.web.settings import WebSettings

G = TypeVar("G")
T = TypeVar("T")

log = logging.getLogger(__name__)

EMBED_S = 120.0
"""For some vectors that are kept, which nobody waits for."""


@dataclass(frozen=True)
class Plugged:
    """A plug-in and what it added to this house."""

    plugin: AnyPlugin
    parts: Parts
    ours: bool = False
    """Whether it ships with Bellhop."""

    def made(self, make: Callable[[G], T], ground: G, kind: type[T]) -> T:
        """What one of its parts makes once the house stands. Raises SettingsError that names it."""
        with in_code_of(self.plugin, "can't be built"):
            return require(make(ground), kind)

    def tools_made(
        self, make: Callable[[G], Sequence[NativeTool[Any]]], ground: G
    ) -> ToolRegistration:
        """The same for parts that make tools alone."""
        return self.made(lambda given: ToolRegistration(make(given)), ground, ToolRegistration)

    @property
    def tools(self) -> list[NativeTool[Any]]:
        return [
            tool
            for connector in self.parts.connectors
            for registration in connector.registrations()
            for tool in registration.tools
        ]

    def tools_without_files(self, catalog: ToolCatalog) -> list[str]:
        """A sentence for each tool that no file describes, so that no agent hears of it."""
        return [
            f"plug-in {self.plugin.name!r}: no file describes its tool {tool.name}, so nobody can"
            f" use it; its author adds tools/shared/{tool.name}.md beside its module"
            for tool in self.tools
            if not catalog.anywhere(tool.name)
        ]

    def files_without_needs(self, catalog: ToolCatalog, known: Set[str]) -> list[str]:
        """A sentence for each file that requires what is neither a connector nor a service."""
        return [
            f"{source}: Requires: no connector or service has the id {need!r}, so nobody can use"
            f" the tool; write the `id` of the connector"
            for tool in catalog.snapshot.tools
            if (source := tool.definition.source)
            and Path(source).is_relative_to(self.plugin.folder)
            for need in tool.definition.requires
            if need not in known
        ]


@dataclass(frozen=True)
class PeopleOfPlugins:
    """Whom a name means. Implements `domain.people.FindsPeople`."""

    finders: Sequence[FindsPeople]
    """Filled once all plug-ins are built."""

    async def named(self, viewer: Viewer, name: str) -> Sequence[PersonFile]:
        return [found for one in self.finders for found in await one.named(viewer, name)]


def build_plugged(
    ground: Ground, accounts: Accounts, directory: Callable[[], Directory], *, every: bool
) -> list[Plugged]:
    """What the plug-ins of a home add. Raises SettingsError that names the one that fails.

    `directory`: one for each plug-in, because it tells of everybody once. `every`: also connectors
    that these settings leave nothing to do.
    """
    finders: list[FindsPeople] = []
    people = PeopleOfPlugins(finders)
    plugged: list[Plugged] = []
    for one in ground.plugins:
        parts = _parts(one, ground, accounts, people, directory(), every=every)
        plugged.append(Plugged(one, parts, one in OWN))
        accounts.kept.take(one, parts)
        if parts.people is not None:
            finders.append(parts.people)
    return plugged


def _parts(
    plugin: AnyPlugin,
    ground: Ground,
    accounts: Accounts,
    people: FindsPeople,
    directory: Directory,
    *,
    every: bool,
) -> Parts:
    setup, own = setup_of(ground.settings, plugin), {one.id for one in plugin.services}
    data = ground.settings.home / "data"
    given = Given[Any](
        setup.settings,
        setup.secret,
        timezone=ground.settings.timezone,
        database=ground.database,
        web=WebClient(ground.settings.get(WebSettings)),
        clients={name: client for name, client in accounts.clients.items() if name in own},
        usable=accounts.connections.usable,
        folder=(data if plugin in OWN else data / "plugins") / plugin.name,
        cheap=_cheap_model(ground),
        similarity=ground.similarity,
        vectors=_vector_model(ground.settings),
        reader=ground.reader,
        documents=own_documents(ground),
        incoming=IncomingFiles(FileRows(ground.database), ground.clock),
        people=people,
        directory=directory,
        calendars=accounts.kept.calendars,
        mailboxes=accounts.kept.mailboxes,
        home=ground.settings.home,
        programs=ProgramRunner(ground.settings.get(ToolSettings).shell, OUTPUT_CHARS, ground.clock),
        sandbox=ground.sandbox,
        clock=ground.clock,
        client_at=setup.client_at,
        addressed=setup.addressed,
        listens=setup.listens,
        every=every,
    )
    with in_code_of(plugin, "can't be built"):
        parts = require(plugin.build(given), Parts)
        for connector in parts.connectors:
            for registration in connector.registrations():
                require(registration, ToolRegistration)
    return parts


async def load_plugged(one: Plugged) -> None:
    """What a plug-in keeps in memory. Raises SettingsError that names it."""
    if one.parts.load is not None:
        with in_code_of(one.plugin, "can't begin"):
            await one.parts.load()


async def reload_plugged(one: Plugged) -> None:
    """The same after a change. The log names one that fails, which goes on with what it has."""
    with suppress(SettingsError):
        await load_plugged(one)


def _vector_model(settings: Settings) -> VectorModel | None:
    """The embedder of the settings, for vectors that nobody waits for."""
    wanted = settings.get(MemorySettings).embedder
    if not wanted.base_url:
        return None
    return VectorModel(wanted.name, OllamaEmbedder(wanted, EMBED_S))


def own_documents(ground: Ground) -> FileSource:
    """`/documents` of each person."""
    rows = FileRows(ground.database)
    return VersionedFiles(
        DatabaseFiles(ground.database, ground.clock, "/documents", "person"), rows
    )


def _cheap_model(ground: Ground) -> CheapModel:
    """The cheap model; its costs are charged to the person of the call."""

    async def spent(context: ToolContext, model: str, usage: Usage) -> None:
        payer, handed = Payer.of(context.person, context.conversation), context.depth > 0
        await ground.database.write(ground.meter.model_unit(payer, model, usage, handed=handed))

    return CheapModel(ground.model, spent)


async def apply_plugin_tables(settings: Settings, database: Database, *, read_only: bool) -> None:
    """Make the tables of our own plug-ins, and of those that are on. Raises StorageError.

    Who only looks needs no new ones of our own: a start makes them, as it migrates the database.
    """
    of_others = plugins_named(settings.plugins)
    for plugin in of_others if read_only else (*OWN, *of_others):
        files = await asyncio.to_thread(table_files, plugin.name, plugin.folder / "migrations")
        now = format_utc(SystemClock().now())
        await apply_table_files(database, plugin.name, files, now, read_only=read_only)
        for table in plugin.tables:
            await require_person_table(database, plugin.name, table)


async def table_findings(settings: Settings, database: Database) -> list[Check]:
    """Tables of plug-ins that a start would refuse, as far as that can be seen without one."""
    found: list[Check] = []
    for plugin in (*OWN, *plugins_named(settings.plugins)):
        try:
            files = await asyncio.to_thread(table_files, plugin.name, plugin.folder / "migrations")
        except StorageError:
            continue  # `plugins.findings` names it
        try:
            if not await missing_files(database, plugin.name, files):
                for table in plugin.tables:
                    await require_person_table(database, plugin.name, table)
        except StorageError as error:
            found.append(Check(f"plug-in {plugin.name}", "error", str(error)))
    return found


def with_tables(plugged: Sequence[Plugged]) -> list[AnyPlugin]:
    """The plug-ins whose rows of people are known: all of our own, also those that are off.

    So what people have there is exported, forgotten and moved with them all the same.
    """
    return [*OWN, *(one.plugin for one in plugged if not one.ours)]


def tables_of(plugged: Sequence[Plugged]) -> list[PersonTable]:
    """The tables with rows of people."""
    return [table for one in with_tables(plugged) for table in one.tables]


def connectors_of(plugged: Sequence[Plugged]) -> list[Connector]:
    return [connector for one in plugged for connector in one.parts.connectors]


def sources_of(plugged: Sequence[Plugged]) -> list[str]:
    """The names of event sources."""
    return [source.name for one in plugged for source in one.parts.events]


def receivers_of(plugged: Sequence[Plugged]) -> list[Receiver]:
    """The paths of plug-ins. Raises SettingsError for a path that could be another's."""
    found: list[Receiver] = []
    for one in plugged:
        for receiver in one.parts.receivers:
            require_own_path(one, receiver)
            found.append(receiver)
    return found


def require_own_path(one: Plugged, receiver: Receiver) -> None:
    """Raises SettingsError for a path that could be another's."""
    own = f"/{one.plugin.name}/" if one.ours else f"/plugins/{one.plugin.name}/"
    if not receiver.path.startswith(own) or not receiver.path.endswith("/{ref}"):
        raise SettingsError(
            f"the plug-in {one.plugin.name!r} receives at {receiver.path}; its author must "
            f"let it begin with {own} and end with /{{ref}}"
        )


def takes_mail(plugged: Sequence[Plugged]) -> bool:
    """Whether mail can come to agents."""
    return any(one.parts.mail_in is not None for one in plugged)


def transcriber_of(plugged: Sequence[Plugged]) -> Transcriber | None:
    """What writes down recordings. Raises SettingsError where two plug-ins do."""
    found = {one.plugin.name: it for one in plugged if (it := one.parts.transcriber) is not None}
    if len(found) > 1:
        raise SettingsError(
            f"the plug-ins {' and '.join(found)} all write down recordings; leave the settings of "
            "all but one of them empty, remove them from plugins, or switch ours off there (-NAME)"
        )
    return next(iter(found.values()), None)


def require_own_tools(
    plugged: Sequence[Plugged],
    natives: NativeTools,
    connectors: Sequence[Connector],
    late: Mapping[str, Sequence[ToolRegistration]],
) -> None:
    """`late`: the tools that are made once the house stands, by the name of their plug-in.

    Raises SettingsError for a tool or connector of a plug-in whose name is taken.
    """
    names = [*natives.names, *CARDS_OF_THE_HOUSE]
    ids = [connector.id for connector in connectors]
    problems = [
        f"the plug-in {one.plugin.name!r} has a {what} {name!r}, and so has Bellhop or another "
        f"plug-in; remove {one.plugin.name} from plugins"
        for one in plugged
        for what, name, all_ in (
            *(("tool", tool.name, names) for tool in one.tools),
            *(("tool", tool.name, names) for part in late[one.plugin.name] for tool in part.tools),
            *(("connector", connector.id, ids) for connector in one.parts.connectors),
        )
        if all_.count(name) > 1
    ]
    if problems:
        raise SettingsError("\n".join(problems))


def plugin_tasks(plugged: Sequence[Plugged], events: AutomationEvents) -> list[Task]:
    """Background work of plug-ins that one process does, and their event sources."""
    tasks: list[Task] = []
    for one in plugged:
        name, sources = one.plugin.name, one.parts.events
        work = [*one.parts.tasks, *(partial(events.watch, name, source) for source in sources)]
        tasks += kept_going(name, work, events.clock)
    return tasks


def late_tasks(late: Sequence[tuple[Plugged, LateParts]], clock: Clock) -> list[Task]:
    """Background work of plug-ins that one process does once the house stands."""
    return [task for one, parts in late for task in kept_going(one.plugin.name, parts.tasks, clock)]


def own_plugin_tasks(plugged: Sequence[Plugged], clock: Clock) -> list[Task]:
    """Background work of plug-ins that each process does for itself."""
    return [
        task for one in plugged for task in kept_going(one.plugin.name, one.parts.own_tasks, clock)
    ]


def kept_going(name: str, work: Sequence[Task], clock: Clock) -> list[Task]:
    """One plug-in's error must not end Bellhop."""
    kept = KeptUp(clock, name)
    return [partial(kept.run, task) for task in work]

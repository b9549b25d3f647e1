"""Builds what shows and forgets the things that are kept of a person."""

from bot.assembly.house import House
from bot.assembly.plugged import tables_of, with_tables
from bot.domain.memory import KeepsFiles
from bot.sessions.commands.memory import EverywhereCommand, MemoryCommands
from bot.sessions.reports.export_store import Exports
from bot.sessions.reports.forgetting import Forgetting
from bot.sessions.reports.kept_things import KeptThings
from bot.sessions.settings import SessionSettings


def build_kept(house: House) -> KeptThings:
    ground = house.ground
    return KeptThings(
        ground.database, ground.clock, house.memory.editor, house.records.facts, house.connectors
    )


def build_forgetting(house: House) -> Forgetting:
    ground = house.ground
    return Forgetting(
        ground.database,
        ground.clock,
        ground.engine,
        build_kept(house),
        ground.settings.home,
        [one for one in house.connectors if isinstance(one, KeepsFiles)],
        tables_of(house.plugged),
        _on(house),
    )


def build_exports(house: House) -> Exports:
    tables = tables_of(house.plugged)
    return Exports(house.ground.database, build_kept(house), tables, _on(house))


def _on(house: House) -> set[str]:
    return {one.name for one in with_tables(house.plugged)}


def build_everywhere(house: House) -> EverywhereCommand:
    keep_days = house.ground.settings.get(SessionSettings).keep_days
    return EverywhereCommand(build_forgetting(house), keep_days)


def build_memory_commands(house: House) -> MemoryCommands:
    ground = house.ground
    return MemoryCommands(
        build_kept(house),
        ground.database,
        ground.clock,
        house.memory.editor,
        house.chats.attachments,
        build_everywhere(house),
    )

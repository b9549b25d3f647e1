"""Builds what shows and forgets the things that are kept of a person."""

from bot.assembly.house import House
from bot.sessions.commands.memory import EverywhereCommand, MemoryCommands
from bot.sessions.reports.export_store import Exports
from bot.sessions.settings import SessionSettings


def build_exports(house: House) -> Exports:
    forgetting = house.forgetting
    return Exports(forgetting.database, forgetting.kept, forgetting.tables, forgetting.plugins)


def build_everywhere(house: House) -> EverywhereCommand:
    keep_days = house.ground.settings.get(SessionSettings).keep_days
    return EverywhereCommand(house.forgetting, keep_days)


def build_memory_commands(house: House) -> MemoryCommands:
    ground = house.ground
    return MemoryCommands(
        house.forgetting.kept,
        ground.database,
        ground.clock,
        house.memory.editor,
        house.chats.attachments,
        build_everywhere(house),
    )

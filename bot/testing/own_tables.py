"""The tables of our own plug-ins, for databases of tests that open no whole house."""

import json
from functools import cache
from pathlib import Path

from bot.assembly.own_plugins import OWN
from bot.domain.database import OpenDatabase, Unit, Write
from bot.storage.home import open_database
from bot.storage.plugin_tables import table_files


@cache
def own_tables() -> tuple[Write, ...]:
    """What makes them, and notes their files as applied, at no moment."""
    writes: list[Write] = []
    for plugin in OWN:
        for file in table_files(plugin.name, plugin.folder / "migrations"):
            noted = (plugin.name, file.number, file.name, file.digest, json.dumps(file.statements))
            writes += map(Write, file.statements)
            writes.append(Write("INSERT INTO plugin_migrations VALUES (?, ?, ?, ?, ?, '')", noted))
    return tuple(writes)


async def open_with_own_tables(path: Path) -> OpenDatabase:
    """Open a file as `open_database` does, with these tables."""
    database = await open_database(path)
    if not await database.read("SELECT 1 FROM plugin_migrations"):
        await database.write(Unit(own_tables()))
    return database

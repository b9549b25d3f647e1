"""The SQL of what platforms were told about our commands."""

import json

from bot.domain.database import Database, Unit, Write
from bot.domain.json_types import JsonObject


async def registered(database: Database, scope: str) -> JsonObject | None:
    """The stored state of this scope; None without one. Raises StorageError."""
    row = await database.read_one("SELECT record FROM registrations WHERE scope = ?", (scope,))
    return json.loads(row["record"]) if row else None


async def keep(database: Database, scope: str, record: JsonObject) -> None:
    """Raises StorageError."""
    write = Write(
        "INSERT INTO registrations (scope, record) VALUES (?, ?)"
        " ON CONFLICT (scope) DO UPDATE SET record = excluded.record",
        (scope, json.dumps(record, sort_keys=True)),
    )
    await database.write(Unit.of(write))

"""What platforms were told about our commands."""

import json

from bot.domain.database import Database, Unit
from bot.domain.json_types import JsonObject
from bot.storage.values import HomeValue, home_value, put_home_value


async def registered(database: Database, scope: str) -> JsonObject | None:
    """The stored state of this scope; None without one. Raises StorageError."""
    record = await home_value(database, HomeValue.COMMANDS, scope)
    return json.loads(record) if record else None


async def keep(database: Database, scope: str, record: JsonObject) -> None:
    """Raises StorageError."""
    text = json.dumps(record, sort_keys=True)
    await database.write(Unit.of(put_home_value(HomeValue.COMMANDS, text, scope)))

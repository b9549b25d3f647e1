"""For database engines: a kind of server that `database.url` can name, and the tables of a house.

An engine reads the statements of the house as they are written, in SQLite's SQL.
"""

from collections.abc import Callable
from dataclasses import dataclass

from bot import __version__
from bot.domain.characters import whole_characters
from bot.domain.database import Database, Read, Row, Unit, Write, WriteResult
from bot.domain.database_server import (
    TAKEN_FOR_DEAD,
    AppliedMigrations,
    Contents,
    DatabaseServer,
    JobWorker,
    Moved,
    ServerCondition,
    ServerLocks,
    SessionJobs,
    SharedDatabase,
    Told,
    WorkerCallbacks,
    WorkingProcess,
)
from bot.domain.health import Check
from bot.domain.processes import Locks, Notices
from bot.errors import ClaimLost, HomeInUse, SettingsError, StorageError, UnitRejected
from bot.log import redact, register_secret
from bot.storage.damage import unusable
from bot.storage.migrate import (
    CARRY_FIRST,
    Migration,
    is_carriable,
    missing_migrations,
    newer_than,
    schema,
    shipped_migrations,
    split_statements,
)
from bot.storage.plugin_tables import PLUGIN_TEXTS, plugin_statements
from bot.storage.process_files import process_name
from bot.storage.queues import Outcome, UnitQueue
from bot.storage.values import HomeValue


@dataclass(frozen=True)
class DatabaseEngine:
    """A kind of database server that several processes of a home can share."""

    schemes: tuple[str, ...]
    """Those of its URLs; errors name the first: `postgresql`."""
    at: Callable[[str], DatabaseServer]
    """Where a URL points; nothing is connected yet.

    Only a home whose `database.url` has such a scheme calls it, so import drivers there. Raises
    SettingsError, also where a package is missing, with the remedy.
    """

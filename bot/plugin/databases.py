"""For database engines: a kind of server that `database.url` can name, and the tables of a house.

An engine reads the statements of the house as they are written, in SQLite's SQL.
"""

from collections.abc import Callable
from dataclasses import dataclass

from bot import __version__ as __version__
from bot.domain.characters import whole_characters as whole_characters
from bot.domain.database import Database as Database
from bot.domain.database import Read as Read
from bot.domain.database import Row as Row
from bot.domain.database import Unit as Unit
from bot.domain.database import Write as Write
from bot.domain.database import WriteResult as WriteResult
from bot.domain.database_server import TAKEN_FOR_DEAD as TAKEN_FOR_DEAD
from bot.domain.database_server import AppliedMigrations as AppliedMigrations
from bot.domain.database_server import Contents as Contents
from bot.domain.database_server import DatabaseServer as DatabaseServer
from bot.domain.database_server import JobWorker as JobWorker
from bot.domain.database_server import Moved as Moved
from bot.domain.database_server import ServerCondition as ServerCondition
from bot.domain.database_server import ServerLocks as ServerLocks
from bot.domain.database_server import SessionJobs as SessionJobs
from bot.domain.database_server import SharedDatabase as SharedDatabase
from bot.domain.database_server import Told as Told
from bot.domain.database_server import WorkerCallbacks as WorkerCallbacks
from bot.domain.database_server import WorkingProcess as WorkingProcess
from bot.domain.health import Check as Check
from bot.domain.processes import Locks as Locks
from bot.domain.processes import Notices as Notices
from bot.errors import ClaimLost as ClaimLost
from bot.errors import HomeInUse as HomeInUse
from bot.errors import SettingsError as SettingsError
from bot.errors import StorageError as StorageError
from bot.errors import UnitRejected as UnitRejected
from bot.log import redact as redact
from bot.log import register_secret as register_secret
from bot.storage.damage import unusable as unusable
from bot.storage.migrate import CARRY_FIRST as CARRY_FIRST
from bot.storage.migrate import Migration as Migration
from bot.storage.migrate import is_carriable as is_carriable
from bot.storage.migrate import missing_migrations as missing_migrations
from bot.storage.migrate import newer_than as newer_than
from bot.storage.migrate import schema as schema
from bot.storage.migrate import shipped_migrations as shipped_migrations
from bot.storage.migrate import split_statements as split_statements
from bot.storage.plugin_tables import PLUGIN_TEXTS as PLUGIN_TEXTS
from bot.storage.plugin_tables import plugin_statements as plugin_statements
from bot.storage.process_files import process_name as process_name
from bot.storage.queues import Outcome as Outcome
from bot.storage.queues import UnitQueue as UnitQueue
from bot.storage.values import HomeValue as HomeValue


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

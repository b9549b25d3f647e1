"""Single values by name: those of the home (home_values), and of a person (person_values).

A value of which there are many, or that is found by anything but its name, has a table of its own.
"""

from datetime import datetime
from enum import StrEnum

from bot.clock import format_utc
from bot.domain.database import Database, Write


class HomeValue(StrEnum):
    """What a home remembers one value of; the key tells of what."""

    COMMANDS = "commands"
    """What a platform was told of our commands (JSON); the key is the scope."""
    EXPORTED = "exported"
    """The last event of the log that a collector of traces got."""
    HEARD_UNTIL = "heard until"
    """Where the catch-up of a line that runs began."""
    HOME_ID = "home id"
    """The id that data/home.id holds, too."""
    MCP_TOOLS = "mcp tools"
    """What an MCP server listed last (JSON)."""
    MESSAGES_READ = "messages read"
    """The last message whose words were read for the index; those before it are in the index."""
    REFUSED_TOKEN = "refused token"  # noqa: S105 - a name
    """The hash of a workspace's token that its service no longer accepts."""


class PersonValue(StrEnum):
    """What is remembered once of a person."""

    ANSWERS = "answers"
    """They want the beginning of long answers, with the rest as a file or in the thread."""
    MESSAGES = "messages"
    """They want no message that another member has Bellhop send."""
    REMINDERS = "reminders"
    """Whether they take reminders that others set."""
    RECORDINGS = "recordings"
    """They were told how a transcriber for recordings can be set."""
    SHOWN = "shown"
    """The hash of what they saw last of a staged tool or skill; the key is its name."""


async def home_value(database: Database, name: HomeValue, key: str = "") -> str | None:
    """Raises StorageError."""
    sql = "SELECT value FROM home_values WHERE name = ? AND key = ?"
    row = await database.read_one(sql, (name, key))
    return str(row["value"]) if row else None


async def home_values(database: Database, name: HomeValue) -> dict[str, str]:
    """All values of a name, by key. Raises StorageError."""
    rows = await database.read("SELECT key, value FROM home_values WHERE name = ?", (name,))
    return {str(row["key"]): str(row["value"]) for row in rows}


def put_home_value(
    name: HomeValue, value: str, key: str = "", *, at: datetime | None = None, first: bool = False
) -> Write:
    """Store a value; with `first` only where there is none."""
    then = "NOTHING" if first else "UPDATE SET value = excluded.value, at = excluded.at"
    return Write(
        "INSERT INTO home_values (name, key, value, at) VALUES (?, ?, ?, ?)"  # noqa: S608 - constants
        f" ON CONFLICT (name, key) DO {then}",
        (name, key, value, format_utc(at) if at else ""),
    )


def drop_home_value(name: HomeValue, key: str) -> Write:
    return Write("DELETE FROM home_values WHERE name = ? AND key = ?", (name, key))


def drop_home_values(name: HomeValue) -> Write:
    return Write("DELETE FROM home_values WHERE name = ?", (name,))


async def person_value(
    database: Database, person: str, name: PersonValue, key: str = ""
) -> str | None:
    """Raises StorageError."""
    sql = "SELECT value FROM person_values WHERE person = ? AND name = ? AND key = ?"
    row = await database.read_one(sql, (person, name, key))
    return str(row["value"]) if row else None


def put_person_value(person: str, name: PersonValue, value: str, key: str = "") -> Write:
    return Write(
        "INSERT INTO person_values (person, name, key, value) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (person, name, key) DO UPDATE SET value = excluded.value",
        (person, name, key, value),
    )


def drop_person_value(person: str, name: PersonValue, *, rows: int | None = None) -> Write:
    """`rows`: how many there must be."""
    sql = "DELETE FROM person_values WHERE person = ? AND name = ? AND key = ''"
    return Write(sql, (person, name), rows=rows)

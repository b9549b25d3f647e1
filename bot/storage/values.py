"""Small values by name and key: those of the home (home_values), and of a person (person_values).

They are found by name and key, or all of a name are read. What is found by anything else, or has
people's words, has a table of its own.
"""

from datetime import datetime
from enum import StrEnum

from bot.clock import format_utc
from bot.domain.database import Database, Write


class HomeValue(StrEnum):
    """What a home remembers one value of; the key tells of what."""

    AUTOMATIONS = "automations"
    """Who opened a channel for automations; the key is the channel."""
    CLAIM_CODE = "claim code"
    """The operator who was shown a one-time code; the key is its hash, and it ends `at`."""
    COMMANDS = "commands"
    """What a platform was told of our commands (JSON); the key is the scope."""
    CONNECTING = "connecting"
    """Whose link to connect a service it is; the key is the hash of its state, it ends `at`."""
    DRAFT = "draft"
    """Where a message stands that shows a turn at work; the key is random."""
    EXPORTED = "exported"
    """The last event of the log that a collector of traces got."""
    HEARD_UNTIL = "heard until"
    """Where the catch-up of a line that runs began."""
    HOME_ID = "home id"
    """The id that data/home.id holds, too."""
    LIFE = "life"
    """What turns after this one carry in the keys of sends; the key is the number of the turn."""
    MEMORY_PASS = "memory pass"  # noqa: S105 - a name
    """What a pass over memory did (JSON); the key is its moment."""
    MESSAGES_READ = "messages read"
    """The last message whose words were read for the index; those before it are in the index."""
    RAISED_BUDGET = "raised budget"
    """Who raised a budget; the key is the day, the budget, whose it is, and the approval."""
    REFUSED_CONTENT = "refused content"
    """The key is a model and what it refused to read `at` that moment."""
    REFUSED_TOKEN = "refused token"  # noqa: S105 - a name
    """The hash of a workspace's token that its service no longer accepts."""
    WRONG_CODE = "wrong code"
    """Who tried a wrong one-time code `at` that moment, as their platform knows them."""


class PersonValue(StrEnum):
    """What is remembered once of a person."""

    ANSWERS = "answers"
    """They want the beginning of long answers, with the rest as a file or in the thread."""
    LEARNING = "learning"
    """`off`: nothing may be learned; otherwise when that was over. The key is a channel, or all."""
    LOOKED_AT = "looked at"
    """How far a connected account was looked at; the key is the account and the event.

    For mail it is the time of that and the service's cursor, with a space between them."""
    MESSAGES = "messages"
    """They want no message that another member has Bellhop send."""
    REMINDERS = "reminders"
    """Whether they take reminders that others set."""
    RECORDINGS = "recordings"
    """They were told how a transcriber for recordings can be set."""
    SHOWN = "shown"
    """The hash of what they saw last of a staged tool or skill; the key is its name."""
    SHARED = "shared"
    """When and in which workspace they shared an entry of shared memory; the key is its tag."""


async def home_value(database: Database, name: HomeValue, key: str = "") -> str | None:
    """Raises StorageError."""
    sql = "SELECT value FROM home_values WHERE name = ? AND key = ?"
    row = await database.read_one(sql, (name, key))
    return str(row["value"]) if row else None


async def home_values(
    database: Database, name: HomeValue, *, after: datetime | None = None
) -> dict[str, str]:
    """The values of a name, by key: all, or those whose `at` is later. Raises StorageError."""
    sql = "SELECT key, value FROM home_values WHERE name = ? AND at > ? ORDER BY key"
    rows = await database.read(
        sql if after else sql.replace("> ?", ">= ?"), (name, format_utc(after) if after else "")
    )
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


def drop_home_value(name: HomeValue, key: str, *, rows: int | None = None) -> Write:
    """`rows`: how many there must be."""
    return Write("DELETE FROM home_values WHERE name = ? AND key = ?", (name, key), rows=rows)


def drop_home_values(name: HomeValue) -> Write:
    return Write("DELETE FROM home_values WHERE name = ?", (name,))


def drop_old_values(name: HomeValue, until: datetime) -> Write:
    """Those whose `at` is not later."""
    return Write("DELETE FROM home_values WHERE name = ? AND at <= ?", (name, format_utc(until)))


def drop_but_newest(name: HomeValue, kept: int) -> Write:
    """All but so many with the highest keys."""
    newest = "SELECT key FROM home_values WHERE name = ?1 ORDER BY key DESC LIMIT ?2"
    sql = f"DELETE FROM home_values WHERE name = ?1 AND key NOT IN ({newest})"  # noqa: S608 - constants
    return Write(sql, (name, kept))


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


def drop_person_value(person: str, name: PersonValue, key: str = "") -> Write:
    sql = "DELETE FROM person_values WHERE person = ? AND name = ? AND key = ?"
    return Write(sql, (person, name, key))


def drop_person_values(name: PersonValue) -> Write:
    """Those of all people."""
    return Write("DELETE FROM person_values WHERE name = ?", (name,))

"""Lives of the program on a database: the SQL of the identities in the keys of sends."""

import secrets

from bot.domain.database import Database, Unit, Write

_IDENTITY_BYTES = 6


async def begin_life(database: Database) -> None:
    """Begin a new life for all work accepted from now on. Raises StorageError.

    A lost or restored database reuses numbers that an earlier one gave to other messages. Platforms
    remember keys for a while, so a number alone is not a safe key.
    """
    await database.write(
        Unit.of(
            Write(
                "INSERT INTO lives (after_turn, identity) VALUES"
                " (coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'inbox'), 0), ?)"
                " ON CONFLICT (after_turn) DO UPDATE SET identity = excluded.identity",
                (secrets.token_hex(_IDENTITY_BYTES),),
            )
        )
    )


async def lives(database: Database) -> list[tuple[int, str]]:
    """The last turn before each life, and the life's identity, in order."""
    rows = await database.read("SELECT after_turn, identity FROM lives ORDER BY after_turn")
    return [(row["after_turn"], row["identity"]) for row in rows]

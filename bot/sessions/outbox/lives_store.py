"""Lives of the program on a database: the SQL of the identities in the keys of sends."""

import secrets
from bisect import bisect_left

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


class Lives:
    """Tells in which life a turn was accepted.

    A life is in the database before any turn that is accepted in it.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._after: list[int] | None = None
        self._identities: list[str] = []

    async def forget(self) -> None:
        """Read them again next time: another process has begun a life."""
        self._after = None

    async def identity(self, turn: int) -> str:
        """The identity of the life that accepted a turn; empty for turns from older versions."""
        if self._after is None:
            rows = await self._database.read(
                "SELECT after_turn, identity FROM lives ORDER BY after_turn"
            )
            self._after, self._identities = (
                [row["after_turn"] for row in rows],
                [row["identity"] for row in rows],
            )
        position = bisect_left(self._after, turn)
        return self._identities[position - 1] if position else ""

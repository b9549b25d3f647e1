"""Cursors: how far each connected mailbox and calendar was read."""

from bot.domain.automations import EventKind
from bot.domain.database import Database, Unit, Write


class AccountCursors:
    """Reads cursors; moving one is a unit, committed with the events that were found."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, person: str, account: str, kind: EventKind) -> str:
        """The cursor of an account; empty before the first read."""
        row = await self._database.read_one(
            "SELECT cursor FROM account_cursors WHERE person = ? AND account = ? AND kind = ?",
            (person, account, kind),
        )
        return str(row["cursor"]) if row else ""

    async def all(self) -> set[tuple[str, str, EventKind]]:
        """Person, account and kind of every cursor."""
        rows = await self._database.read("SELECT person, account, kind FROM account_cursors")
        return {(str(row["person"]), str(row["account"]), EventKind(row["kind"])) for row in rows}


def move_cursor(person: str, account: str, kind: EventKind, cursor: str) -> Unit:
    return Unit.of(
        Write(
            "INSERT INTO account_cursors (person, account, kind, cursor) VALUES (?, ?, ?, ?)"
            " ON CONFLICT (person, account, kind) DO UPDATE SET cursor = excluded.cursor",
            (person, account, kind, cursor),
        )
    )


def forget_cursor(person: str, account: str, kind: EventKind) -> Unit:
    return Unit.of(
        Write(
            "DELETE FROM account_cursors WHERE person = ? AND account = ? AND kind = ?",
            (person, account, kind),
        )
    )

"""The table seen_files: which version of a file each session saw last."""

import json
from collections.abc import Sequence

from bot.domain.database import Database, Unit, Write


class SeenFiles:
    """The versions of files that sessions saw.

    A session that replaces a file must have seen its current text, or none.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def version(self, session: str, path: str) -> str | None:
        """The version that a session saw last; None when it saw none."""
        return (await self.versions(session, [path])).get(path)

    async def versions(self, session: str, paths: Sequence[str]) -> dict[str, str]:
        """The versions that a session saw last, by path."""
        rows = await self._database.read(
            "SELECT path, version FROM seen_files WHERE session = ?"
            " AND path IN (SELECT value FROM json_each(?))",
            (session, json.dumps(paths)),
        )
        return {str(row["path"]): str(row["version"]) for row in rows}


def saw(session: str, path: str, version: str) -> Unit:
    sql = (
        "INSERT INTO seen_files (session, path, version) VALUES (?, ?, ?)"
        " ON CONFLICT (session, path) DO UPDATE SET version = excluded.version"
    )
    return Unit.of(Write(sql, (session, path, version)))


def forget(session: str, path: str) -> Unit:
    """Forget the version that a session saw of a file."""
    return Unit.of(Write("DELETE FROM seen_files WHERE session = ? AND path = ?", (session, path)))


def forget_session(session: str) -> Write:
    return Write("DELETE FROM seen_files WHERE session = ?", (session,))

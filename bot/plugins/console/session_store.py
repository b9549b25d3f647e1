"""SQL of the tables `console_links` and `console_sessions`."""

from dataclasses import dataclass
from datetime import UTC, datetime

from bot.plugin.tables import Database, Unit, Write, insert_into, made_of, purge_of, row_of

MOST_SESSIONS = 10
"""Browsers of one person that are signed in at once; the earliest are signed out."""


@dataclass(frozen=True)
class KeptLogin:
    """A link or a signed-in browser, by the hash of its secret."""

    hash: str
    person: str
    name: str
    role: str
    found_by: str
    expires_at: datetime


def add_link(link: KeptLogin, now: datetime) -> Unit:
    """A new link takes the place of the person's earlier one; what is over goes."""
    return Unit.of(
        Write(
            "DELETE FROM console_links WHERE person = ? OR expires_at <= ?",
            (link.person, _text(now)),
        ),
        Write("DELETE FROM console_sessions WHERE expires_at <= ?", (_text(now),)),
        _insert("console_links", link),
    )


def begin_session(link: KeptLogin, session: KeptLogin, replaced: str) -> Unit:
    """Use up a link for a session; rejected if the link was used meanwhile.

    `replaced`: the hash of the session that the browser had before; it ends.
    """
    return Unit.of(
        Write("DELETE FROM console_links WHERE hash = ?", (link.hash,), rows=1),
        Write("DELETE FROM console_sessions WHERE hash = ?", (replaced,)),
        Write(
            "DELETE FROM console_sessions WHERE hash IN (SELECT hash FROM console_sessions"
            " WHERE person = ? ORDER BY expires_at DESC LIMIT 1000 OFFSET ?)",
            (session.person, MOST_SESSIONS - 1),
        ),
        _insert("console_sessions", session),
    )


def end_session(hash_: str) -> Unit:
    return Unit.of(Write("DELETE FROM console_sessions WHERE hash = ?", (hash_,)))


purge_links = purge_of("console_links", "hash", "expires_at")
purge_sessions = purge_of("console_sessions", "hash", "expires_at")


async def find_link(database: Database, hash_: str, now: datetime) -> KeptLogin | None:
    return await _find(database, "console_links", hash_, now)


async def find_session(database: Database, hash_: str, now: datetime) -> KeptLogin | None:
    return await _find(database, "console_sessions", hash_, now)


async def _find(database: Database, table: str, hash_: str, now: datetime) -> KeptLogin | None:
    row = await database.read_one(
        f"SELECT * FROM {table} WHERE hash = ? AND expires_at > ?",  # noqa: S608 - ours
        (hash_, _text(now)),
    )
    if row is None:
        return None
    return made_of(KeptLogin, row, expires_at=datetime.fromisoformat(row["expires_at"]))


def _insert(table: str, one: KeptLogin) -> Write:
    return insert_into(table, row_of(one, expires_at=_text(one.expires_at)), rows=1)


def _text(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="microseconds")

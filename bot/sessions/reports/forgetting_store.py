"""The table forgettings: what people want forgotten everywhere."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from bot.clock import format_utc
from bot.domain.database import Database, Row, Write
from bot.storage.values import HomeValue, home_value


class ForgettingState(StrEnum):
    """How far a wish has come."""

    ASKED = "asked"
    """The person saw the counts, and has not said yes."""
    RUNNING = "running"
    REWRITING = "rewriting"
    """No row holds the words any more; the files are left to rewrite."""


@dataclass(frozen=True)
class ForgettingWish:
    """A stored wish; without words once only the files are left."""

    ref: str
    person: str
    words: str
    state: ForgettingState


def ask_write(wish: ForgettingWish, now: datetime) -> Write:
    return Write(
        "INSERT INTO forgettings (ref, person, words, state, at) VALUES (?, ?, ?, ?, ?)",
        (wish.ref, wish.person, wish.words, wish.state.value, format_utc(now)),
    )


def unasked_write(person: str) -> Write:
    """A new question replaces the one before."""
    return Write("DELETE FROM forgettings WHERE person = ? AND state = 'asked'", (person,))


def begin_write(ref: str, person: str, since: datetime) -> Write:
    """The yes; returns no row for a wish of somebody else, or one that was asked before `since`."""
    return Write(
        "UPDATE forgettings SET state = CASE state WHEN 'asked' THEN 'running' ELSE state END"
        " WHERE ref = ? AND person = ? AND (state <> 'asked' OR at >= ?) RETURNING ref",
        (ref, person, format_utc(since)),
    )


def rewriting_write(ref: str) -> Write:
    return Write("UPDATE forgettings SET state = 'rewriting', words = '' WHERE ref = ?", (ref,))


def done_write(ref: str) -> Write:
    return Write("DELETE FROM forgettings WHERE ref = ?", (ref,))


def expired_write(before: datetime) -> Write:
    """Questions that nobody answered."""
    return Write("DELETE FROM forgettings WHERE state = 'asked' AND at < ?", (format_utc(before),))


async def wish_of(database: Database, ref: str) -> ForgettingWish | None:
    row = await database.read_one("SELECT * FROM forgettings WHERE ref = ?", (ref,))
    return _wish(row) if row else None


async def wishes_at_work(database: Database) -> list[ForgettingWish]:
    """Those with a yes, the oldest first."""
    rows = await database.read("SELECT * FROM forgettings WHERE state <> 'asked' ORDER BY at, ref")
    return [_wish(row) for row in rows]


async def summaries_by(database: Database, person: str) -> frozenset[str]:
    """Ids of all summaries of a person's conversations, forgotten ones too."""
    rows = await database.read("SELECT id FROM summaries WHERE person = ?", (person,))
    return frozenset(row["id"] for row in rows)


async def traces_are_sent(database: Database) -> bool:
    """Whether cycles were ever sent to a collector of traces."""
    return await home_value(database, HomeValue.EXPORTED) is not None


def _wish(row: Row) -> ForgettingWish:
    return ForgettingWish(row["ref"], row["person"], row["words"], ForgettingState(row["state"]))

"""SQL of the table `cards`: messages with choices whose question may still be open.

The question may be a reminder's: its todo then says how it ended.
"""

from dataclasses import dataclass
from datetime import datetime

from bot.clock import format_utc, parse_utc
from bot.connectors.due_dates import due_in_words
from bot.connectors.todos.store import TodoRows, TodoStatus
from bot.domain.database import Database, Row, Write, made_of
from bot.domain.languages import Language, Phrase
from bot.domain.messages import Asks, OutgoingMessage, PostedCard, Receipt
from bot.sessions.records.envelope import (
    outgoing_from_json,
    outgoing_to_json,
    receipt_from_text,
    receipt_to_text,
)
from bot.sessions.records.member_reminder_store import MemberReminderRows, ReminderState
from bot.sessions.wording import phrases

_POSTED = "SELECT * FROM cards WHERE receipt IS NOT NULL"


@dataclass(frozen=True)
class KeptCard:
    """A card's row; `line` is its closing line, if closing failed before."""

    posted: PostedCard
    asks: Asks
    line: str
    attempts: int


def card_write(key: str, asks: Asks, message: OutgoingMessage, receipt: Receipt | None) -> Write:
    """A card was posted, or is in the outbox (no receipt yet)."""
    return Write(
        "INSERT INTO cards (key, ref, step, message, receipt, shown, reader)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (key) DO UPDATE SET receipt = excluded.receipt",
        (
            key,
            asks.ref,
            asks.step,
            outgoing_to_json(message),
            receipt_to_text(receipt) if receipt else None,
            asks.shown,
            asks.reader,
        ),
    )


def receipt_write(key: str, receipt: Receipt) -> Write:
    """A card from the outbox was posted; changes nothing for other messages."""
    return Write("UPDATE cards SET receipt = ? WHERE key = ?", (receipt_to_text(receipt), key))


def remove_write(key: str) -> Write:
    """Nothing is left to do: the card was closed, abandoned or never posted."""
    return Write("DELETE FROM cards WHERE key = ?", (key,))


def postpone_write(card: KeptCard, line: str, next_try: datetime) -> Write:
    return Write(
        "UPDATE cards SET line = ?, attempts = ?, next_try_at = ? WHERE key = ?",
        (line, card.attempts + 1, format_utc(next_try), card.posted.key),
    )


async def open_refs(database: Database) -> set[str]:
    """The subject of every card, posted or not."""
    return {row["ref"] for row in await database.read("SELECT DISTINCT ref FROM cards")}


async def ref_of(database: Database, key: str) -> str | None:
    """The subject of this send's card; None when it is no card."""
    row = await database.read_one("SELECT ref FROM cards WHERE key = ?", (key,))
    return row["ref"] if row else None


async def cards_of(database: Database, ref: str) -> list[KeptCard]:
    """The posted cards of an approval or turn without a tried edit."""
    rows = await database.read(f"{_POSTED} AND ref = ? AND next_try_at IS NULL", (ref,))
    return [_card(row) for row in rows]


async def posted_cards(database: Database) -> list[KeptCard]:
    """All cards that people see and can decide."""
    return [_card(row) for row in await database.read(f"{_POSTED} AND next_try_at IS NULL")]


async def readers_of(database: Database, ref: str, shown: str) -> set[str]:
    """For whom alone a posted card shows exactly this; "" stands for everybody in its place."""
    rows = await database.read(
        "SELECT DISTINCT reader FROM cards WHERE receipt IS NOT NULL AND ref = ? AND shown = ?",
        (ref, shown),
    )
    return {row["reader"] for row in rows}


async def places_of(database: Database, ref: str) -> set[str]:
    """Keys of the conversations that contain cards of an approval."""
    rows = await database.read(f"{_POSTED} AND ref = ?", (ref,))
    return {_card(row).posted.message.target.conversation.key for row in rows}


async def cards_due(database: Database, now: datetime) -> list[KeptCard]:
    """Cards whose edit is due for another try."""
    rows = await database.read(
        f"{_POSTED} AND next_try_at <= ? ORDER BY next_try_at LIMIT 100", (format_utc(now),)
    )
    return [_card(row) for row in rows]


async def next_try(database: Database) -> datetime | None:
    row = await database.read_one(
        "SELECT min(next_try_at) AS at FROM cards WHERE next_try_at IS NOT NULL"
    )
    return parse_utc(row["at"]) if row and row["at"] else None


def _card(row: Row) -> KeptCard:
    posted = PostedCard(
        row["key"], outgoing_from_json(row["message"]), receipt_from_text(row["receipt"])
    )
    asks = made_of(Asks, row)
    return KeptCard(posted, asks, row["line"], row["attempts"])


_TODO = "todo:"
"""The prefix of the subject of a card about a todo."""
ASKING = "may I"
"""Stands in place of a due date: the card asks whether somebody else may send reminders."""


def asks_about(todo: str, due_date: str) -> Asks:
    """The subject of a reminder's card: this todo with this due date."""
    return Asks(f"{_TODO}{todo}", due_date)


def is_reminder(ref: str) -> bool:
    return ref.startswith(_TODO)


async def reminder_end(
    database: Database, asks: Asks, language: Language = Language.EN
) -> str | None:
    """How a reminder ended, for its card; None while its todo is still due."""
    if asks.step == ASKING:
        return await _asking_end(database, asks.ref.removeprefix(_TODO), language)
    todo = await TodoRows(database).get(asks.ref.removeprefix(_TODO))
    if todo is None:
        return phrases.CLOSED.said(language)
    if todo.status is TodoStatus.DONE:
        return phrases.DONE.said(language)
    if todo.due_date == asks.step and todo.active:
        return None
    if not (todo.active and todo.due_date):
        return phrases.CLOSED.said(language)
    when = due_in_words(todo.due_date, todo.zone, language)
    return Phrase("Next: {when}").said(language, when=when)


async def _asking_end(database: Database, todo: str, language: Language) -> str | None:
    reminder = await MemberReminderRows(database).of_todo(todo)
    match reminder.state if reminder else ReminderState.REFUSED:
        case ReminderState.ASKING:
            return None
        case ReminderState.SET | ReminderState.DELIVERED:
            return Phrase("Allowed").said(language)
        case ReminderState.STOPPED:
            return phrases.STOPPED.said(language)
        case ReminderState.REFUSED | ReminderState.UNDELIVERED:
            return phrases.CLOSED.said(language)

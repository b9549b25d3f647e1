"""SQL of who people are: ids that were used and their accounts, take-overs, and who has written.

An id of contacts.yaml stands for accounts. A take-over has somebody who asked for it, those whose
yes it needs, and an end. Authors and their conversations come from the messages.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from bot.clock import format_utc, parse_utc
from bot.domain.database import Database, Row, Unit, Write, made_of
from bot.domain.origins import Trust

AccountKey: TypeAlias = tuple[str, str]
"""A platform, and an id as contacts.yaml writes it."""


@dataclass(frozen=True)
class KnownIds:
    """The rows: ids with whether they were there, and the accounts of each."""

    present: Mapping[str, bool]
    accounts: Mapping[str, Mapping[AccountKey, bool]]


async def read_known(database: Database) -> KnownIds:
    ids = await database.read("SELECT key, present FROM contact_ids")
    rows = await database.read("SELECT key, platform, account, takes FROM contact_accounts")
    accounts: dict[str, dict[AccountKey, bool]] = {}
    for row in rows:
        known = accounts.setdefault(row["key"], {})
        known[row["platform"], row["account"]] = bool(row["takes"])
    return KnownIds({row["key"]: bool(row["present"]) for row in ids}, accounts)


async def own_accounts(database: Database) -> frozenset[tuple[str, AccountKey]]:
    """Contacts by key, with the accounts whose earlier things are theirs."""
    rows = await database.read(
        "SELECT key, platform, account FROM contact_accounts WHERE takes = 1"
    )
    return frozenset((row["key"], (row["platform"], row["account"])) for row in rows)


async def accounts_stood_for(database: Database, key: str) -> tuple[AccountKey, ...]:
    """The accounts that an id stood for, or stands for."""
    rows = await database.read(
        "SELECT platform, account FROM contact_accounts WHERE key = ? ORDER BY 1, 2", (key,)
    )
    return tuple((row["platform"], row["account"]) for row in rows)


async def id_as_written(database: Database, key: str) -> str | None:
    row = await database.read_one("SELECT id FROM contact_ids WHERE key = ? AND key <> ''", (key,))
    return None if row is None else str(row["id"])


async def gone_ids(database: Database, account: AccountKey) -> tuple[str, ...]:
    """Ids that this account had and that contacts.yaml does not name now."""
    rows = await database.read(
        "SELECT i.id FROM contact_accounts AS a JOIN contact_ids AS i ON i.key = a.key"
        " WHERE a.platform = ? AND a.account = ? AND i.present = 0 ORDER BY i.id",
        account,
    )
    return tuple(str(row["id"]) for row in rows)


def id_write(key: str, id_: str, now: datetime, *, present: bool) -> Write:
    return Write(
        "INSERT INTO contact_ids (key, id, present, at) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (key) DO UPDATE SET present = excluded.present",
        (key, id_, int(present), format_utc(now)),
    )


def gone_write(key: str) -> Write:
    """The file names this id no more."""
    return Write("UPDATE contact_ids SET present = 0 WHERE key = ?", (key,))


def account_write(key: str, account: AccountKey, *, takes: bool) -> Write:
    """An account of an id; `takes`: what it made before is the contact's."""
    return Write(
        "INSERT INTO contact_accounts (key, platform, account, takes) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (key, platform, account) DO UPDATE SET takes = excluded.takes",
        (key, *account, int(takes)),
    )


ASKED, AGREED, REFUSED = "asked", "agreed", "refused"


@dataclass(frozen=True)
class TakeOver:
    """One act: what is kept under `earlier` is to become the contact's."""

    ref: str
    earlier: str
    """A person id."""
    contact: str
    platform: str
    """The contact's account that it is about; empty for a former id."""
    account: str
    asked: tuple[tuple[str, str], ...]
    """The accounts of the former owner: platform, and id as in contacts.yaml."""
    state: str
    by: str
    at: datetime


async def taken_ids(database: Database) -> list[tuple[str, str]]:
    """Former ids, and the contacts that have taken over what is kept under them."""
    rows = await database.read(
        "SELECT earlier, contact FROM takeovers"
        " WHERE state = ? AND platform = '' AND earlier <> contact ORDER BY at",
        (AGREED,),
    )
    return [(row["earlier"], row["contact"]) for row in rows]


async def take_over(database: Database, ref: str) -> TakeOver | None:
    row = await database.read_one("SELECT * FROM takeovers WHERE ref = ?", (ref.casefold(),))
    return None if row is None else _take_over(row)


async def newest_take_over(database: Database, earlier: str, contact: str) -> TakeOver | None:
    row = await database.read_one(
        "SELECT * FROM takeovers WHERE earlier = ? AND contact = ? ORDER BY at DESC, ref LIMIT 1",
        (earlier, contact),
    )
    return None if row is None else _take_over(row)


def store_unit(act: TakeOver) -> Unit:
    """Store a new act; a repetition changes nothing."""
    return Unit.of(
        Write(
            "INSERT INTO takeovers (ref, earlier, contact, platform, account, accounts, state, by,"
            " at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (ref) DO NOTHING",
            (
                act.ref,
                act.earlier,
                act.contact,
                act.platform,
                act.account,
                json.dumps(act.asked),
                act.state,
                act.by,
                format_utc(act.at),
            ),
        )
    )


def settle_unit(ref: str, state: str) -> Unit:
    """Settle an open act; rejected if it is settled."""
    return Unit.of(
        Write("UPDATE takeovers SET state = ? WHERE ref = ? AND state = ?", (state, ref, ASKED), 1)
    )


def _take_over(row: Row) -> TakeOver:
    accounts: Sequence[Sequence[str]] = json.loads(row["accounts"])
    return made_of(
        TakeOver,
        row,
        asked=tuple((platform, one) for platform, one in accounts),
        at=parse_utc(row["at"]),
    )


_AUTHORS = (
    "SELECT author, author_name, trust, id FROM messages WHERE id IN"
    " (SELECT max(id) FROM messages WHERE id > ? AND author NOT LIKE 'agent:%' GROUP BY author)"
    " ORDER BY id"
)
_PUBLIC = (
    "EXISTS (SELECT 1 FROM conversations AS place JOIN channels"
    " ON channels.key = place.platform || ':' || place.workspace || ':'"
    " || CASE place.channel WHEN '' THEN place.id ELSE place.channel END"
    " WHERE place.key = messages.conversation"
    " AND channels.visibility = 'public' AND channels.was_private = 0"
    # A thread has a row of its own if it is closed.
    " AND NOT EXISTS"
    " (SELECT 1 FROM channels AS own WHERE place.channel <> '' AND own.key = place.key))"
)
_LAST = (
    "SELECT max(at) AS at FROM messages WHERE author IN (SELECT value FROM json_each(?))"  # noqa: S608 - constants
    f" AND deleted_at IS NULL AND {_PUBLIC}"
)
_TOGETHER = (
    "SELECT messages.at, (SELECT title FROM conversations "  # noqa: S608
    "WHERE key = messages.conversation) AS title FROM messages"
    " WHERE author IN (SELECT value FROM json_each(?1)) AND deleted_at IS NULL"
    " AND EXISTS (SELECT 1 FROM messages AS own WHERE own.author = ?2"
    " AND own.conversation = messages.conversation AND own.deleted_at IS NULL)"
    f" AND {_PUBLIC} ORDER BY messages.at DESC LIMIT 1"
)


@dataclass(frozen=True)
class Author:
    """Somebody who wrote, with the name from their last message."""

    person: str
    name: str
    last: int
    """Number of their last message."""
    trust: Trust
    """Of that message: it tells whether they were a member."""


async def authors_since(database: Database, message: int) -> list[Author]:
    """Authors after the message with this number."""
    rows = await database.read(_AUTHORS, (message,))
    return [
        Author(
            str(row["author"]),
            str(row["author_name"]),
            int(row["id"]),
            Trust[str(row["trust"]).upper()],
        )
        for row in rows
    ]


async def last_public(database: Database, persons: Sequence[str]) -> datetime | None:
    """When one of these persons last wrote in a place that all members can read."""
    row = await database.read_one(_LAST, (json.dumps(list(persons)),))
    return parse_utc(row["at"]) if row and row["at"] else None


async def last_together(
    database: Database, asker: str, persons: Sequence[str]
) -> tuple[datetime, str] | None:
    """The same, for places where the asker wrote as well; with the title of that place."""
    row = await database.read_one(_TOGETHER, (json.dumps(list(persons)), asker))
    return (parse_utc(row["at"]), str(row["title"] or "")) if row else None

"""The SQL of take-overs: who asked for one, whose yes it needs, and what became of it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.clock import format_utc, parse_utc
from bot.domain.database import Database, Row, Unit, Write

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
    return TakeOver(
        row["ref"],
        row["earlier"],
        row["contact"],
        row["platform"],
        row["account"],
        tuple((platform, one) for platform, one in accounts),
        row["state"],
        row["by"],
        parse_utc(row["at"]),
    )

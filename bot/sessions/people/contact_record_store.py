"""The SQL of the record of contacts: ids that were used, and the accounts that they stood for."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from bot.clock import format_utc
from bot.domain.database import Database, Write

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

"""SQL of the commands: one-time codes, wrong tries, what platforms were told, what was shown.

Codes are those of owners.
"""

import json
import secrets
from dataclasses import dataclass
from datetime import datetime

from bot.clock import format_utc
from bot.domain.database import Database, Unit
from bot.domain.json_types import JsonObject
from bot.storage.values import (
    HomeValue,
    PersonValue,
    drop_but_newest,
    drop_home_value,
    drop_old_values,
    home_value,
    home_values,
    person_value,
    put_home_value,
    put_person_value,
)

MOST_TRIES = 1_000
"""Wrong codes that are counted at a time."""


@dataclass(frozen=True)
class ClaimCode:
    """A code that may still be used, found by its hash."""

    hash: str
    operator: str


async def find_code(database: Database, hash_: str, now: datetime) -> ClaimCode | None:
    """The code with this hash. Each is compared, in a time that tells nothing of its hash."""
    codes = await home_values(database, HomeValue.CLAIM_CODE, after=now)
    found = [ClaimCode(*one) for one in codes.items() if secrets.compare_digest(one[0], hash_)]
    return found[0] if found else None


def add_code(code: ClaimCode, expires_at: datetime, now: datetime) -> Unit:
    """Store a new code and delete expired ones."""
    return Unit.of(
        drop_old_values(HomeValue.CLAIM_CODE, now),
        put_home_value(HomeValue.CLAIM_CODE, code.operator, code.hash, at=expires_at),
    )


def drop_code(hash_: str) -> Unit:
    return Unit.of(drop_home_value(HomeValue.CLAIM_CODE, hash_))


async def wrong_tries(database: Database, sender: str, since: datetime) -> int:
    """The number of wrong codes by this sender since a moment."""
    tried = await home_values(database, HomeValue.WRONG_CODE, after=since)
    return list(tried.values()).count(sender)


def add_try(sender: str, now: datetime, forget: datetime) -> Unit:
    """Count a wrong code; those before `forget`, and all but the newest `MOST_TRIES`, are deleted.

    Somebody with so many accounts is counted less, which the length of a code allows for.
    """
    key = f"{format_utc(now)} {secrets.token_hex(4)}"
    return Unit.of(
        put_home_value(HomeValue.WRONG_CODE, sender, key, at=now),
        drop_old_values(HomeValue.WRONG_CODE, forget),
        drop_but_newest(HomeValue.WRONG_CODE, MOST_TRIES),
    )


async def registered(database: Database, scope: str) -> JsonObject | None:
    """The stored state of this scope; None without one. Raises StorageError."""
    record = await home_value(database, HomeValue.COMMANDS, scope)
    return json.loads(record) if record else None


async def keep(database: Database, scope: str, record: JsonObject) -> None:
    """Raises StorageError."""
    text = json.dumps(record, sort_keys=True)
    await database.write(Unit.of(put_home_value(HomeValue.COMMANDS, text, scope)))


async def record_shown(database: Database, person: str, name: str, content: str) -> None:
    """Record that this person saw all of a name's staged content in its current version."""
    await database.write(Unit.of(put_person_value(person, PersonValue.SHOWN, content, name)))


async def shown_content(database: Database, person: str, name: str) -> str | None:
    """The hash of the content that this person saw last; None if they saw nothing."""
    return await person_value(database, person, PersonValue.SHOWN, name)

"""The SQL of owners' one-time codes and of wrong tries."""

from datetime import datetime

from bot.clock import format_utc
from bot.domain.database import Database, Unit, Write
from bot.lazy_dataclass import dataclass


@dataclass(frozen=True)
class ClaimCode:
    """A code that may still be used, found by its hash."""

    hash: str
    operator: str


async def find_code(database: Database, hash_: str, now: datetime) -> ClaimCode | None:
    row = await database.read_one(
        "SELECT hash, operator FROM claim_codes WHERE hash = ? AND expires_at > ?",
        (hash_, format_utc(now)),
    )
    return ClaimCode(row["hash"], row["operator"]) if row else None


def add_code(code: ClaimCode, expires_at: datetime, now: datetime) -> Unit:
    """Store a new code and delete expired ones."""
    return Unit.of(
        Write("DELETE FROM claim_codes WHERE expires_at <= ?", (format_utc(now),)),
        Write(
            "INSERT INTO claim_codes (hash, operator, expires_at) VALUES (?, ?, ?)",
            (code.hash, code.operator, format_utc(expires_at)),
        ),
    )


def drop_code(hash_: str) -> Unit:
    return Unit.of(Write("DELETE FROM claim_codes WHERE hash = ?", (hash_,)))


async def wrong_tries(database: Database, sender: str, since: datetime) -> tuple[int, int]:
    """The number of wrong codes by this sender, and by everybody, since a moment."""
    row = await database.read_one(
        (
            "SELECT count(*) FILTER (WHERE sender = ?) AS own, count(*) AS everybodys FROM "
            "claim_tries WHERE at > ?"
        ),
        (sender, format_utc(since)),
    )
    return (int(row["own"]), int(row["everybodys"])) if row else (0, 0)


def add_try(sender: str, now: datetime, forget: datetime) -> Unit:
    """Count a wrong code; those before `forget` are deleted."""
    return Unit.of(
        Write("DELETE FROM claim_tries WHERE at <= ?", (format_utc(forget),)),
        Write("INSERT INTO claim_tries (sender, at) VALUES (?, ?)", (sender, format_utc(now))),
    )

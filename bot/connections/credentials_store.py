"""SQL of the table `credentials`: sealed tokens by person and service."""

from collections.abc import Mapping
from datetime import datetime

from bot.clock import format_utc
from bot.domain.database import Database, Unit, Write
from bot.storage.values import HomeValue, home_values, put_home_value


async def read_sealed(database: Database) -> dict[tuple[str, str], str]:
    """Every sealed token, by person and service."""
    rows = await database.read(
        "SELECT person, service, sealed FROM credentials ORDER BY person, service"
    )
    return {(row["person"], row["service"]): row["sealed"] for row in rows}


async def read_lapsed(database: Database) -> set[tuple[str, str]]:
    """Persons and services with a token that the service no longer accepts."""
    rows = await database.read(
        "SELECT person, service FROM credentials WHERE lapsed_at IS NOT NULL"
    )
    return {(row["person"], row["service"]) for row in rows}


def lapse(person: str, service: str, now: datetime) -> Unit:
    return Unit.of(
        Write(
            "UPDATE credentials SET lapsed_at = ? WHERE person = ? AND service = ?",
            (format_utc(now), person, service),
        )
    )


async def read_refused(database: Database) -> dict[str, str]:
    """By service, the hash of the workspace's token that it no longer accepts."""
    return await home_values(database, HomeValue.REFUSED_TOKEN)


def refuse(service: str, token_hash: str, now: datetime) -> Unit:
    return Unit.of(put_home_value(HomeValue.REFUSED_TOKEN, token_hash, service, at=now))


def put_sealed(person: str, service: str, sealed: str, now: datetime) -> Unit:
    return Unit.of(
        Write(
            "INSERT INTO credentials (person, service, sealed, stored_at) VALUES (?, ?, ?, ?) ON "
            "CONFLICT (person, service) DO UPDATE SET sealed = excluded.sealed, stored_at = "
            "excluded.stored_at, lapsed_at = NULL",
            (person, service, sealed, format_utc(now)),
        )
    )


def drop_sealed(person: str, service: str) -> Unit:
    return Unit.of(
        Write("DELETE FROM credentials WHERE person = ? AND service = ?", (person, service))
    )


def move_sealed(earlier: str, person: str, service: str, sealed: str) -> Unit:
    """Give a token to another person id, unless that has a newer one."""
    return Unit.of(
        Write(
            "INSERT INTO credentials (person, service, sealed, stored_at, lapsed_at) SELECT ?, "
            "service, ?, stored_at, lapsed_at FROM credentials WHERE person = ? AND service = ? ON "
            "CONFLICT (person, service) DO UPDATE SET sealed = excluded.sealed, stored_at = "
            "excluded.stored_at, lapsed_at = excluded.lapsed_at WHERE excluded.stored_at > "
            "credentials.stored_at",
            (person, sealed, earlier, service),
        ),
        Write("DELETE FROM credentials WHERE person = ? AND service = ?", (earlier, service)),
    )


def replace_sealed(sealed: Mapping[tuple[str, str], tuple[str, str]]) -> Unit:
    """Replace seals, (old, new) by person and service; rejected if one changed meanwhile."""
    return Unit(
        tuple(
            Write(
                "UPDATE credentials SET sealed = ? WHERE person = ? AND service = ? AND sealed = ?",
                (new, person, service, old),
                rows=1,
            )
            for (person, service), (old, new) in sealed.items()
        )
    )

"""SQL of the tables `credentials`, sealed tokens by person and service, and `connection_waits`.

Links to connect services are values of the home.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from bot.clock import format_utc
from bot.domain.database import Database, Unit, Write, made_of
from bot.domain.json_types import JsonObject
from bot.domain.sessions import joined_parts, parts_of
from bot.storage.values import (
    HomeValue,
    drop_home_value,
    drop_old_values,
    home_values,
    put_home_value,
)


@dataclass(frozen=True)
class Request:
    """An issued link, by the hash of its state."""

    state: str
    person: str
    service: str
    sealed: str


@dataclass(frozen=True)
class Wait:
    """A message that continues when its person has connected the service."""

    id: int
    person: str
    service: str
    session: str
    message: JsonObject


def add_request(request: Request, expires_at: datetime, now: datetime) -> Unit:
    """Store a new link and delete expired ones."""
    return Unit.of(
        drop_old_values(HomeValue.CONNECTING, now),
        put_home_value(
            HomeValue.CONNECTING,
            joined_parts((request.person, request.service, request.sealed)),
            request.state,
            at=expires_at,
        ),
    )


async def find_request(database: Database, state: str, now: datetime) -> Request | None:
    found = (await home_values(database, HomeValue.CONNECTING, after=now)).get(state)
    return Request(state, *parts_of(found)) if found else None


def use_up(request: Request) -> Unit:
    """The unit fails if the link was already used."""
    return Unit.of(drop_home_value(HomeValue.CONNECTING, request.state, rows=1))


def add_wait(person: str, service: str, session: str, message: JsonObject, now: datetime) -> Unit:
    """Store a session's newest message that waits for a service; it replaces earlier ones."""
    return Unit.of(
        Write("DELETE FROM connection_waits WHERE session = ? AND service = ?", (session, service)),
        Write(
            "INSERT INTO connection_waits (person, service, session, message, made_at) VALUES "
            "(?, ?, ?, ?, ?)",
            (person, service, session, json.dumps(message), format_utc(now)),
        ),
    )


async def read_waits(database: Database, since: datetime) -> list[Wait]:
    rows = await database.read(
        "SELECT * FROM connection_waits WHERE made_at > ? ORDER BY id LIMIT 1000",
        (format_utc(since),),
    )
    return [made_of(Wait, row, message=json.loads(row["message"])) for row in rows]


def drop_wait(wait: Wait) -> Unit:
    return Unit.of(Write("DELETE FROM connection_waits WHERE id = ?", (wait.id,)))


def drop_waits_before(moment: datetime) -> Unit:
    return Unit.of(Write("DELETE FROM connection_waits WHERE made_at <= ?", (format_utc(moment),)))


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

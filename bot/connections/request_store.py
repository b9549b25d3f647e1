"""Links to connect services, which are values of the home, and the table connection_waits."""

import json
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

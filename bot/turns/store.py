"""The SQL of one turn in the journal: how it is accepted, begun, run and settled.

Functions either read or return the writes of a unit; decisions are made elsewhere.
"""

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeAlias, cast

from bot.clock import format_utc
from bot.domain.characters import whole_characters
from bot.domain.database import ALWAYS, Condition, Database, Row, Unit, Write, made_of
from bot.domain.json_types import JsonObject, JsonValue
from bot.domain.turns import TurnEnd, Waiting
from bot.errors import TurnError

StepText: TypeAlias = tuple[str, str | None]
"""The key of a step, and its value in JSON; None for its intent."""
TAKEN_AT_ONCE = 100
"""The most waiting messages that one `take` joins; the next one takes the rest."""


@dataclass(frozen=True)
class Claim:
    """The right to write for one session; every write of a turn names it."""

    session: str
    owner: str
    epoch: int

    @property
    def holds(self) -> Condition:
        """Whether no other process has claimed the session since."""
        return Condition(
            "EXISTS (SELECT 1 FROM claims WHERE session = ? AND owner = ? AND epoch = ?)",
            (self.session, self.owner, self.epoch),
        )


@dataclass(frozen=True)
class RecordedStep:
    """A step as the journal remembers it. `done` False: only the intent was written."""

    done: bool
    value: JsonValue = None


@dataclass(frozen=True)
class Begun:
    """A turn that was just begun or resumed."""

    claim: Claim
    id: int
    key: str
    body: JsonObject
    attempt: int
    stop: bool
    error: str | None
    deaths: int = 0
    """How many processes ended while this turn ran, since it last made progress."""
    trial: int = 0
    """1 while it runs alone, 2 or more if a process ended then.

    `unsettled_store.PROVED_NOTHING` if others ran beside it.
    """
    unreadable: str = ""
    """Why its body can't be read; empty when it can."""

    @property
    def failures(self) -> int:
        """Earlier attempts that ended in an error."""
        return self.attempt - 1 - self.deaths

    def excused(self) -> "Begun":
        """The same turn after progress, see `excuse`."""
        return replace(self, attempt=1, deaths=0, trial=0)


@dataclass(frozen=True)
class Steps:
    """The finished steps of a turn by key, and the keys of steps with unreadable values."""

    past: dict[str, RecordedStep]
    unreadable: tuple[str, ...] = ()


def to_json(value: JsonValue, what: str) -> str:
    """Raises TurnError naming `what` when the value is not JSON."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError) as error:
        raise TurnError(f"{what} is not JSON and cannot be remembered: {error}") from error
    return text if text.isascii() else whole_characters(text)


def body_of(row: Row) -> JsonObject:
    """The body in a row of the inbox; empty if unreadable, so that one row blocks nobody."""
    try:
        body = json.loads(row["body"])
    except ValueError:
        return {}
    return cast("JsonObject", body) if isinstance(body, dict) else {}


# --- accepting ---


def accept(session: str, key: str, body: str, due: datetime | None, now: datetime) -> Write:
    """Accept work and return its id; touches no row when the key was seen before."""
    return Write(
        "INSERT INTO inbox (session, key, body, due, state, accepted_at) VALUES (?, ?, ?, ?, "
        "'new', ?)"
        " ON CONFLICT (key) DO NOTHING RETURNING id",
        (session, key, body, _moment(due), format_utc(now)),
        rows=1,
    )


def accept_begun(
    session: str, key: str, body: str, now: datetime, where: Condition = ALWAYS
) -> Write:
    """Like `accept`, for a turn whose first attempt begins in the same unit.

    Either that unit claims the session, or `where` says that the claim still holds.
    """
    return Write(
        "INSERT INTO inbox (session, key, body, state, attempts, accepted_at)"
        f" SELECT ?, ?, ?, 'running', 1, ? WHERE {where.sql}"
        " ON CONFLICT (key) DO NOTHING RETURNING id",
        (session, key, body, format_utc(now), *where.params),
        rows=1,
    )


def record(session: str, key: str, body: str, now: datetime) -> Write:
    at = format_utc(now)
    return Write(
        "INSERT INTO inbox (session, key, body, state, accepted_at, settled_at) VALUES (?, ?, ?, "
        "'recorded', ?, ?)"
        " ON CONFLICT (key) DO NOTHING RETURNING id",
        (session, key, body, at, at),
        rows=1,
    )


def amend(key: str, body: str) -> Write:
    """Change waiting work; returns its id and session. No row if it has begun."""
    return Write(
        (
            "UPDATE inbox SET body = ? WHERE key = ? AND state = 'new' AND settled_at IS NULL "
            "RETURNING id, session"
        ),
        (body, key),
        rows=1,
    )


def reopen(key: str, session: str, body: str, now: datetime) -> Write:
    """Turn a recorded message into work; returns its id and session.

    It keeps its place in the order.
    """
    return Write(
        "UPDATE inbox SET session = ?, body = ?, state = 'new', accepted_at = ?, settled_at = NULL"
        " WHERE key = ? AND state = 'recorded' RETURNING id, session",
        (session, body, format_utc(now), key),
        rows=1,
    )


def withdraw(key: str, now: datetime) -> Write:
    """Settle work that has not begun; returns its id and session. No row if it has."""
    return Write(
        "UPDATE inbox SET state = 'withdrawn', settled_at = ? WHERE key = ? AND state = 'new' AND "
        "settled_at IS NULL"
        " RETURNING id, session",
        (format_utc(now), key),
        rows=1,
    )


# --- one turn ---


def claim(session: str, owner: str) -> Write:
    """Claim a session; no row when another owner has it. Returns the epoch."""
    return Write(
        "INSERT INTO claims (session, owner, epoch) VALUES (?, ?, 1)"
        " ON CONFLICT (session) DO UPDATE SET owner = excluded.owner WHERE claims.owner = "
        "excluded.owner"
        " RETURNING epoch",
        (session, owner),
        rows=1,
    )


def begin(turn: int, session: str, owner: str, *, alone: bool = False) -> Unit:
    """Claim the session and count an attempt; `alone`: no other turn runs meanwhile.

    Read with `read_begun`.
    """
    return Unit.of(
        claim(session, owner),
        Write(
            "UPDATE inbox SET state = 'running', due = NULL, attempts = attempts + 1,"
            " trial = CASE WHEN trial > 1 THEN trial + 1 ELSE ? END"
            " WHERE id = ? AND settled_at IS NULL RETURNING *",
            (int(alone), turn),
        ),
    )


def end_trial(turn: int) -> Write:
    """Record that other turns run beside this one from now on."""
    return Write("UPDATE inbox SET trial = 0 WHERE id = ? AND trial = 1", (turn,))


def read_begun(
    returned: Sequence[Sequence[Row]], turn: int, session: str, owner: str
) -> Begun | None:
    """None if the turn was settled meanwhile."""
    if not returned[1]:
        return None
    row = returned[1][0]
    body = body_of(row)
    return made_of(
        Begun,
        row,
        claim=Claim(session, owner, returned[0][0]["epoch"]),
        id=turn,
        body=body,
        attempt=row["attempts"],
        stop=bool(row["stop"]),
        unreadable=""
        if body or row["body"] == "{}"
        else "what was accepted can't be read any more",
    )


async def read_steps(database: Database, turn: int) -> Steps:
    rows = await database.read("SELECT key, state, value FROM steps WHERE turn = ?", (turn,))
    past: dict[str, RecordedStep] = {}
    unreadable: list[str] = []
    for row in rows:
        try:
            past[row["key"]] = (
                RecordedStep(True, json.loads(row["value"]))
                if row["state"] == "done"
                else RecordedStep(False)
            )
        except (TypeError, ValueError):
            unreadable.append(row["key"])
    return Steps(past, tuple(unreadable))


def excuse(turn: int) -> Write:
    """Reset the attempts of a turn that made progress: it did not cause the earlier crashes."""
    return Write("UPDATE inbox SET attempts = 1, deaths = 0, trial = 0 WHERE id = ?", (turn,))


def put_steps(begun: Begun, steps: Collection[StepText]) -> tuple[Write, ...]:
    """Write steps, if there are any; touches no row when the claim is lost."""
    if not steps:
        return ()
    holds = begun.claim.holds
    params: list[int | str | None] = []
    for key, value in steps:
        params += (begun.id, key, "started" if value is None else "done", value)
    return (
        Write(
            "INSERT INTO steps (turn, key, state, value)"  # noqa: S608
            " SELECT column1, column2, column3, column4"
            f" FROM (VALUES {', '.join(['(?, ?, ?, ?)'] * len(steps))}) AS new"
            f" WHERE {holds.sql}"
            " ON CONFLICT (turn, key) DO UPDATE SET state = excluded.state, value = excluded.value",
            (*params, *holds.params),
            rows=len(steps),
        ),
    )


async def read_waiting(
    database: Database, session: str, now: datetime
) -> list[tuple[int, Waiting]]:
    rows = await database.read(
        "SELECT id, key, body FROM inbox WHERE session = ? AND settled_at IS NULL AND state = 'new'"
        " AND (due IS NULL OR due <= ?) ORDER BY id LIMIT ?",
        (session, format_utc(now), TAKEN_AT_ONCE),
    )
    return [(row["id"], Waiting(row["key"], body_of(row))) for row in rows]


def join(found: Iterable[tuple[int, Waiting]], to: int, now: datetime) -> tuple[Write, ...]:
    """Hand over waiting work in the version that was read.

    Touches no row of work that was changed, withdrawn or begun since.
    """
    at = format_utc(now)
    return tuple(
        Write(
            "UPDATE inbox SET state = 'joined', joined_to = ?, settled_at = ?"
            " WHERE id = ? AND state = 'new' AND settled_at IS NULL AND body = ?",
            (to, at, turn, to_json(waiting.body, waiting.key)),
            rows=1,
        )
        for turn, waiting in found
    )


async def read_joined(database: Database, to: int, keys: Collection[str]) -> list[int]:
    """The ids of messages of these keys that a turn took."""
    rows = await database.read(
        "SELECT id FROM inbox WHERE joined_to = ? AND state = 'joined' AND key IN (SELECT value "
        "FROM json_each(?))"
        " ORDER BY id",
        (to, json.dumps(sorted(keys))),
    )
    return [int(row["id"]) for row in rows]


def begin_anew(turns: Collection[int]) -> Write:
    """Requeue work that a turn had taken, for a turn of its own."""
    return Write(
        "UPDATE inbox SET state = 'new', joined_to = NULL, settled_at = NULL"
        " WHERE state = 'joined' AND id IN (SELECT CAST(value AS BIGINT) FROM json_each(?))",
        (json.dumps(list(turns)),),
    )


def settle(begun: Begun, end: TurnEnd, now: datetime) -> Write:
    """Settle a turn; touches no row if the claim is lost or it is settled."""
    holds = begun.claim.holds
    return Write(
        "UPDATE inbox SET state = ?, settled_at = ? WHERE id = ? AND settled_at IS NULL"  # noqa: S608
        f" AND {holds.sql}",
        (end.value, format_utc(now), begun.id, *holds.params),
        rows=1,
    )


def put_back(begun: Begun, *, due: datetime | None, error: str | None) -> Write:
    """Requeue a turn after an error (`error`, at `due`), or because the process stops."""
    holds = begun.claim.holds
    return Write(
        "UPDATE inbox SET state = 'ready', attempts = ?, due = ?, error = ?"  # noqa: S608
        f" WHERE id = ? AND settled_at IS NULL AND {holds.sql}",
        (
            begun.attempt if error else begun.attempt - 1,
            _moment(due),
            error or begun.error,
            begun.id,
            *holds.params,
        ),
        rows=1,
    )


def _moment(moment: datetime | None) -> str | None:
    return None if moment is None else format_utc(moment)

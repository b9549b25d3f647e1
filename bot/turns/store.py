"""All SQL of the turn journal. Functions either read or return the writes of a unit; nothing is decided here."""

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.clock import format_utc, parse_utc
from bot.domain.characters import whole_characters
from bot.domain.database import Database, Row, Unit, Write
from bot.domain.json_types import JsonObject, JsonValue
from bot.domain.turns import OpenTurn, Question, TurnEnd, Waiting
from bot.errors import TurnError
from bot.turns.refs import make_ref

TAKEN_AT_ONCE = 100
"""Waiting messages that one `take` joins at most; the next one takes the rest."""
PURGED_AT_ONCE = 20
"""Turns that one unit of a purge deletes, so that running turns never wait behind it."""


@dataclass(frozen=True)
class Claim:
    """The right to write for one session; every write of a turn names it."""

    session: str
    owner: str
    epoch: int


@dataclass(frozen=True)
class Past:
    """A step as the journal remembers it. `done` False: only the intent was written."""

    done: bool
    value: JsonValue = None


@dataclass(frozen=True)
class Begun:
    """A turn that was just begun (again)."""

    claim: Claim
    id: int
    key: str
    body: JsonObject
    attempt: int
    stop: bool
    error: str | None


@dataclass(frozen=True)
class OpenWork:
    """A row of the inbox that isn't settled, as a starting engine finds it."""

    id: int
    session: str
    state: str
    due: datetime | None


def to_json(value: JsonValue, what: str) -> str:
    """Raises TurnError naming `what` when the value is not JSON."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError) as error:
        raise TurnError(f"{what} is not JSON and cannot be remembered: {error}") from error
    return whole_characters(text)


# --- accepting ------------------------------------------------------------------------------------------------


def accept(session: str, key: str, body: str, due: datetime | None, now: datetime) -> Write:
    """Returns the id; touches no row when the key was seen before."""
    return Write(
        "INSERT INTO inbox (session, key, body, due, state, accepted_at) VALUES (?, ?, ?, ?, 'new', ?)"
        " ON CONFLICT (key) DO NOTHING RETURNING id",
        (session, key, body, _moment(due), format_utc(now)),
        rows=1,
    )


def accept_begun(session: str, key: str, body: str, now: datetime) -> Write:
    """Like `accept`, for a turn whose first attempt begins in the same unit, see `claim`."""
    return Write(
        "INSERT INTO inbox (session, key, body, state, attempts, accepted_at) VALUES (?, ?, ?, 'running', 1, ?)"
        " ON CONFLICT (key) DO NOTHING RETURNING id",
        (session, key, body, format_utc(now)),
        rows=1,
    )


def record(session: str, key: str, body: str, now: datetime) -> Write:
    at = format_utc(now)
    return Write(
        "INSERT INTO inbox (session, key, body, state, accepted_at, settled_at) VALUES (?, ?, ?, 'recorded', ?, ?)"
        " ON CONFLICT (key) DO NOTHING RETURNING id",
        (session, key, body, at, at),
        rows=1,
    )


def amend(key: str, body: str) -> Write:
    """Change what waits; returns its id and session. No row when it was begun."""
    return Write(
        "UPDATE inbox SET body = ? WHERE key = ? AND state = 'new' AND settled_at IS NULL RETURNING id, session",
        (body, key),
        rows=1,
    )


def reopen(key: str, session: str, body: str, now: datetime) -> Write:
    """Make work of what was only recorded; returns its id and session. It keeps its place in the order."""
    return Write(
        "UPDATE inbox SET session = ?, body = ?, state = 'new', accepted_at = ?, settled_at = NULL"
        " WHERE key = ? AND state = 'recorded' RETURNING id, session",
        (session, body, format_utc(now), key),
        rows=1,
    )


def withdraw(key: str, now: datetime) -> Write:
    """Settle what was never begun; returns its id and session. No row when it was begun."""
    return Write(
        "UPDATE inbox SET state = 'withdrawn', settled_at = ? WHERE key = ? AND state = 'new' AND settled_at IS NULL"
        " RETURNING id, session",
        (format_utc(now), key),
        rows=1,
    )


async def count_waiting(database: Database, session: str, now: datetime) -> int:
    row = await database.read_one(
        "SELECT count(*) AS n FROM inbox"
        " WHERE session = ? AND settled_at IS NULL AND state = 'new' AND (due IS NULL OR due <= ?)",
        (session, format_utc(now)),
    )
    return int(row["n"]) if row else 0


# --- starting and stopping ------------------------------------------------------------------------------------


def take_over(owner: str, error: str) -> Unit:
    """All claims go to `owner`; what was running when the last process ended may go on."""
    return Unit.of(
        Write("UPDATE claims SET owner = ?, epoch = epoch + 1", (owner,)),
        Write(
            "UPDATE inbox SET state = 'ready', due = NULL, error = ? WHERE settled_at IS NULL AND state = 'running'",
            (error,),
        ),
    )


async def read_open(database: Database) -> list[OpenWork]:
    rows = await database.read("SELECT id, session, state, due FROM inbox WHERE settled_at IS NULL ORDER BY id")
    return [OpenWork(row["id"], row["session"], row["state"], _parse(row["due"])) for row in rows]


async def read_begun_turns(database: Database) -> list[OpenTurn]:
    rows = await database.read(
        "SELECT id, session, body FROM inbox WHERE settled_at IS NULL AND state IN ('running', 'ready', 'waiting')"
        " ORDER BY id"
    )
    return [OpenTurn(row["id"], row["session"], json.loads(row["body"])) for row in rows]


def request_stop(session: str, now: datetime, only: Collection[int] | None = None) -> Unit:
    """Returns (second write) the ids of the turns that are told to stop; open questions are dropped."""
    within = None if only is None else json.dumps(list(only))
    return Unit.of(
        Write(
            "UPDATE questions SET state = 'dropped', closed_at = ? WHERE state = 'open' AND turn IN"
            " (SELECT id FROM inbox WHERE session = ? AND settled_at IS NULL"
            " AND (? IS NULL OR id IN (SELECT value FROM json_each(?))))",
            (format_utc(now), session, within, within),
        ),
        Write(
            "UPDATE inbox SET stop = 1, due = NULL, state = CASE state WHEN 'waiting' THEN 'ready' ELSE state END"
            " WHERE session = ? AND settled_at IS NULL AND state IN ('running', 'ready', 'waiting')"
            " AND (? IS NULL OR id IN (SELECT value FROM json_each(?))) RETURNING id",
            (session, within, within),
        ),
    )


# --- one turn -------------------------------------------------------------------------------------------------


def claim(session: str, owner: str) -> Write:
    """Claim a session; no row when another owner has it. Returns the epoch."""
    return Write(
        "INSERT INTO claims (session, owner, epoch) VALUES (?, ?, 1)"
        " ON CONFLICT (session) DO UPDATE SET owner = excluded.owner WHERE claims.owner = excluded.owner"
        " RETURNING epoch",
        (session, owner),
        rows=1,
    )


def begin(turn: int, session: str, owner: str) -> Unit:
    """Claim the session and count an attempt. Read with `read_begun`."""
    return Unit.of(
        claim(session, owner),
        Write(
            "UPDATE inbox SET state = 'running', due = NULL, attempts = attempts + 1"
            " WHERE id = ? AND settled_at IS NULL RETURNING key, body, attempts, stop, error",
            (turn,),
        ),
    )


def read_begun(returned: Sequence[Sequence[Row]], turn: int, session: str, owner: str) -> Begun | None:
    """None when the turn was settled meanwhile."""
    if not returned[1]:
        return None
    row = returned[1][0]
    claim = Claim(session, owner, returned[0][0]["epoch"])
    return Begun(claim, turn, row["key"], json.loads(row["body"]), row["attempts"], bool(row["stop"]), row["error"])


async def read_steps(database: Database, turn: int) -> dict[str, Past]:
    rows = await database.read("SELECT key, state, value FROM steps WHERE turn = ?", (turn,))
    return {row["key"]: Past(True, json.loads(row["value"])) if row["state"] == "done" else Past(False) for row in rows}


def excuse(turn: int) -> Write:
    """A turn that got further is no poison, however often its process ended before: its attempts count anew."""
    return Write("UPDATE inbox SET attempts = 1 WHERE id = ?", (turn,))


def put_step(begun: Begun, key: str, value: str | None) -> Write:
    """Write a step: its value (JSON), or with None its intent. No row when the claim is lost."""
    return Write(
        "INSERT INTO steps (turn, key, state, value)"
        " SELECT ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM claims WHERE session = ? AND owner = ? AND epoch = ?)"
        " ON CONFLICT (turn, key) DO UPDATE SET state = excluded.state, value = excluded.value",
        (
            begun.id,
            key,
            "started" if value is None else "done",
            value,
            begun.claim.session,
            begun.claim.owner,
            begun.claim.epoch,
        ),
        rows=1,
    )


async def read_waiting(database: Database, session: str, now: datetime) -> list[tuple[int, Waiting]]:
    rows = await database.read(
        "SELECT id, key, body FROM inbox WHERE session = ? AND settled_at IS NULL AND state = 'new'"
        " AND (due IS NULL OR due <= ?) ORDER BY id LIMIT ?",
        (session, format_utc(now), TAKEN_AT_ONCE),
    )
    return [(row["id"], Waiting(row["key"], json.loads(row["body"]))) for row in rows]


def join(found: Iterable[tuple[int, Waiting]], to: int, now: datetime) -> tuple[Write, ...]:
    """Hand waiting work over as it was read. No row for what was changed, taken back or begun since."""
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


def settle(begun: Begun, end: TurnEnd, now: datetime) -> Unit:
    """No row (first write) when the claim is lost or the turn is settled already."""
    at = format_utc(now)
    return Unit.of(
        Write(
            "UPDATE inbox SET state = ?, settled_at = ? WHERE id = ? AND settled_at IS NULL"
            " AND EXISTS (SELECT 1 FROM claims WHERE session = ? AND owner = ? AND epoch = ?)",
            (end.value, at, begun.id, begun.claim.session, begun.claim.owner, begun.claim.epoch),
            rows=1,
        ),
        Write(
            "UPDATE questions SET state = 'dropped', closed_at = ? WHERE turn = ? AND state = 'open'",
            (at, begun.id),
        ),
    )


def put_back(begun: Begun, *, due: datetime | None, error: str | None) -> Write:
    """Let a turn go on later: after an error (`error`, at `due`), or because the process stops (nothing counted)."""
    return Write(
        "UPDATE inbox SET state = 'ready', attempts = ?, due = ?, error = ? WHERE id = ? AND settled_at IS NULL"
        " AND EXISTS (SELECT 1 FROM claims WHERE session = ? AND owner = ? AND epoch = ?)",
        (
            begun.attempt if error else begun.attempt - 1,
            _moment(due),
            error or begun.error,
            begun.id,
            begun.claim.session,
            begun.claim.owner,
            begun.claim.epoch,
        ),
        rows=1,
    )


# --- questions ------------------------------------------------------------------------------------------------


def wait_for_answer(begun: Begun) -> Write:
    """The turn waits for a person; the attempt that ends so doesn't count. No row once it was told to stop."""
    return Write(
        "UPDATE inbox SET state = 'waiting', attempts = ? WHERE id = ? AND settled_at IS NULL AND stop = 0"
        " AND EXISTS (SELECT 1 FROM claims WHERE session = ? AND owner = ? AND epoch = ?)",
        (begun.attempt - 1, begun.id, begun.claim.session, begun.claim.owner, begun.claim.epoch),
        rows=1,
    )


def still_open(turn: int, step: str) -> Write:
    """No row when the question that this step asks was answered or dropped."""
    return Write("SELECT id FROM questions WHERE turn = ? AND step = ? AND state = 'open'", (turn, step), rows=1)


def open_question(question: Question, step: str) -> Write:
    """Insert a question (its `ref` is not known before)."""
    return Write(
        "INSERT INTO questions (turn, step, session, conversation, person, text, options, state, asked_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, 'open', ?)",
        (
            question.turn,
            step,
            question.session,
            question.conversation,
            question.person,
            question.text,
            to_json(list(question.options), "a question's options"),
            format_utc(question.asked_at),
        ),
    )


def close_question(question: int, answer: str, now: datetime) -> Unit:
    """Store the answer as the value of the asking step and let its turn go on. Returns (third write) the turn.

    First write touches no row when the question isn't open any more.
    """
    return Unit.of(
        Write(
            "UPDATE questions SET state = 'answered', closed_at = ? WHERE id = ? AND state = 'open'",
            (format_utc(now), question),
            rows=1,
        ),
        Write(
            "UPDATE steps SET state = 'done', value = ?"
            " WHERE (turn, key) = (SELECT turn, step FROM questions WHERE id = ?)",
            (answer, question),
            rows=1,
        ),
        Write(
            "UPDATE inbox SET state = CASE state WHEN 'waiting' THEN 'ready' ELSE state END"
            " WHERE id = (SELECT turn FROM questions WHERE id = ?) AND settled_at IS NULL RETURNING id",
            (question,),
            rows=1,
        ),
    )


async def questions_before(database: Database, moment: datetime) -> list[Question]:
    """Open questions that were asked before a moment, oldest first."""
    rows = await database.read(
        "SELECT * FROM questions WHERE state = 'open' AND asked_at < ? ORDER BY id LIMIT 100", (format_utc(moment),)
    )
    return [_question(row) for row in rows]


def expire_question(question: int, now: datetime) -> Unit:
    """Close a question that nobody answered and let its turn stop; returns (second write) the turn.

    First write touches no row when the question isn't open any more.
    """
    return Unit.of(
        Write(
            "UPDATE questions SET state = 'expired', closed_at = ? WHERE id = ? AND state = 'open'",
            (format_utc(now), question),
            rows=1,
        ),
        Write(
            "UPDATE inbox SET stop = 1, due = NULL, state = CASE state WHEN 'waiting' THEN 'ready' ELSE state END"
            " WHERE id = (SELECT turn FROM questions WHERE id = ?) AND settled_at IS NULL RETURNING id",
            (question,),
        ),
    )


async def find_question(database: Database, conversation: str, person: str) -> Question | None:
    row = await database.read_one(
        "SELECT * FROM questions WHERE conversation = ? AND person = ? AND state = 'open' ORDER BY id LIMIT 1",
        (conversation, person),
    )
    return _question(row) if row else None


async def read_asked(database: Database) -> list[tuple[str, str]]:
    """Conversations and the persons in them who have a question open."""
    rows = await database.read("SELECT DISTINCT conversation, person FROM questions WHERE state = 'open'")
    return [(row["conversation"], row["person"]) for row in rows]


async def read_question(database: Database, question: int) -> Question | None:
    row = await database.read_one("SELECT * FROM questions WHERE id = ? AND state = 'open'", (question,))
    return _question(row) if row else None


async def question_of(database: Database, turn: int) -> Question | None:
    row = await database.read_one(
        "SELECT * FROM questions WHERE turn = ? AND state = 'open' ORDER BY id LIMIT 1", (turn,)
    )
    return _question(row) if row else None


def _question(row: Row) -> Question:
    return Question(
        ref=make_ref("q", row["id"]),
        session=row["session"],
        turn=row["turn"],
        conversation=row["conversation"],
        person=row["person"],
        text=row["text"],
        options=tuple(json.loads(row["options"])),
        asked_at=parse_utc(row["asked_at"]),
    )


# --- growing old ----------------------------------------------------------------------------------------------


def purge(before: datetime) -> Unit:
    """Delete some turns that were settled before a moment, oldest first. Returns (last write) the ids."""
    moment = format_utc(before)
    return Unit.of(
        Write(
            "DELETE FROM steps WHERE turn IN"
            " (SELECT id FROM inbox WHERE settled_at < ? ORDER BY settled_at, id LIMIT ?)",
            (moment, PURGED_AT_ONCE),
        ),
        Write(
            "DELETE FROM questions WHERE turn IN"
            " (SELECT id FROM inbox WHERE settled_at < ? ORDER BY settled_at, id LIMIT ?)",
            (moment, PURGED_AT_ONCE),
        ),
        Write(
            "DELETE FROM inbox WHERE id IN"
            " (SELECT id FROM inbox WHERE settled_at < ? ORDER BY settled_at, id LIMIT ?) RETURNING id",
            (moment, PURGED_AT_ONCE),
        ),
    )


def _moment(moment: datetime | None) -> str | None:
    return None if moment is None else format_utc(moment)


def _parse(text: str | None) -> datetime | None:
    return None if text is None else parse_utc(text)

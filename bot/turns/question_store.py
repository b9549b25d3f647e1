"""The SQL of questions of turns to people; see `bot.turns.store`."""

import json
from datetime import datetime

from bot.clock import format_utc, parse_utc
from bot.domain.database import Database, Row, Unit, Write, made_of
from bot.domain.turns import Question
from bot.turns.refs import make_ref
from bot.turns.store import Begun, to_json


def ask(begun: Begun, question: Question, step: str) -> Unit:
    """Insert a question (its `ref` is not known before), and make its turn wait for the answer.

    The first write touches no row when the turn was stopped.
    """
    insert = Write(
        "INSERT INTO questions (turn, step, session, conversation, person, text, options, state, "
        "asked_at)"
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
    return Unit.of(_wait_for_answer(begun), insert)


def ask_again(begun: Begun, step: str) -> Unit:
    """Make a turn wait for the answer to the question that this step has asked.

    A write touches no row when the turn was stopped, or the question was answered or dropped.
    """
    still_open = Write(
        "SELECT id FROM questions WHERE turn = ? AND step = ? AND state = 'open'",
        (begun.id, step),
        rows=1,
    )
    return Unit.of(_wait_for_answer(begun), still_open)


def _wait_for_answer(begun: Begun) -> Write:
    """Such an attempt doesn't count as failed."""
    holds = begun.claim.holds
    return Write(
        "UPDATE inbox SET state = 'waiting', attempts = ?"  # noqa: S608
        f" WHERE id = ? AND settled_at IS NULL AND stop = 0 AND {holds.sql}",
        (begun.attempt - 1, begun.id, *holds.params),
        rows=1,
    )


def drop_questions(turn: int, now: datetime) -> Write:
    """Close the open questions of a turn that ends."""
    return Write(
        "UPDATE questions SET state = 'dropped', closed_at = ? WHERE turn = ? AND state = 'open'",
        (format_utc(now), turn),
    )


def close_question(question: int, answer: str, now: datetime) -> Unit:
    """Store the answer as the value of the asking step and resume its turn.

    The first write touches no row if the question is no longer open. The third returns the turn.
    """
    return Unit.of(
        Write(
            (
                "UPDATE questions SET state = 'answered', closed_at = ? WHERE id = ? AND state = "
                "'open'"
            ),
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
            " WHERE id = (SELECT turn FROM questions WHERE id = ?) AND settled_at IS NULL "
            "RETURNING id",
            (question,),
            rows=1,
        ),
    )


async def questions_before(database: Database, moment: datetime) -> list[Question]:
    """Open questions that were asked before a moment, oldest first."""
    rows = await database.read(
        "SELECT * FROM questions WHERE state = 'open' AND asked_at < ? ORDER BY id LIMIT 100",
        (format_utc(moment),),
    )
    return [_question(row) for row in rows]


def expire_question(question: int, now: datetime) -> Unit:
    """Close an unanswered question and stop its turn.

    The first write touches no row if the question is no longer open. The second returns the turn.
    """
    return Unit.of(
        Write(
            "UPDATE questions SET state = 'expired', closed_at = ? WHERE id = ? AND state = 'open'",
            (format_utc(now), question),
            rows=1,
        ),
        Write(
            "UPDATE inbox SET stop = 1, due = NULL, state = CASE state WHEN 'waiting' THEN 'ready' "
            "ELSE state END"
            " WHERE id = (SELECT turn FROM questions WHERE id = ?) AND settled_at IS NULL "
            "RETURNING id",
            (question,),
        ),
    )


async def find_question(database: Database, conversation: str, person: str) -> Question | None:
    row = await database.read_one(
        (
            "SELECT * FROM questions WHERE conversation = ? AND person = ? AND state = 'open' "
            "ORDER BY id LIMIT 1"
        ),
        (conversation, person),
    )
    return _question(row) if row else None


async def read_asked(database: Database) -> list[tuple[str, str]]:
    """Conversations, and the persons in them with an open question."""
    rows = await database.read(
        "SELECT DISTINCT conversation, person FROM questions WHERE state = 'open'"
    )
    return [(row["conversation"], row["person"]) for row in rows]


async def read_question(database: Database, question: int) -> Question | None:
    row = await database.read_one(
        "SELECT * FROM questions WHERE id = ? AND state = 'open'", (question,)
    )
    return _question(row) if row else None


async def question_of(database: Database, turn: int) -> Question | None:
    row = await database.read_one(
        "SELECT * FROM questions WHERE turn = ? AND state = 'open' ORDER BY id LIMIT 1", (turn,)
    )
    return _question(row) if row else None


def _question(row: Row) -> Question:
    return made_of(
        Question,
        row,
        ref=make_ref("q", row["id"]),
        options=tuple(json.loads(row["options"])),
        asked_at=parse_utc(row["asked_at"]),
    )

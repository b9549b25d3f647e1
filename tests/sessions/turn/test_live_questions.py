"""Questions during a call: the next words answer, silence ends, the call's time stops."""

import asyncio
from contextlib import AbstractAsyncContextManager, nullcontext
from datetime import UTC, datetime
from typing import Any, cast

import pytest

from bot.domain.messages import Conversation, IncomingMessage, PlatformPerson, ReplyTarget
from bot.domain.turns import Turn, Waiting
from bot.sessions.records.envelope import incoming_to_json
from bot.sessions.run.setup import Burst
from bot.sessions.turn.replies import LiveQuestions
from bot.testing.fake_clock import FakeClock, settle
from bot.testing.tools import a_call
from bot.tools.running.executor import TimeIsUp, within
from bot.turns.engine import TurnEngine

HERE = Conversation("terminal", "", "tty")


class Session:
    """A session's queue, and the turn that takes from it."""

    session = "s"

    def __init__(self) -> None:
        self.looks = 0
        self.waiters: list[asyncio.Future[None]] = []
        self.words: list[str] = []
        self.takes: list[int] = []
        self.posted: list[tuple[str, str]] = []
        self.before: dict[int, str] = {}
        """What was taken before a crash, by number."""

    def scope(self, prefix: str) -> "Session":
        assert prefix == "tool:1.0"
        return self

    def away(self) -> AbstractAsyncContextManager[None]:
        return nullcontext()

    def done(self, key: str) -> bool:
        return int(key.removeprefix("steer:")) in self.before

    def arrival(self, session: str) -> asyncio.Future[None]:
        assert session == self.session
        self.waiters.append(asyncio.get_running_loop().create_future())
        return self.waiters[-1]

    def say(self, text: str) -> None:
        self.words.append(text)
        for waiter in self.waiters:
            if not waiter.done():
                waiter.set_result(None)

    async def waiting(self, _session: str) -> int:
        self.looks += 1
        return len(self.words)

    async def take(self, n: int) -> list[Waiting]:
        self.takes.append(n)
        if n in self.before:
            taken = [self.before[n]]
        else:
            taken, self.words = self.words, []
        return [Waiting(f"m{n}", {"message": incoming_to_json(a_message(text))}) for text in taken]

    async def post(self, text: str, key: str) -> None:
        self.posted.append((key, text))


def a_message(text: str) -> IncomingMessage:
    sent_at = datetime(2026, 11, 21, tzinfo=UTC)
    return IncomingMessage(
        "m", HERE, PlatformPerson("ann", "Ann"), text, ReplyTarget(HERE), sent_at
    )


def questions(session: Session, clock: FakeClock) -> LiveQuestions:
    turn, engine = cast("Turn", session), cast("TurnEngine", session)
    burst = Burst(clock.now())
    return LiveQuestions(turn, a_call("ask"), session.post, engine, clock, burst)


async def answered(clock: FakeClock, session: Session, asking: Any, text: str) -> Any:
    task = asyncio.ensure_future(asking)
    await settle()
    await clock.advance(30)
    session.say(text)
    return await task


async def test_the_next_message_is_the_answer_and_questions_have_own_keys():
    session, clock = Session(), FakeClock()
    ask = questions(session, clock)
    assert await answered(clock, session, ask("Which colour?", seconds=600), "green") == "green"
    assert await answered(clock, session, ask("Which size?", seconds=600), "small") == "small"
    assert session.posted == [
        ("tool:1.0/ask:1", "Which colour?"),
        ("tool:1.0/ask:2", "Which size?"),
    ]
    assert session.takes == [1, 2]
    assert ask.waited_s >= 60


async def test_blank_words_are_no_answer_and_the_question_goes_on():
    session, clock = Session(), FakeClock()
    task = asyncio.ensure_future(questions(session, clock)("Which colour?", seconds=60))
    await settle()
    session.say("  ")
    await clock.advance(10)
    assert not task.done()
    session.say("green")
    assert await task == "green"


async def test_words_that_came_before_the_question_was_posted_are_the_answer():
    session, clock = Session(), FakeClock()
    session.words.append("green")
    assert await questions(session, clock)("Which colour?", seconds=600) == "green"


async def test_a_call_that_runs_again_gets_the_answers_that_were_given():
    session, clock = Session(), FakeClock()
    session.before = {1: "green"}
    ask = questions(session, clock)
    assert await ask("Which colour?", seconds=600) == "green"
    assert await answered(clock, session, ask("Which size?", seconds=600), "small") == "small"


async def test_nobody_looks_while_nothing_comes_and_nobody_is_left_waiting():
    session, clock = Session(), FakeClock()
    task = asyncio.ensure_future(questions(session, clock)("Which colour?", seconds=600))
    await settle()
    await clock.advance(500)
    assert session.looks == 1
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert all(waiter.done() for waiter in session.waiters)
    assert clock.sleepers == 0


async def test_silence_ends_the_question_and_takes_nothing():
    session, clock = Session(), FakeClock()
    ask = questions(session, clock)
    task = asyncio.ensure_future(ask("Which colour?", seconds=60))
    await settle()
    for _ in range(61):
        await clock.advance(1)
    assert await task is None
    assert session.takes == []
    assert ask.waited_s == pytest.approx(60, abs=2)


async def test_a_calls_time_limit_pauses_while_a_person_thinks():
    session, clock = Session(), FakeClock()
    ask = questions(session, clock)

    async def call() -> str:
        answer = await ask("Which colour?", seconds=600)
        await clock.sleep(100)
        return str(answer)

    task = asyncio.ensure_future(within(5, call(), clock, lambda: ask.waited_s))
    await settle()
    await clock.advance(200)
    assert not task.done()
    session.say("green")
    await settle()
    assert not task.done()
    await clock.advance(6)
    with pytest.raises(TimeIsUp):
        await task

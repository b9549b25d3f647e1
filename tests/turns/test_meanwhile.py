"""What waits is changed or taken back at the very moment at which a turn takes it."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from bot.domain.clock import Clock
from bot.domain.database import Database, Row
from bot.domain.turns import Turn
from bot.testing.engine_lives import Life, Lives
from bot.testing.noted_reads import NotedReads
from bot.testing.waiting import until
from bot.turns.engine import TurnEngine

Meanwhile = Callable[[TurnEngine], Awaitable[bool]]


class Between(NotedReads):
    """A database behind which something happens once, right after waiting work was read."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.happens: Callable[[], Awaitable[bool]] | None = None

    async def read(self, sql: str, params: Sequence[Any] = ()) -> list[Row]:
        rows = await super().read(sql, params)
        if rows and sql.startswith("SELECT id, key, body FROM inbox") and self.happens is not None:
            happens, self.happens = self.happens, None
            assert await happens()
        return rows


async def take_back(engine: TurnEngine) -> bool:
    return await engine.withdraw("delete", "second")


async def change(engine: TurnEngine) -> bool:
    return await engine.revise("edit", "second", "s", {"text": "changed"})


async def lives_with(folder: Path, made: list[Between]) -> Lives:
    def make(database: Database, clock: Clock) -> TurnEngine:
        made.append(Between(database))
        return TurnEngine(made[-1], clock, owner="the one process")

    return await Lives.begin(folder, make)


async def three_come(life: Life, between: Between, meanwhile: Meanwhile) -> None:
    """Run the first; when it looks for the others, change or withdraw the second."""
    for key, text in (("first", "a"), ("second", "b"), ("third", "c")):
        await life.engine.submit("s", key, {"text": text})
    between.happens = lambda: meanwhile(life.engine)


@pytest.mark.parametrize(("meanwhile", "taken"), [(take_back, ["c"]), (change, ["changed", "c"])])
async def test_a_turn_takes_waiting_messages_as_edited(
    meanwhile: Meanwhile, taken: list[str], tmp_path: Path
):
    made: list[Between] = []
    lives = await lives_with(tmp_path, made)
    got: list[tuple[int, list[str]]] = []
    ready = asyncio.Event()

    async def run(turn: Turn) -> None:
        await ready.wait()
        got.append((turn.attempt, [str(item.body["text"]) for item in await turn.take(1)]))

    async with lives.life(run) as life:
        await three_come(life, made[0], meanwhile)
        ready.set()
        await until(lambda: bool(got))
    assert got == [(1, taken)]


@pytest.mark.parametrize(("meanwhile", "answer"), [(take_back, "c"), (change, "changed")])
async def test_a_question_is_answered_with_a_waiting_messages_edited_text(
    meanwhile: Meanwhile, answer: str, tmp_path: Path
):
    made: list[Between] = []
    lives = await lives_with(tmp_path, made)
    answers: list[str] = []
    ready = asyncio.Event()

    async def run(turn: Turn) -> None:
        if turn.key == "first":
            await ready.wait()
            answers.append((await turn.ask("ask:1", "ann", "room", "Which one?")).text)

    async with lives.life(run) as life:
        await three_come(life, made[0], meanwhile)
        ready.set()
        await until(lambda: bool(answers))
    assert answers == [answer]

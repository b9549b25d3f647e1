"""While a suspect runs alone, commands are answered; a crash beside one proves nothing."""

from pathlib import Path

import pytest

from bot.domain.clock import Clock
from bot.domain.database import Database
from bot.domain.turns import Turn
from bot.testing.engine_lives import Life, Lives, gives
from bot.testing.fake_clock import run_ready, settle
from bot.testing.waiting import until
from bot.turns.engine import TurnEngine
from bot.turns.shares import Share, Urgency


def share_of(session: str) -> Share:
    return Share(session, Urgency.COMMAND if session.startswith("/") else Urgency.REQUEST)


def make(database: Database, clock: Clock) -> TurnEngine:
    return TurnEngine(database, clock, owner="test", drain_s=0, share_of=share_of)


@pytest.fixture
async def lives(tmp_path: Path) -> Lives:
    return await Lives.begin(tmp_path, make)


class House:
    """Turns begin and wait for their gate.

    The process dies with those that are named in `deadly`, but not before the suspect began.
    """

    def __init__(self) -> None:
        self.deadly: set[str] = set()
        self.open: set[str] = set()
        self.begun: list[str] = []
        self.answered: list[str] = []
        self.told: list[str] = []

    async def run_turn(self, turn: Turn) -> None:
        self.begun.append(turn.key)
        while turn.key not in self.open:
            await run_ready(1)
            if turn.key in self.deadly and "suspect" in self.begun + self.answered:
                self.life.database.end()
        await turn.step("model:1", gives("answer"))
        self.answered.append(turn.key)

    async def apologise(self, turn: Turn, _reason: str) -> None:
        self.told.append(turn.key)

    async def begins(self, life: Life) -> None:
        self.life = life
        self.begun.clear()
        await life.started()

    async def dies(self, *names: str) -> None:
        """Once all of them run."""
        await until(lambda: set(names) <= set(self.begun))
        self.life.database.end()
        self.life.database.alive()


async def two_deaths(lives: Lives, house: House) -> None:
    """A request was there at two deaths: it is a suspect."""
    for _ in range(2):
        async with lives.life(house.run_turn, house.apologise) as life:
            await house.begins(life)
            await life.submit("suspect", session="ann")
            await house.dies("suspect")


async def test_commands_are_answered_while_a_suspect_runs_alone(lives: Lives):
    house = House()
    await two_deaths(lives, house)
    async with lives.life(house.run_turn, house.apologise) as life:
        await house.begins(life)
        await until(lambda: house.begun == ["suspect"])
        house.open |= {"status", "other"}
        await life.submit("other", session="bob")
        await life.submit("status", session="/bob")
        await until(lambda: house.answered == ["status"])
        assert house.begun == ["suspect", "status"], "other requests wait"
        house.open |= {"suspect"}
        await until(lambda: len(house.answered) == 3)
    assert house.told == []


async def test_a_process_that_ends_beside_a_command_blames_nobody(lives: Lives):
    """The next trial is without commands; there the turn that ends processes is found."""
    house = House()
    await two_deaths(lives, house)
    async with lives.life(house.run_turn, house.apologise) as life:
        await house.begins(life)
        await life.submit("status", session="/bob")
        await house.dies("suspect", "status")
    async with lives.life(house.run_turn, house.apologise) as life:
        await house.begins(life)
        house.open |= {"status", "new"}
        await life.submit("new", session="/cem")
        await until(lambda: house.begun == ["suspect"])
        await settle()
        assert house.begun == ["suspect"], "not even commands run beside it"
        house.open |= {"suspect"}
        await until(lambda: sorted(house.answered) == ["new", "status", "suspect"])
    assert house.told == []


async def test_a_command_that_kills_the_process_is_found_beside_a_suspect(lives: Lives):
    house = House()
    await two_deaths(lives, house)
    house.deadly.add("status")
    for _ in range(5):
        async with lives.life(house.run_turn, house.apologise) as life:
            await house.begins(life)
            await life.submit("status", session="/bob")
            await until(lambda: "suspect" in house.begun or "suspect" in house.answered)
            await settle()
            life.database.alive()
            house.open.add("suspect")
            await until(lambda: house.told == ["status"] or house.life.database.gone)
            life.database.alive()
            break
    assert house.told == ["status"]
    assert house.answered == ["suspect"]

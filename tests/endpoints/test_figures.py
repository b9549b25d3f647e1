"""Figures for a monitor: each turn counts once, on its day, however often somebody looks."""

from datetime import timedelta

from bot.clock import format_utc
from bot.domain.database import Database, Unit, Write
from bot.endpoints.figures import HouseFigures
from bot.sessions.inbox.platforms import Checkup, Platforms
from bot.testing.fake_clock import FakeClock
from bot.tools.budget.settings import BudgetSettings
from bot.tools.budget.usage import Meter
from bot.turns.engine import TurnEngine


def settled(clock: FakeClock, key: str, seconds: float, state: str = "done") -> Write:
    now = clock.now()
    times = (format_utc(now - timedelta(seconds=seconds)), format_utc(now))
    return Write(
        "INSERT INTO inbox (session, key, body, state, accepted_at, settled_at)"
        " VALUES ('s', ?, '{}', ?, ?, ?)",
        (key, state, *times),
    )


async def test_turns_count_once_and_from_midnight_anew(database: Database):
    clock = FakeClock()
    engine = TurnEngine(database, clock, owner="test")
    meter = Meter(database, clock, "Europe/Berlin", BudgetSettings())
    figures = HouseFigures(Checkup(database, engine, Platforms([], clock), clock), meter)

    async def seen() -> tuple[int, int, float]:
        turns = (await figures.look()).turns
        assert sum(turns.classes) == turns.done + turns.failed
        return turns.done, turns.failed, turns.seconds

    assert await seen() == (0, 0, 0)
    await database.write(Unit.of(settled(clock, "a", 3), settled(clock, "b", 40, "failed")))
    assert await seen() == (1, 1, 43)
    assert await seen() == (1, 1, 43)
    many = [settled(clock, f"m{number}", 1) for number in range(2_500)]
    for at in range(0, len(many), 100):
        await clock.advance(1)
        moved = [settled(clock, str(one.params[0]), 1) for one in many[at : at + 100]]
        await database.write(Unit(tuple(moved)))
    assert await seen() == (2_501, 1, 2_543)
    assert await seen() == (2_501, 1, 2_543)
    await clock.advance(24 * 3600)
    assert await seen() == (0, 0, 0)
    await database.write(Unit.of(settled(clock, "c", 2), settled(clock, "d", 2, "joined")))
    assert await seen() == (1, 0, 2)


async def test_a_turn_that_waited_for_an_answer_says_nothing_about_speed(database: Database):
    clock = FakeClock()
    engine = TurnEngine(database, clock, owner="test")
    meter = Meter(database, clock, "UTC", BudgetSettings())
    figures = HouseFigures(Checkup(database, engine, Platforms([], clock), clock), meter)
    result = await database.write(
        Unit.of(
            settled(clock, "a", 3_000),
            Write(
                "INSERT INTO questions (turn, step, session, conversation, person, text, options,"
                " state, asked_at) SELECT id, 's', 's', 'c', 'p', 't', '[]', 'answered',"
                " accepted_at FROM inbox WHERE key = 'a'"
            ),
        )
    )
    assert result.returned
    turns = (await figures.look()).turns
    assert (turns.done, sum(turns.classes)) == (1, 0)

"""Time that passes in a running app, with everything that comes due."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

from bot.domain.models import Model
from bot.testing.app_lives import AppLife, AppLives
from bot.testing.fake_chat import FakeChat
from bot.testing.fake_clock import FakeClock, settle
from bot.testing.harness import Harness, running_app
from bot.testing.waiting import until
from bot.turns.engine import TurnEngine

HOUR_S = 3600.0
LONGEST_S = 6 * HOUR_S
STEP_S = 1800.0


@asynccontextmanager
async def app_with_clock(
    home: Path, model: Model | None, chat: FakeChat | None = None
) -> AsyncGenerator[Harness]:
    """Run an app whose clock only `go` moves."""
    async with running_app(home, model, chat, FakeClock()) as running:
        yield running


async def go(at: Harness, **time: float) -> None:
    """Let time pass (`hours=2`), and wait for what comes due at its own moment."""
    clock, engine = at.app.clock, at.app.engine
    assert isinstance(clock, FakeClock)  # noqa: S101 - a mistake of the test
    end = clock.now() + timedelta(**time)
    while (now := clock.now()) < end:
        due = engine.timetable.next_due()
        stop = min(due, end) if due is not None and due > now else end
        await clock.advance(min(LONGEST_S, (stop - now).total_seconds()), step=STEP_S)
        await until(lambda: _all_ticked(engine, clock))
        await at.until_idle()


async def come_due(lives: AppLives, life: AppLife) -> None:
    """Let the first hour of these lives pass, and wait for what comes due."""
    await lives.clock.advance(max(0, HOUR_S - lives.clock.monotonic()))
    await life.settle()
    while not await life.database.read("SELECT 1 FROM schedule_ticks WHERE ended_at IS NOT NULL"):
        await settle()


def _all_ticked(engine: TurnEngine, clock: FakeClock) -> bool:
    due = engine.timetable.next_due()
    return (due is None or due > clock.now()) and not engine.busy

"""The engines that the contract holds for; a further one is one more entry in ENGINES."""

from pathlib import Path

import pytest

from bot.domain.clock import Clock
from bot.domain.database import Database
from bot.domain.turns import TurnEngine
from bot.testing.engine_lives import Lives, MakeEngine
from bot.turns.engine import JournalEngine
from bot.turns.settings import TurnSettings


def journal(database: Database, clock: Clock) -> TurnEngine:
    return JournalEngine(
        database,
        clock,
        owner="test",
        limits=TurnSettings(working=4, reserved=1),
        drain_s=3,
        steerable=lambda body: body.get("kind") != "approval",
    )


ENGINES: dict[str, MakeEngine] = {"journal": journal}


@pytest.fixture(params=sorted(ENGINES))
async def lives(request: pytest.FixtureRequest, tmp_path: Path) -> Lives:
    return await Lives.begin(tmp_path, ENGINES[request.param])

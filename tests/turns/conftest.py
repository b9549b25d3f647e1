"""The engines that the contract holds for; a further one is one more entry in ENGINES."""

from collections.abc import Generator
from pathlib import Path

import pytest

from bot.domain.clock import Clock
from bot.domain.database import Database
from bot.testing.engine_lives import Lives
from bot.testing.kept_databases import PostgresDatabases
from bot.testing.postgres_server import postgres_programs
from bot.turns.engine import EngineOptions, TurnEngine
from bot.turns.questions import Steering
from bot.turns.settings import TurnLimits
from bot.turns.standing.engine import StandingEngine

ENGINES = ["journal", *(["standing"] if postgres_programs() else [])]
SETTINGS: EngineOptions = {
    "limits": TurnLimits(working=4),
    "drain_s": 3,
    "steering": Steering(lambda body: body.get("kind") != "approval"),
}


def journal(database: Database, clock: Clock) -> TurnEngine:
    return TurnEngine(database, clock, owner="test", **SETTINGS)


@pytest.fixture
def kept_on_server(request: pytest.FixtureRequest) -> Generator[PostgresDatabases]:
    databases = PostgresDatabases(request.getfixturevalue("postgres"))
    yield databases
    databases.close()


@pytest.fixture(params=ENGINES)
async def lives(request: pytest.FixtureRequest, tmp_path: Path) -> Lives:
    if request.param == "journal":
        return await Lives.begin(tmp_path, journal)
    databases: PostgresDatabases = request.getfixturevalue("kept_on_server")
    kept = await databases.fresh()
    return Lives(
        kept, lambda database, clock: StandingEngine(database, clock, kept.server, **SETTINGS)
    )

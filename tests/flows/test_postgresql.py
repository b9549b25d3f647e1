"""A whole Bellhop on PostgreSQL: the server goes away in mid-turn, and so does the process."""

import asyncio
from pathlib import Path

import pytest

from bot.domain.models import ModelReply, ModelRequest
from bot.testing.app_lives import AppLives, PersonAct
from bot.testing.crash_points import crash_points
from bot.testing.kept_databases import PostgresKept, keep_in
from bot.testing.plan_model import PlanModel
from bot.testing.postgres_server import PostgresServer
from bot.testing.scripted_model import call, calls, say

TODOS = calls(
    ("manage_todos", {"action": "create", "title": "milk"}),
    ("manage_todos", {"action": "create", "title": "bread"}),
    ("save_fact", {"key": "list", "value": "two things"}),
)
SEARCH = call("tool_search", {"pattern": "manage_t*"})


def says(text: str, key: str) -> PersonAct:
    return lambda life: life.chat.say("ann", text, key=key)


@pytest.fixture
def database(home: Path, postgres: PostgresServer) -> str:
    """The name of the database of the home."""
    name = postgres.database()
    keep_in(home, PostgresKept(postgres.url(name)))
    return name


async def test_people_wait_while_the_server_is_started_again(
    home: Path, postgres: PostgresServer, database: str
):
    starting: list[asyncio.Task[None]] = []

    def away(_request: ModelRequest) -> ModelReply:
        postgres.stop()
        starting.append(asyncio.create_task(asyncio.to_thread(postgres.start)))
        return TODOS

    lives = AppLives(home)
    model = PlanModel({"todo": [SEARCH, away, say("Both are on your list.")]})
    async with lives.life(model) as life:
        await lives.chat.say("ann", "do:todo")
        await life.settle()
        await starting[0]
        await lives.chat.say("ann", "more?")
        await life.settle()
    assert lives.chat.texts == ["Both are on your list.", "Done."]
    assert (
        postgres.run_sql(database, "SELECT title FROM bellhop.todos ORDER BY title")
        == "bread\nmilk"
    )


async def test_a_process_that_ends_in_mid_turn_loses_and_doubles_nothing(
    home: Path, postgres: PostgresServer, database: str
):
    plans = {"todo": [SEARCH, TODOS, say("Both are on your list.")]}
    acts = [says("do:todo", "k1"), says("more?", "k2")]
    first = AppLives(home)
    assert not await first.play(PlanModel(plans), acts)
    points = list(crash_points(first.commits))
    point = points[len(points) // 2]
    postgres.run_sql(database, "SELECT bellhop.emptied()")

    lives = AppLives(home)
    assert await lives.play(PlanModel(plans, alive=lives.alive), acts, point)
    assert lives.chat.texts == ["Both are on your list.", "Done."]
    assert postgres.run_sql(database, "SELECT count(*) FROM bellhop.todos") == "2"
    assert (
        postgres.run_sql(
            database, "SELECT DISTINCT state FROM bellhop.inbox WHERE settled_at IS NULL"
        )
        == ""
    )

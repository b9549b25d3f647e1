"""Recurring ways of working in public channels become candidates; those in DMs don't."""

import asyncio
from datetime import timedelta
from pathlib import Path

from typer.testing import CliRunner

from bot.cli.main import app as cli
from bot.domain.messages import Place, Visibility
from bot.testing.app_lives import AppLife, AppLives
from bot.testing.fake_clock import settle
from bot.testing.plan_model import PlanModel
from bot.testing.scripted_model import calls, say
from bot.testing.waiting import until

WORK = (
    calls(("tool_search", {"pattern": "*"})),
    calls(("knowledge_search", {"query": "numbers"})),
    calls(("calculate", {"expression": "1 + 1"})),
    calls(("manage_notes", {"action": "add", "title": "zq-sum", "is_agent_note": False})),
    calls(("manage_todos", {"action": "list"})),
    say("Done."),
)


async def work(life: AppLife, lives: AppLives, number: int, place: Place) -> None:
    where = "ann" if place is Place.DM else "room"
    said = {
        "where": where,
        "place": place,
        "visibility": Visibility.PUBLIC,
        "key": f"{place} {number}",
    }
    await life.chat.say("ann", "do:report", **said)
    await life.settle()
    await life.chat.command("ann", "new", where=where, place=place)
    await life.settle()
    await until_summarised(life, lives)


async def until_summarised(life: AppLife, lives: AppLives) -> None:
    left = "SELECT count(*) AS n FROM sessions WHERE summarised_epoch < epoch - (state = 'open')"
    while (await life.database.read(left))[0]["n"]:
        await lives.clock.advance(60)
        await settle()


async def night(lives: AppLives) -> None:
    for _ in range(4):
        await lives.clock.advance(timedelta(hours=6).total_seconds())
        await settle()


async def test_public_work_becomes_a_candidate_that_the_terminal_lists(home: Path):
    lives = AppLives(home)
    folder = home / "memory" / "playbooks" / "candidates"
    async with lives.life(PlanModel({"report": WORK})) as life:
        for number, place in enumerate((Place.DM, Place.CHANNEL, Place.CHANNEL)):
            await work(life, lives, number, place)
        await night(lives)
        assert not folder.exists()
        await work(life, lives, 3, Place.CHANNEL)
        await night(lives)
        await until(lambda: list(folder.glob("*.md")))
    shown = await asyncio.to_thread(
        CliRunner().invoke, cli, ["memory", "playbooks", "--home", str(home)]
    )
    assert shown.exit_code == 0, shown.output
    assert "knowledge_search_to_manage_todos" in shown.output
    assert "bellhop skills promote NAME" in shown.output
    assert "did not count: 1 in direct messages and private channels" in shown.output
    assert "`/share TEXT` and a yes" in shown.output
    (path,) = folder.glob("*.md")
    assert "knowledge_search > calculate > manage_notes > manage_todos" in path.read_text()
    assert "zq-sum" not in path.read_text()

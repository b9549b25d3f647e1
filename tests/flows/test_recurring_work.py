"""Recurring ways of working in public channels become candidates; those in DMs don't."""

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import Any

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


async def test_what_recurs_in_private_is_offered_to_its_person_as_a_skill_of_their_own(home: Path):
    lives, here = AppLives(home), {"where": "ann", "place": Place.DM}
    async with lives.life(PlanModel({"report": WORK})) as life:

        async def told(who: str, args: str, **where: Any) -> str:
            before = len(life.chat.posts)
            await life.chat.command(who, "skill", args, **where)
            return (await life.chat.until(before + 1))[-1].text

        assert "No way of working recurs" in await told("ann", "found", **here)
        for number in range(3):
            await work(life, lives, number, Place.DM)
        shown = await told("ann", "found", **here)
        assert "1. knowledge_search → calculate → manage_notes → manage_todos (3 times)" in shown
        assert "zq-sum" not in shown
        room = {"where": "room", "place": Place.CHANNEL, "visibility": Visibility.PUBLIC}
        assert "direct message" in await told("ann", "found", **room)
        assert "No way" in await told("ben", "found", where="ben", place=Place.DM)
        assert "Say what it is called" in await told("ann", "found 1", **here)
        assert "Saved: " in await told("ann", "found 1 weekly_sums", **here)
        text = await told("ann", "show weekly_sums", **here)
        assert "1. `knowledge_search`\n2. `calculate`" in text
        assert "There is no skill" in await told(
            "ben", "show weekly_sums", where="ben", place=Place.DM
        )

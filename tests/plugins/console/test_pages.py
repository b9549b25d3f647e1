"""What the pages show, and what their buttons do."""

import re
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.domain.approvals import Approval, ApprovalState
from bot.domain.database import Unit, Write
from bot.testing.console_home import Town
from bot.tools.permission.store import insert

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def approval_of(town: Town, tool: str) -> str:
    row = await town.house.app.database.read_one(
        "SELECT ref FROM approvals WHERE tool = ? AND state = 'open'", (tool,)
    )
    assert row is not None
    return str(row["ref"])


async def test_a_run_is_shown_from_acceptance_to_the_last_send(town: Town):
    row = await town.house.app.database.read_one(
        "SELECT cycle_id FROM cycle_events WHERE person = 'ann' AND type = 'tool_call'"
    )
    assert row is not None
    async with town.visitor("owner") as owner:
        page = await owner.look(f"/runs/{row['cycle_id']}")
    expected = "accepted, then in the queue|scripted|tool_search|tokens in|gate tool|settled"
    for words in f"{expected}|characters out|Accepted 20|Outcome:".split("|"):
        assert words in page, words


async def test_a_todo_shows_the_whole_day_or_moment_when_it_is_due(town: Town):
    writes = (
        Write("UPDATE todos SET due_date = ? WHERE owner = ?", (due, person))
        for due, person in (("2027-03-04", "ann"), ("2027-03-04T15:30:00.000Z", "owner"))
    )
    await town.house.app.database.write(Unit.of(*writes))
    async with town.visitor("ann") as ann, town.visitor("owner") as owner:
        assert ">2027-03-04<" in await ann.look("/own")
        assert ">2027-03-04 15:30<" in await owner.look("/own")


async def test_a_card_is_decided_here_once_and_by_whom_it_is_for(town: Town):
    ref = await approval_of(town, "wipe")
    page = f"/approvals/{ref}"
    async with town.visitor("ann") as ann, town.visitor("owner") as owner:
        assert "Approve this call" not in await ann.look(page)
        await ann.press(page, page, say="approve", shown=_shown(await owner.look(page)))
        assert "open" in await ann.look(page)
        assert "waits for you" in await owner.look("/approvals")
        told = await owner.press(page, page, say="approve", shown="another call")
        assert "shown" in told
        assert "Approve this call" in await owner.look(page)
        before = len(town.house.chat.posts)
        told = await owner.press(page, page, say="approve", shown=_shown(await owner.look(page)))
        assert f"Approval {ref}: approved." in told
        again = await owner.press(page, page, say="reject")
        assert "already" in again
    await town.house.chat.until(before + 1)
    await town.house.until_idle()
    rows = await town.house.app.database.read(
        "SELECT state, decided_by FROM approvals WHERE ref = ?", (ref,)
    )
    assert (rows[0]["state"], rows[0]["decided_by"]) == ("done", "owner")


async def test_what_waits_for_somebody_stands_before_what_waits_for_others(town: Town):
    """Ann's oldest one waits for a Partner: for the owner, but not for her."""
    now = town.house.app.clock.now()
    made = [
        Approval(f"{tool}1", "s", "ann", "assistant", tool, {}, None, "", rank,
        ApprovalState.OPEN, now + timedelta(seconds=rank), now + timedelta(days=1))
        for tool, rank in (("hers", 0), ("partners", 3))
    ]  # fmt: skip
    others = replace(made[1], ref="older1", tool="older", asked_at=now - timedelta(days=2))
    await town.house.app.database.write(Unit.of(*map(insert, [*made, others])))
    for who, order in (("ann", ["hers", "older", "partners"]), ("owner", ["older", "partners"])):
        async with town.visitor(who) as visitor:
            page = await visitor.look("/approvals")
        shown = re.findall(r">(hers|older|partners)</td>", page)
        assert shown == (order if who == "ann" else [*order, "hers"])


def _shown(page: str) -> str:
    found = re.search(r'name="shown" value="([^"]*)"', page)
    return found[1] if found else ""


async def test_a_person_forgets_what_is_remembered_of_them(town: Town):
    async with town.visitor("gwen") as gwen:
        before = await gwen.look("/memory")
        ref = re.search(r'name="ref" value="(\w+)"><button[^>]*Forget: cycles', before)
        assert ref is not None
        told = await gwen.press("/memory", "/memory", ref=ref[1])
        assert "Removed" in told
        assert "cycles to work" not in await gwen.look("/memory")
    async with town.visitor("ann") as ann:
        assert "cycles to work" in await ann.look("/memory")
        told = await ann.press("/memory", "/memory", ref=ref[1] + "x")
        assert "not here any more" in told


async def test_a_schedule_is_paused_and_resumed_by_its_owner(town: Town):
    async with town.visitor("ann") as ann:
        page = await ann.look("/unattended")
        ref = re.search(r"/console/unattended/([\w-]+)", page)
        assert ref is not None
        path = f"/unattended/{ref[1]}"
        assert "is paused" in await ann.press("/unattended", path, verb="pause", once="1")
        assert "goes on" in await ann.press("/unattended", path, verb="resume", once="2")
        assert "nothing called" in await ann.press("/unattended", path, verb="delete", once="3")


async def test_rights_say_why_with_file_and_line(town: Town):
    async with town.visitor("owner") as owner:
        page = await owner.look("/people/ann")
        assert "contacts.yaml, line 2" in page
        assert re.search(r"open to .*wipe\.md, line \d+", page)
        assert "names no place" in await owner.look("/people/ann?in=nowhere")
    async with town.visitor("gwen") as gwen:
        own = await gwen.look("/rights")
        assert "access.default_role" in own
        assert "wipe" not in own


async def test_a_staged_skill_is_made_live_as_it_was_shown(town: Town):
    async with town.visitor("owner") as owner:
        page = await owner.look("/staged/tidy")
        content = re.search(r'name="content" value="(\w+)"', page)
        assert content is not None
        told = await owner.press(
            "/staged/tidy", "/staged/tidy", say="approve", content="0" * 64, accepted="1"
        )
        assert "not what was shown" in told
        told = await owner.press(
            "/staged/tidy", "/staged/tidy", say="approve", content=content[1], accepted="1"
        )
        assert "is live" in told
        assert "Tidies a list of things" in await owner.look("/skills")


async def test_the_log_is_searched_from_its_end(town: Town):
    async with town.visitor("owner") as owner:
        page = await owner.look("/log?words=platform&level=ERROR")
        assert "a platform failed" in page
        assert "turn=" not in page

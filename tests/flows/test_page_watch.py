"""A watch of a page, set up as the skill `page-watch` says: its order lets each look run alone."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.domain.models import ModelReply
from bot.domain.origins import Origin, Trust
from bot.domain.tool_context import NativeTool, ToolContext
from bot.domain.tool_outcomes import ToolResult
from bot.testing.harness import Harness
from bot.testing.passing_time import app_with_clock, go
from bot.testing.scripted_model import ScriptedModel, call, say

URL = "https://school.example/nursing"
FILE = "/documents/watch/nursing.md"
DAILY = {
    "name": "nursing",
    "prompt": f"First ask agent_researcher to read {URL}. Then compare with {FILE}.",
    "cron": "every day at 12:00",
}


@dataclass
class Page:
    """The page of the school, as web_fetch gives it."""

    text: str

    async def read(self, context: ToolContext, given: Any) -> ToolResult:
        del context, given
        return ToolResult(self.text, origin=Origin(Trust.EXTERNAL, "web_fetch"))


def looked(words: str) -> list[ModelReply]:
    """The researcher's look at the page."""
    return [
        call("agent_researcher", {"instruction": f"Read {URL}."}),
        call("web_fetch", {"url": URL}),
        say(words),
    ]


UNCHANGED = call("finish_task", {"answer": "nursing: as before.", "status": "silent"})
COMPARED = call("read_file", {"path": FILE})


@asynccontextmanager
async def watching(home: Path, page: Page) -> AsyncGenerator[tuple[Harness, ScriptedModel]]:
    first = {"path": FILE, "content": "2026-11-21: intake not fixed\n"}
    model = ScriptedModel(
        [
            call("schedule_task", DAILY),
            *looked("intake not fixed"),
            call("write_file", first),
            say("I watch it."),
        ],
        strict=True,
    )
    async with app_with_clock(home, model) as at:
        natives = at.app.house.tooling.natives
        (fetch,) = (tool for tool in natives.tools if tool.name == "web_fetch")
        natives.stand_in(NativeTool("web_fetch", fetch.arguments, page.read, pure=True))
        answer = await at.ask("ann", f"tell me when {URL} changes")
        assert answer.startswith("I watch it."), "nothing waits for a yes"
        yield at, model


async def test_each_look_reads_the_page_and_keeps_what_changed(home: Path):
    page = Page("Intake: not fixed")
    async with watching(home, page) as (at, model):
        page.text = "Intake: 3 March"
        added = call("edit_file", {"path": FILE, "old": "", "new": "2026-11-21: 3 March"})
        model.replace(*looked("3 March"), COMPARED, added, say("was not fixed, is 3 March"))
        await go(at, days=1)
        assert at.chat.posts[-1].text.startswith("was not fixed, is 3 March")
        posts = len(at.chat.posts)
        model.replace(*looked("3 March"), COMPARED, UNCHANGED)
        await go(at, days=1)
        assert len(at.chat.posts) == posts, "nobody hears that nothing changed"
        assert "2026-11-21: 3 March" in str(model.requests[-1].messages)
        ref = (await at.command("ann", "schedule")).split()[1]
        ticks = await at.command("ann", "schedule", f"show {ref}")
        assert "12:00: done, began on time, nothing to say" in ticks
        assert "12:00: done, began on time, answer posted" in ticks


async def test_a_look_that_opens_the_file_first_has_to_ask_for_the_page(home: Path):
    async with watching(home, Page("Intake: not fixed")) as (at, model):
        model.replace(COMPARED, *looked("not read"), say("nursing: not read."))
        await go(at, days=1)
        assert "nobody is present to confirm it" in str(model.requests[-2].messages)

"""Pages that one reply asks for are read side by side, a few at a time."""

import asyncio
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from bot.domain.origins import Origin, Trust
from bot.domain.tool_context import ToolContext
from bot.domain.tool_outcomes import ToolResult
from bot.testing.harness import running_app
from bot.testing.scripted_model import ScriptedModel, calls, say

ALLOWED = "run_shapes: {chat: {allow_web: true}}\n"


@dataclass
class Pages:
    """Pages that are answered only when `together` of them were asked for."""

    together: int
    asked: list[str] = field(default_factory=list[str])
    open: int = 0
    most: int = 0

    def __post_init__(self) -> None:
        self._barrier = asyncio.Barrier(self.together)

    async def read(self, context: ToolContext, given: Any) -> ToolResult:
        del context
        self.asked.append(given.url)
        self.open += 1
        self.most = max(self.most, self.open)
        async with asyncio.timeout(10):
            await self._barrier.wait()
        self.open -= 1
        return ToolResult(f"text of {given.url}", origin=Origin(Trust.EXTERNAL, "web_fetch"))


async def test_four_pages_are_read_at_a_time_and_results_keep_the_order_of_the_calls(home: Path):
    pages = Pages(together=4)
    fetches = [("web_fetch", {"url": f"https://pages.example/{n}"}) for n in range(8)]
    model = ScriptedModel([calls(*fetches), say("Done.")])
    with (home / "bellhop.yaml").open("a") as settings:
        settings.write(ALLOWED)
    async with running_app(home, model) as house:
        natives = house.app.house.tooling.natives
        (fetch,) = (tool for tool in natives.tools if tool.name == "web_fetch")
        natives.stand_in(replace(fetch, run=pages.read))
        assert await house.ask("ann", "read these pages") == "Done."
    read = [
        block["content"][0]["text"]
        for message in model.requests[-1].messages
        for block in message["content"]
        if block["type"] == "tool_result"
    ]
    assert read == [f"text of https://pages.example/{n}" for n in range(8)]
    assert pages.most == 4

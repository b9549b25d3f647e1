"""What happens inside the demo's Bellhop, read from its home beside the running process."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.agents.cycle_log.tree import render_tree
from bot.app import App, open_read_only
from bot.errors import BotError

NEWEST = 6
LOOK_AGAIN_S = 0.2


@dataclass(frozen=True)
class CycleView:
    """One run of an agent: who asked what, and everything that was done for it."""

    id: str
    person: str
    agent: str
    status: str
    asked: str
    tree: str
    """As `bellhop cycles show --full` prints it."""


class Inside:
    """Reads the cycle log of a home."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def newest(self) -> list[CycleView]:
        """The newest runs, newest first."""
        log, cost = self._app.cycle_log, self._app.house.ground.meter.cost
        found: list[CycleView] = []
        for cycle in await log.recent(None, NEWEST):
            events = await log.events(cycle.cycle_id)
            tree = render_tree(events, full=True, cost=cost)
            found.append(
                CycleView(
                    cycle.cycle_id,
                    cycle.person,
                    cycle.agent,
                    str(cycle.status),
                    cycle.text[:200],
                    tree,
                )
            )
        return found


@asynccontextmanager
async def looking_inside(home: Path) -> AsyncGenerator[Inside]:
    """Open a home for reading, as soon as its Bellhop has made the database."""
    while True:
        async with AsyncExitStack() as stack:
            try:
                app = await stack.enter_async_context(open_read_only(home))
            except (BotError, OSError):
                await asyncio.sleep(LOOK_AGAIN_S)  # it is still being made
                continue
            yield Inside(app)
            return

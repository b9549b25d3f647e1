"""A background delegation in a process that ends at any write, for tests and bench/."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from bot.domain.models import ModelDelta, ModelReply, ModelRequest
from bot.testing.app_lives import AppLife, AppLives
from bot.testing.crash_points import CrashPoint
from bot.testing.plan_model import PlanModel, PlanStep
from bot.testing.scripted_model import call, say

SCRIBE = "---\ndescription: Writes.\n---\n\nYou are the scribe.\n"
ANSWERS = ("It is under way.", "scribe has finished “do:scribble”:\n\nIt is written.")
PLANS: Mapping[str, Sequence[PlanStep]] = {
    "delegate": [
        call("call_agent", {"agent": "scribe", "task": "do:scribble", "async": True}),
        say("It is under way."),
    ],
    "scribble": [call("save_fact", {"key": "colour", "value": "blue"}), say("It is written.")],
}


class HeldModel(PlanModel):
    """Holds back the scribe's reply until `go` is set; `asked` is set when its request arrives."""

    def __init__(self, plans: Mapping[str, Sequence[PlanStep]]) -> None:
        super().__init__(plans)
        self.asked = asyncio.Event()
        self.go = asyncio.Event()

    async def sample(
        self, request: ModelRequest, on_delta: Callable[[ModelDelta], None]
    ) -> ModelReply:
        if "You are the scribe." in str(request.system):
            self.asked.set()
            await self.go.wait()
        return await super().sample(request, on_delta)


def furnish(home: Path) -> None:
    """Add an agent that writes to the home."""
    agents = home / "prompts" / "agents"
    agents.mkdir(parents=True, exist_ok=True)
    (agents / "scribe.md").write_text(SCRIBE, encoding="utf-8")


async def play(home: Path, point: CrashPoint | None) -> tuple[AppLives, bool]:
    """Play one request that has the scribe write; True if the process ended at `point`.

    Raises AssertionError unless both answers were posted, each once.
    """

    async def asks(life: AppLife) -> object:
        return await life.chat.say("ann", "do:delegate", key="k1")

    lives = AppLives(home)
    crashed = await lives.play(PlanModel(PLANS, alive=lives.alive), [asks], point)
    if sorted(lives.chat.texts) != sorted(ANSWERS):
        raise AssertionError(f"{point}: {lives.chat.texts}")
    return lives, crashed

"""A swarm of three ants in a process that may end at any write, for tests and campaigns."""

from collections import Counter
from pathlib import Path

from bot.domain.models import ModelReply, ModelRequest
from bot.llm.blocks import blocks_of
from bot.testing.app_lives import AppLife, AppLives
from bot.testing.crash_points import CrashPoint
from bot.testing.plan_model import PlanModel, PlanStep
from bot.testing.scripted_model import call, say

ANTS = ("w1", "w2", "w3")


def _hands_in(result: str, *, met: bool = True) -> ModelReply:
    checks = [{"criterion": 1, "met": met, "evidence": "seen"}]
    return call("ant_execute_task", {"result": result, "checks": checks})


def _twice(request: ModelRequest) -> ModelReply:
    return _hands_in("two is there", met="This is try 2" in _opening(request))


def _task(command: str, ant: str, *depends_on: str) -> dict[str, object]:
    criteria = [{"text": "it is there", **({"command": command} if command else {})}]
    return {
        "id": ant,
        "type": "worker",
        "task": f"do:{ant}",
        "criteria": criteria,
        "depends_on": list(depends_on),
    }


def _plans(command: str) -> dict[str, tuple[PlanStep, ...]]:
    tasks = [_task(command, "w1"), _task(command, "w2"), _task(command, "w3", "w1", "w2")]
    return {
        "swarm": (
            call("agent_queen", {"instruction": "do:lead"}),
            lambda request: say(_newest(request)),
        ),
        "lead": (
            call("pm_prepare_workspace", {"project": "shop", "goal": "three files"}),
            call("pm_run_batch", {"tasks": tasks}),
            lambda request: say(_newest(request)),
        ),
        "w1": (
            call("pm_write_file", {"project": "shop", "path": "one.txt", "content": "1"}),
            call("ant_report_discovery", {"text": "one is a number"}),
            _hands_in("one is there"),
        ),
        "w2": (_twice,),
        "w3": (_hands_in("three is there"),),
    }


class SwarmLives:
    """One request for a swarm, played over as many lives as it takes.

    A given `command` decides every criterion.
    """

    def __init__(self, home: Path, command: str = "") -> None:
        self.lives = AppLives(home)
        self.model = PlanModel(_plans(command), alive=self.lives.alive)

    async def play(self, point: CrashPoint | None) -> bool:
        """Play the request in one life; True if the process ended at `point`."""

        async def asks(life: AppLife) -> object:
            return await life.chat.say("ben", "do:swarm", key="k1")

        return await self.lives.play(self.model, [asks], point)

    @property
    def asked(self) -> Counter[str]:
        """Return how many model calls each ant made, over all lives."""
        openings = [_opening(request) for request in self.model.requests]
        return Counter(
            ant for ant in ANTS for text in openings if f"You are the ant {ant} " in text
        )


def _opening(request: ModelRequest) -> str:
    return "\n".join(str(block.get("text") or "") for block in blocks_of(request.messages[0]))


def _newest(request: ModelRequest) -> str:
    """Return the text of the newest tool result."""
    results = [
        block
        for message in request.messages[-2:]
        for block in blocks_of(message)
        if block.get("type") == "tool_result"
    ]
    return "\n".join(str(part.get("text") or "") for block in results for part in block["content"])

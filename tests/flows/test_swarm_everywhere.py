"""A swarm on every surface: a live checklist, a struck ant, and the tree of tries."""

import asyncio
import json
import re
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest

from bot.agents.cycle_log.tree import render_tree
from bot.app import AppOptions
from bot.domain.models import ModelDelta, ModelReply, ModelRequest
from bot.plugins.discord_chat.rates import Pace
from bot.testing import surfaces
from bot.testing.discord_town import QUICK
from bot.testing.plan_model import PlanModel
from bot.testing.running import running
from bot.testing.scripted_model import call, say
from bot.testing.slack_house import HurriedClock
from bot.testing.tools import NO_SANDBOX
from bot.testing.waiting import until

Opened = Callable[[Path, Pace], AbstractAsyncContextManager[surfaces.Surface]]
ANSWER = "The page stands; nobody tested it."
TREE = {
    "cognitive assistant: success": 1,
    "  agent queen: success": 1,
    (
        "    agent worker: not verified: Criterion 1 (it is done) is not met by the ant's own "
        "check: seen"
    ): 1,
    "    agent worker: success: verified": 2,
    "    agent soldier: abandoned: struck by the person": 1,
}


def handed_in(request: ModelRequest, *, met: bool = True) -> ModelReply:
    checks = [{"criterion": 1, "met": met, "evidence": "seen"}]
    return call("ant_execute_task", {"result": "it is done", "checks": checks})


def ant(ant_id: str, kind: str, *depends_on: str) -> dict[str, object]:
    return {
        "id": ant_id,
        "type": kind,
        "task": f"Work on {ant_id}. do:{ant_id}",
        "criteria": [{"text": "it is done"}],
        "depends_on": list(depends_on),
    }


class Builders(PlanModel):
    """The first worker needs a second try; the soldier never ends, and later work waits."""

    def __init__(self) -> None:
        tasks = [ant("w1", "worker"), ant("s1", "soldier"), ant("w2", "worker", "s1")]
        super().__init__(
            {
                "build": [call("agent_queen", {"instruction": "do:lead"}), say(ANSWER)],
                "lead": [
                    call("pm_prepare_workspace", {"project": "page", "goal": "a page"}),
                    call("pm_run_batch", {"tasks": tasks}),
                    self._reported,
                ],
                "w1": [
                    lambda request: handed_in(request, met="This is try 2" in str(request.messages))
                ],
                "w2": [handed_in],
            }
        )
        self.report = ""

    def _reported(self, request: ModelRequest) -> ModelReply:
        self.report = request.messages[-1]["content"][0]["content"][0]["text"]
        return say("Two of three are done.")

    async def sample(
        self, request: ModelRequest, on_delta: Callable[[ModelDelta], None]
    ) -> ModelReply:
        if "You are a soldier" in str(request.system):
            await asyncio.Event().wait()
        return await super().sample(request, on_delta)


def shown(lines: list[str], *marks: str) -> bool:
    """Whether the ants are shown in these states, in order."""
    ants = [line for line in lines if re.search(r"\b[ws]\d\. ", line)]
    return len(ants) == len(marks) and all(
        line.startswith(tuple(mark.split("|"))) for line, mark in zip(ants, marks, strict=True)
    )


@pytest.mark.parametrize("surface", [surfaces.terminal, surfaces.discord, surfaces.slack])
async def test_ants_are_a_checklist_that_the_person_strikes_from(surface: Opened, home: Path):
    model = Builders()
    async with surface(home, QUICK) as here:
        (home / "contacts.yaml").write_text(
            f"- {{id: ann, name: Ann, role: Partner, ids: {{{here.person}}}}}\n"
        )
        (home / "bellhop.yaml").write_text(NO_SANDBOX)
        async with running(AppOptions(home, [here.chat], model, HurriedClock())) as app:
            await until(here.ready)
            here.say("A page, please. do:build")
            await until(
                lambda: shown(here.plan(), "✅|[complete]", "⏳|[in_progress]", "▫️|[pending]")
            )
            here.order("plan", "add Draw a picture.")
            await here.reads("Only the queen of this plan adds tasks")
            here.order("plan", "strike s1")
            await here.reads(ANSWER)
            await until(
                lambda: any(
                    text.startswith("Struck: s1. soldier: Work on s1.") for text in here.sees()
                )
            )
            await until(lambda: not app.engine.busy)
            [cycle] = await app.cycle_log.recent("ann", 1)
            tree = render_tree(await app.cycle_log.events(cycle.cycle_id))
    assert model.report.startswith("2 of 3 ants verified, 1 struck by the person.")
    assert (
        "s1: the person struck it; files that it changed are still changed. Don't send it again."
        in model.report
    )
    headings = re.findall(r"^ *(?:cognitive|agent) .*", tree, re.MULTILINE)
    assert Counter(re.sub(r" [0-9a-f]{8}:", ":", line) for line in headings) == TREE, json.dumps(
        headings
    )

"""A hard question on every surface: a plan, a crash, a struck task, a partial answer."""

import asyncio
import json
import re
import shlex
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest
import yaml

from bot.agents.cycle_log.tree import render_tree
from bot.app import AppOptions
from bot.domain.models import ModelDelta, ModelReply, ModelRequest
from bot.plugins.discord_chat.rates import Pace
from bot.testing import hostile_specialists, surfaces
from bot.testing.discord_town import QUICK
from bot.testing.plan_model import PlanModel, PlanStep
from bot.testing.running import running
from bot.testing.scripted_model import call, say
from bot.testing.slack_house import HurriedClock
from bot.testing.waiting import until

CRASHES = (sys.executable, "-I", "-S", hostile_specialists.__file__, "killed_when")
TASKS = [
    {"id": "1", "description": "Find the prices of vendor A. do:prices", "agent": "observer"},
    {"id": "2", "description": "Read the terms of vendor B. do:terms", "agent": "scribe"},
    {"id": "3", "description": "Look for reviews of both. do:reviews"},
    {"id": "4", "description": "Say which one to take. do:sum", "depends_on": ["1", "2", "3"]},
]
INSTEAD = [
    {"id": "5", "description": "Recommend one without prices. do:sum", "depends_on": ["2", "3"]}
]
Opened = Callable[[Path, Pace], AbstractAsyncContextManager[surfaces.Surface]]
PARTIAL = "Take B: its terms are better. I could not get the prices of A."


class Vendors(PlanModel):
    """The reviews never end, and what comes after them waits for that: the person strikes them."""

    def __init__(self) -> None:
        unlock, plan = (
            call("get_capabilities", {"names": ["plan"]}),
            call("plan", {"goal": "Choose a vendor", "tasks": TASKS}),
        )
        answers = self._partial
        steps: dict[str, list[PlanStep]] = {
            "big": [unlock, plan, answers],
            "terms": [say("B delivers free of charge.")],
            "sum": [say("B has the better terms.")],
        }
        super().__init__(steps)
        self.report = ""
        self.seen = asyncio.Event()
        """The person has seen the first three tasks at work; the second may end then."""

    def _partial(self, request: ModelRequest) -> ModelReply:
        # The tool `recovery`, which the report brings, may stand behind its result.
        [result] = [
            block
            for message in request.messages[-2:]
            for block in message["content"]
            if block["type"] == "tool_result"
        ]
        self.report = result["content"][0]["text"]
        return say(PARTIAL)

    async def sample(
        self, request: ModelRequest, on_delta: Callable[[ModelDelta], None]
    ) -> ModelReply:
        asked = json.dumps(request.messages[-1:])
        if "A task of a plan failed" in asked:
            return say(json.dumps({"tasks": INSTEAD}))
        if asked.endswith('do:reviews"}]}]'):
            await asyncio.Event().wait()
        if asked.endswith('do:terms"}]}]'):
            await self.seen.wait()
        return await super().sample(request, on_delta)


def furnish(home: Path, person: str, seen: Path) -> None:
    """`seen`: the first task's program crashes once this file is there."""
    (home / "contacts.yaml").write_text(
        f"- {{id: ann, name: Ann, role: Friend, ids: {{{person}}}}}\n"
    )
    settings = {
        "agents": {"overrides": {"observer": {"command": shlex.join([*CRASHES, str(seen)])}}},
        "tools": {"shell": {"sandbox": "none"}},
    }
    (home / "bellhop.yaml").write_text(yaml.safe_dump(settings))
    agents = home / "prompts" / "agents"
    agents.mkdir(parents=True, exist_ok=True)
    (agents / "scribe.md").write_text("---\ndescription: Reads.\n---\n\nYou are the scribe.\n")


def all_at_once(lines: list[str]) -> bool:
    """Whether the first three tasks are shown at work and the fourth not."""
    tasks = [line for line in lines if re.search(r"\d\. ", line)]
    return [bool(re.match(r"⏳|\[in_progress\]", line)) for line in tasks] == [
        True,
        True,
        True,
        False,
    ]


def replanned(lines: list[str]) -> bool:
    return any("1. " in line and "no connection" in line for line in lines) and any(
        "5. " in line for line in lines
    )


def struck(lines: list[str]) -> bool:
    return any("3. Look for reviews of both. do:reviews (struck)" in line for line in lines)


REPORT = """\
Partial: 2 of 4 tasks Completed, 1 Failed, 1 struck by the person. The agents used 300 \
tokens in, 30 out.
Use what there is, and say what is missing. One open part you look up yourself; recovery goes \
on with a failed task where another way is likely.

1. Failed (transport): Find the prices of vendor A. do:prices
subprocess observer: was ended by signal 9 before a terminal response
2. Completed: Read the terms of vendor B. do:terms
B delivers free of charge.
3. struck by the person: Look for reviews of both. do:reviews
5. Completed: Recommend one without prices. do:sum
B has the better terms."""
CRASHED = "failure: subprocess observer: was ended by signal 9 before a terminal response"
TREE = {
    "cognitive assistant: success": 1,
    f"  agent observer: {CRASHED}": 3,
    "  agent scribe: success": 1,
    "  agent assistant: abandoned: struck by the person": 1,
    "  agent assistant: success": 2,
}


@pytest.mark.parametrize("surface", [surfaces.terminal, surfaces.discord, surfaces.slack])
async def test_a_hard_question_is_planned_repaired_and_answered_in_part(
    surface: Opened, home: Path
):
    model = Vendors()
    async with surface(home, QUICK) as here:
        seen = home / "seen"
        furnish(home, here.person, seen)
        async with running(AppOptions(home, [here.chat], model, HurriedClock())) as app:
            await until(here.ready)
            here.say("Which vendor? do:big")
            await until(lambda: all_at_once(here.plan()))
            await asyncio.to_thread(seen.touch)
            model.seen.set()
            await until(lambda: replanned(here.plan()))
            here.order("plan", "strike 3")
            await until(lambda: struck(here.plan()) or any(PARTIAL in text for text in here.sees()))
            await here.reads(PARTIAL)
            await until(
                lambda: any(
                    text.startswith("Struck: 3. Look for reviews of both.") for text in here.sees()
                )
            )
            await until(lambda: not app.engine.busy)
            here.order("why", "")
            await here.reads("Handed to 3 agents: 330 tokens (49 % of this request)")
            [cycle] = await app.cycle_log.recent("ann", 1)
            tree = render_tree(await app.cycle_log.events(cycle.cycle_id))
    assert model.report == REPORT
    headings = re.findall(r"^ *(?:cognitive|agent) .*", tree, re.MULTILINE)
    assert Counter(re.sub(r" [0-9a-f]{8}:", ":", line) for line in headings) == TREE

"""A swarm from the question to the answer: split, verified, tried again, and only what was verified is returned."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bot.domain.models import ModelReply, ModelRequest
from bot.testing.harness import running_app
from bot.testing.plan_model import PlanModel, PlanStep
from bot.testing.scripted_model import call, say

READY = call("pm_prepare_workspace", {"project": "shop", "goal": "a shop that adds up", "skill": "webdev"})
LED: Sequence[PlanStep] = (
    call("agent_queen", {"instruction": "do:lead"}),
    lambda request: say(told(request)),
)


def told(request: ModelRequest) -> str:
    return json.dumps(request.messages[-2:], ensure_ascii=False)


def opening(request: ModelRequest) -> str:
    """What a run was told at its beginning."""
    return "\n".join(str(block.get("text", "")) for block in request.messages[0]["content"])


def ant(ant_id: str, plan: str, *depends_on: str, **more: Any) -> dict[str, Any]:
    criteria = more.pop("criteria", [{"text": "it is done"}])
    given = {"id": ant_id, "type": "worker", "task": f"do:{plan}", "criteria": criteria, "depends_on": list(depends_on)}
    return {**given, **more}


def handed_in(result: str, *met: bool) -> ModelReply:
    checks = [
        {"criterion": number, "met": one, "evidence": f"seen {number}"} for number, one in enumerate(met or (True,), 1)
    ]
    return call("ant_execute_task", {"result": result, "checks": checks})


def leading(*steps: PlanStep, **ants: Sequence[PlanStep]) -> PlanModel:
    """A queen who makes these calls and answers with what the last one gave; ants that follow plans of their own."""
    lead = (READY, *steps, lambda request: say(told(request)))
    plans: Mapping[str, Sequence[PlanStep]] = {"swarm": LED, "lead": lead, **ants}
    return PlanModel(plans)


async def led(home: Path, model: PlanModel, who: str = "ben") -> str:
    async with running_app(home, model) as running:
        return json.loads(json.dumps(await running.ask(who, "do:swarm")))


def batch(*tasks: dict[str, Any], **more: Any) -> ModelReply:
    return call("pm_run_batch", {"tasks": list(tasks), **more})


async def test_ants_build_on_each_others_verified_work(home: Path):
    seen: list[str] = []

    def second(request: ModelRequest) -> ModelReply:
        seen.append(opening(request))
        return handed_in("total.py adds up")

    model = leading(
        batch(ant("w1", "first", files=["add.py"]), ant("w2", "second", "w1", files=["total.py"])),
        first=(
            call("pm_write_file", {"project": "shop", "path": "add.py", "content": "print(42)\n"}),
            call("ant_report_discovery", {"text": "prices are in cents"}),
            handed_in("add.py prints 42"),
        ),
        second=(second,),
    )
    answer = await led(home, model)
    assert "2 of 2 ants verified" in answer
    assert "add.py prints 42" in answer
    assert "prices are in cents" in answer
    assert 'kind=\\"discovery of the ant w1\\"' in seen[0].replace('"', '\\"')
    assert 'kind="result of the ant w1" from="agent:worker"' in seen[0]
    assert "a shop that adds up" in seen[0]
    project = home / "data" / "workspaces" / "ben" / "shop"
    assert (project / "add.py").read_text() == "print(42)\n"
    assert json.loads((project / "project.json").read_text())["skill"] == "webdev"
    assert {path.name for path in (project.parent / ".snapshots" / "shop").iterdir()} == {"start.tar.gz", "end.tar.gz"}

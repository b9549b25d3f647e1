"""recovery: a model's choice after a failed task, and whose word counts on a failure."""

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from bot.domain.models import ModelDelta, ModelReply, ModelRequest
from bot.testing.harness import running_app
from bot.testing.plan_model import PlanModel, PlanStep
from bot.testing.scripted_model import call, say, told, unlock


def task(number: str, description: str, *needs: str) -> dict[str, object]:
    return {"id": number, "description": description, "depends_on": list(needs)}


DRAFTS = {
    "too large for one run": [task("1", "do:half"), task("2", "do:rest")],
    "try elsewhere": [task("4", "do:elsewhere"), task("5", "do:sum", "4")],
    "Make a plan for this goal": [
        task("1", "do:half"),
        task("2", "do:rest"),
        task("3", "do:sum", "1", "2"),
    ],
}


class Crew(PlanModel):
    """Follows plans, answers the planner's questions, and keeps what each agent was told."""

    def __init__(self, plans: Mapping[str, Sequence[PlanStep]]) -> None:
        super().__init__(plans)
        self.briefs: list[str] = []

    async def sample(
        self, request: ModelRequest, on_delta: Callable[[ModelDelta], None]
    ) -> ModelReply:
        if "You make and mend plans." not in str(request.system):
            self.briefs.append(told(request))
            return await super().sample(request, on_delta)
        tasks = [one for words, tasks in DRAFTS.items() if words in told(request) for one in tasks]
        return say(json.dumps({"tasks": tasks}))


def unlocked(*steps: PlanStep) -> list[PlanStep]:
    return [unlock("plan", "recovery"), *steps]


def recovering(strategy: str, task_id: str = "1", **more: str) -> list[PlanStep]:
    """A plan whose first task fails, and what is done about it."""
    tasks = [
        {**task("1", f"do:{strategy}-bad"), **more},
        task("2", "do:rest"),
        task("3", "do:sum", "1"),
    ]
    plan = call("plan", {"goal": "compare vendors", "tasks": tasks})
    recovery = call(
        "recovery", {"task_id": task_id, "strategy": strategy, "reason": "try elsewhere"}
    )
    return unlocked(plan, recovery, lambda r: say(told(r)))


def fails(times: int) -> list[PlanStep]:
    """A task that ends unresolved so many times, and then succeeds."""
    tries = Counter[str]()

    def reply(_request: ModelRequest) -> ModelReply:
        tries["all"] += 1
        if tries["all"] > times:
            return say("Now it worked.")
        return call("finish_task", {"answer": "The price list timed out.", "status": "unresolved"})

    return [reply]


async def test_each_strategy_goes_on_where_the_task_failed(home: Path):
    model = Crew(
        {
            "retry": recovering("retry"),
            "retry-bad": fails(1),
            "alternative": recovering("alternative", tool="search"),
            "alternative-bad": fails(2),
            "split": recovering("split"),
            "split-bad": fails(9),
            "replan": recovering("replan"),
            "replan-bad": fails(9),
            "abort": recovering("abort"),
            "abort-bad": fails(9),
            "wrong": recovering("abort", "2"),
            "half": [say("One half.")],
            "rest": [say("The rest.")],
            "sum": [say("The sum.")],
            "elsewhere": [say("From elsewhere.")],
        }
    )
    async with running_app(home, model) as running:
        answer = await running.ask("ann", "do:retry")
        assert "Complete: 3 of 3 tasks Completed" in answer
        assert "Now it worked." in answer
        assert "2. Completed, as before: do:rest" in answer, "what was told before is not repeated"
        assert any("This time: try elsewhere" in brief for brief in model.briefs), (
            "its reason is advice"
        )

        answer = await running.ask("ann", "do:alternative")
        assert "Complete: 3 of 3 tasks Completed" in answer
        begun = re.findall(r"Begin with the tool (\w+)", "\n".join(model.briefs))
        assert begun[0] == "search"
        assert len(set(begun)) == len(begun) == 3, (
            "another by the plan itself, and a third by recovery"
        )

        answer = await running.ask("ann", "do:split")
        assert "Complete: 3 of 3 tasks Completed" in answer
        assert "1.2. Completed: do:rest" in answer

        answer = await running.ask("ann", "do:replan")
        assert "Partial: 3 of 4 tasks Completed, 1 Failed" in answer
        assert "From elsewhere." in answer

        answer = await running.ask("ann", "do:abort")
        assert "Partial: 2 of 3 tasks Completed, 1 given up" in answer
        assert "1. given up: try elsewhere: do:abort-bad" in answer
        assert "3. Completed: do:sum" in answer, "what needed it is done without it"

        answer = await running.ask("ann", "do:wrong")
        assert "task 2 is no failed task of this plan; failed: 1" in answer


async def test_an_agent_that_says_it_got_nowhere_has_failed_its_task(home: Path):
    tasks = [task(n, f"do:{n}") for n in ("lost", "half", "rest")]
    model = Crew(
        {
            "big": unlocked(
                call("plan", {"goal": "compare", "tasks": tasks}), lambda r: say(told(r))
            ),
            "lost": fails(9),
            "half": [call("finish_task", {"answer": "One half.", "status": "partial"})],
            "rest": [say("The rest.")],
        }
    )
    async with running_app(home, model) as running:
        answer = await running.ask("ann", "do:big")
    assert "Partial: 2 of 3 tasks Completed, 1 Failed" in answer
    assert "half. Completed: do:half\\ndone in part: One half." in answer
    assert "lost. Failed (unknown): do:lost\\nended unresolved: The price list timed out." in answer
    assert sum("do:lost" in brief and "plan" not in brief for brief in model.briefs) == 1, (
        "its words are no category"
    )


async def test_a_partly_failed_plan_brings_recovery_with_its_report(home: Path):
    def declared(request: ModelRequest) -> ModelReply:
        sent = json.dumps([request.messages, request.tools])
        return say("declared" if '"name": "recovery"' in sent else "missing")

    tasks = [task("1", "do:bad"), task("2", "do:rest"), task("3", "do:sum", "1")]
    model = Crew(
        {
            "big": [
                unlock("plan"),
                call("plan", {"goal": "compare vendors", "tasks": tasks}),
                declared,
            ],
            "bad": fails(9),
            "rest": [say("The rest.")],
            "sum": [say("The sum.")],
        }
    )
    async with running_app(home, model) as running:
        assert await running.ask("ann", "do:big") == "declared"


async def test_recovery_needs_a_plan_and_a_way(home: Path):
    recovery = call("recovery", {"task_id": "1", "strategy": "retry", "reason": "again"})
    model = Crew(
        {
            "none": unlocked(recovery, lambda r: say(told(r))),
            "alternative": recovering("alternative"),
            "alternative-bad": fails(9),
        }
    )
    async with running_app(home, model) as running:
        assert "there is no plan in this run" in await running.ask("ann", "do:none")
        answer = await running.ask("ann", "do:alternative")
        assert "task 1 can't be continued by alternative: it names no tool to begin with" in answer
        assert "Look yourself, or abort it" in answer


async def test_a_plan_without_tasks_is_worked_out_first(home: Path):
    model = Crew(
        {
            "big": unlocked(call("plan", {"goal": "compare vendors"}), lambda r: say(told(r))),
            "half": [say("One half.")],
            "rest": [say("The rest.")],
            "sum": [say("The sum.")],
        }
    )  # fmt: skip
    async with running_app(home, model) as running:
        answer = await running.ask("ann", "do:big")
    assert "Complete: 3 of 3 tasks Completed" in answer
    assert "The sum." in answer

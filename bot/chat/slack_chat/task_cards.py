"""Slack's task cards in a growing message: what is being done, and the tasks of a plan.

Slack has no way to take a card away, so each ends with what it became.
"""

from collections.abc import Mapping, Sequence

from bot.chat.slack_chat.markup import tame
from bot.domain.chat import PlanShown
from bot.domain.json_types import JsonObject
from bot.domain.plans import PlanTask, TaskState

_PLAN = "plan"
_TITLE, _DETAILS = 200, 200
_HOW_TO_CHANGE = "(!plan strike NUMBER or !plan add TASK changes it)"
_HOW_TO_STRIKE = "(!plan strike NUMBER changes it)"
_REPLACED = " (replaced)"
_STATES = {
    TaskState.PENDING: "pending",
    TaskState.IN_PROGRESS: "in_progress",
    TaskState.COMPLETED: "complete",
    TaskState.FAILED: "error",
}


def task_card(card: str, title: str, status: str, details: Sequence[str] = ()) -> JsonObject:
    """One card; `details` are lines that Slack shows below its title."""
    shown: JsonObject = {
        "type": "task_update",
        "id": card,
        "title": tame(title)[:_TITLE] or "working",
        "status": status,
    }
    told = tame("\n".join(details))[:_DETAILS]
    return {**shown, "details": told} if told else shown


def plan_cards(plan: PlanShown, before: Mapping[str, JsonObject]) -> dict[str, JsonObject]:
    """The plan's cards by key; those of `before` whose task left it are marked as replaced."""
    how = _HOW_TO_CHANGE if plan.grows else _HOW_TO_STRIKE
    goal = tame(" ".join(plan.goal.split()))[:150]
    cards: dict[str, JsonObject] = {_PLAN: {"type": "plan_update", "title": f"{goal} {how}"}}
    cards |= {f"{_PLAN} {task.id}": _of_task(task) for task in plan.tasks}
    return cards | {key: _replaced(card) for key, card in before.items() if key not in cards}


def _of_task(task: PlanTask) -> JsonObject:
    name, title = f"plan-{task.id}", f"{task.id}. {task.title}"
    if task.struck:
        return task_card(name, f"{title} (struck)", "complete")
    details = task.note or (str(task.failure) if task.failure else "")
    return task_card(name, title, _STATES[task.state], [details])


def _replaced(card: JsonObject) -> JsonObject:
    """The final state of a card whose task left the plan."""
    title = str(card["title"]).removesuffix(_REPLACED)
    return {**task_card(str(card["id"]), title, "complete"), "title": f"{title}{_REPLACED}"}

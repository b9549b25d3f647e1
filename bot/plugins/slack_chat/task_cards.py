"""Slack's task cards in a growing message: what is being done, and the tasks of a plan.

Slack has no way to take a card away, so each ends with what it became.
"""

from collections.abc import Mapping, Sequence

from bot.plugin.chat import PlanShown
from bot.plugin.drawing import REPLACED, Language, PlanTask, TaskState, about_task, change_hint
from bot.plugin.payloads import JsonObject
from bot.plugins.slack_chat.markup import tame

_PLAN = "plan"
_TITLE, _DETAILS = 200, 200
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
        "title": tame(title)[:_TITLE] or "…",
        "status": status,
    }
    told = tame("\n".join(details))[:_DETAILS]
    return {**shown, "details": told} if told else shown


def plan_cards(plan: PlanShown, before: Mapping[str, JsonObject]) -> dict[str, JsonObject]:
    """The plan's cards by key; those of `before` whose task left it are marked as replaced."""
    goal, hint = tame(" ".join(plan.goal.split()))[:150], change_hint(plan, "!plan")
    title = f"{goal} ({hint})" if hint else goal
    cards: dict[str, JsonObject] = {_PLAN: {"type": "plan_update", "title": title}}
    cards |= {f"{_PLAN} {task.id}": _of_task(task, plan.language) for task in plan.tasks}
    gone = f" ({REPLACED.said(plan.language)})"
    return cards | {key: _replaced(card, gone) for key, card in before.items() if key not in cards}


def _of_task(task: PlanTask, language: Language) -> JsonObject:
    name, title, about = f"plan-{task.id}", f"{task.id}. {task.title}", about_task(task, language)
    if task.struck:
        return task_card(name, f"{title} ({about})", "complete")
    return task_card(name, title, _STATES[task.state], [about] if about else [])


def _replaced(card: JsonObject, gone: str) -> JsonObject:
    """The final state of a card whose task left the plan."""
    title = str(card["title"]).removesuffix(gone)
    return {**task_card(str(card["id"]), title, "complete"), "title": f"{title}{gone}"}

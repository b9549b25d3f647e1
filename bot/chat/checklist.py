"""A plan as lines, one per task: Discord and the terminal show it while it runs."""

from bot.domain.characters import shortened
from bot.domain.chat import PlanShown
from bot.domain.languages import Language, Phrase
from bot.domain.plans import FAILURES, STRUCK, PlanTask, TaskState, note_said

ADDS = Phrase("{command} add … adds one")

_MARKS = {
    TaskState.PENDING: "▫️",
    TaskState.IN_PROGRESS: "⏳",
    TaskState.COMPLETED: "✅",
    TaskState.FAILED: "❌",
}
_STRUCK = "✖️"
_LINE_CHARS = 120


def checklist(plan: PlanShown) -> list[str]:
    """One line for each task, those of a sub-plan indented."""
    return [_line(task, plan.language) for task in plan.tasks]


def change_hint(plan: PlanShown, command: str) -> str:
    """The person's commands for changing the plan; empty when nothing is left to strike."""
    left = next((task.id for task in plan.tasks if not task.settled), None)
    if left is None:
        return ""
    hint = Phrase("{command} strike {task} takes a task out").said(
        plan.language, command=command, task=left
    )
    return f"{hint}, {ADDS.said(plan.language, command=command)}" if plan.grows else hint


def about_task(task: PlanTask, language: Language) -> str:
    """What goes on with a task, or why it failed; empty without anything to say."""
    if task.struck:
        return STRUCK.said(language)
    if task.note is not None:
        return note_said(task.note, language)
    return "" if task.failure is None else FAILURES[task.failure].said(language)


def _line(task: PlanTask, language: Language) -> str:
    about = about_task(task, language)
    words = shortened(f"{task.id}. {task.title}{f' ({about})' if about else ''}", _LINE_CHARS)
    indent = "  " * task.id.count(".")
    return f"{indent}{_STRUCK if task.struck else _MARKS[task.state]} {words}"

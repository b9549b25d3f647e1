"""A plan as lines, one per task: Discord and the terminal show it while it runs."""

from collections.abc import Sequence

from bot.domain.plans import PlanTask, TaskState

_MARKS = {
    TaskState.PENDING: "▫️",
    TaskState.IN_PROGRESS: "⏳",
    TaskState.COMPLETED: "✅",
    TaskState.FAILED: "❌",
}
_STRUCK = "✖️"
_LINE_CHARS = 120


def checklist(tasks: Sequence[PlanTask]) -> list[str]:
    """One line for each task, those of a sub-plan indented."""
    return [_line(task) for task in tasks]


def change_hint(tasks: Sequence[PlanTask], command: str, *, grows: bool = True) -> str:
    """The person's commands for changing the plan; empty when nothing is left to strike.

    `grows`: whether tasks can be added.
    """
    left = next((task.id for task in tasks if not task.settled), None)
    adding = f", {command} add … adds one" if grows else ""
    return "" if left is None else f"{command} strike {left} takes a task out{adding}"


def _line(task: PlanTask) -> str:
    words = f"{task.id}. {task.title}"
    if task.struck:
        words = f"{words} (struck)"
    elif task.note:
        words = f"{words} ({task.note})"
    elif task.failure is not None:
        words = f"{words} ({task.failure})"
    if len(words) > _LINE_CHARS:
        words = f"{words[: _LINE_CHARS - 1]}…"
    indent = "  " * task.id.count(".")
    return f"{indent}{_STRUCK if task.struck else _MARKS[task.state]} {words}"

"""A plan as lines, one for each task: what Discord and the terminal show while it runs."""

from collections.abc import Sequence

from bot.domain.plans import PlanTask, TaskState

_MARKS = {
    TaskState.PENDING: "▫️",
    TaskState.IN_PROGRESS: "⏳",
    TaskState.COMPLETED: "✅",
    TaskState.FAILED: "❌",
}
_LINE_CHARS = 120


def checklist(tasks: Sequence[PlanTask], struck: str = "~~") -> list[str]:
    """One line for each task, those of a sub-plan indented; `struck` stands around what was struck out."""
    return [_line(task, struck) for task in tasks]


def _line(task: PlanTask, struck: str) -> str:
    words = f"{task.id}. {task.title}"
    if task.note:
        words = f"{words} ({task.note})"
    elif task.failure is not None:
        words = f"{words} ({task.failure})"
    if len(words) > _LINE_CHARS:
        words = f"{words[: _LINE_CHARS - 1]}…"
    indent = "  " * task.id.count(".")
    return f"{indent}{struck}{words}{struck}" if task.struck else f"{indent}{_MARKS[task.state]} {words}"

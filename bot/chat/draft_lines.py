"""What an edited draft shows of a turn: its plan, the line of what is done, the growing text."""

from collections.abc import Callable

from bot.chat.rendering import tables_as_code, tail_of
from bot.domain.characters import short_line, shortened
from bot.domain.chat import (
    LiveUpdate,
    PlanShown,
    Status,
    TextDelta,
    TextReset,
    Thinking,
    ToolEnded,
    ToolStarted,
    WorkShown,
)
from bot.domain.clock import Clock, Timer
from bot.domain.languages import Language, Phrase
from bot.domain.plans import FAILURES, STRUCK, PlanTask, TaskState, note_said

_LINE_CHARS = 120
ADDS = Phrase("{command} add … adds one")

_MARKS = {
    TaskState.PENDING: "▫️",
    TaskState.IN_PROGRESS: "⏳",
    TaskState.COMPLETED: "✅",
    TaskState.FAILED: "❌",
}
_STRUCK = "✖️"


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


SHOWN_AFTER_S = 10.0
"""Who waits less than this has no use for it."""
_STEP_S = 5.0
_LONG_STEP_S = 15.0
"""After a minute: an edit for each few seconds would use up what a platform allows."""


def elapsed(seconds: float) -> str:
    """` · 25 s`, ` · 1 min 15 s`; empty in the beginning. It changes in steps."""
    if seconds < SHOWN_AFTER_S:
        return ""
    shown = int(seconds - seconds % _step(seconds))
    minutes, rest = divmod(shown, 60)
    parts = [f"{minutes} min"] if minutes else []
    parts += [f"{rest} s"] if rest or not minutes else []
    return f" · {' '.join(parts)}"


def until_next(seconds: float) -> float:
    """The seconds until `elapsed` says something else."""
    if seconds < SHOWN_AFTER_S:
        return SHOWN_AFTER_S - seconds
    return _step(seconds) - seconds % _step(seconds)


def _step(seconds: float) -> float:
    return _STEP_S if seconds < 60 else _LONG_STEP_S


_LEFT_OUT = 2
"""The goal stays, and `…` stands for at least the first task."""


class DoingLine:
    """The one line that says what is being done, and after a while for how long.

    `changed` is called when time alone has changed it.
    """

    def __init__(self, clock: Clock, changed: Callable[[], object]) -> None:
        self._clock = clock
        self._changed = changed
        self._since = clock.monotonic()
        self._doing: WorkShown | None = None
        self._timer: Timer = clock.after(SHOWN_AFTER_S, self._tick)

    def show(self, doing: WorkShown) -> None:
        self._doing = doing

    def stop(self) -> None:
        self._timer.cancel()

    def words(self, *, text: bool) -> str:
        """Empty while there is nothing to say, as where the `text` that grows says it all."""
        waited = self._clock.monotonic() - self._since
        if self._doing is None or (self._doing.patient and (text or waited < SHOWN_AFTER_S)):
            return ""
        return f"⏳ {one_line(self._doing.words)}{elapsed(waited)}"

    def over(self) -> str:
        """What the line says where it has to stay above the answer."""
        done = self._doing.done if self._doing is not None else WorkShown("").done
        return f"{one_line(done)}{elapsed(self._clock.monotonic() - self._since)}"

    @property
    def steps(self) -> tuple[str, ...]:
        """What was done, in the words of the line."""
        return self._doing.steps if self._doing is not None else ()

    def _tick(self) -> None:
        waited = self._clock.monotonic() - self._since
        self._timer = self._clock.after(until_next(waited), self._tick)
        self._changed()


class DraftLines:
    """Gathers a turn's live updates for platforms whose draft is one markdown text."""

    def __init__(self, clock: Clock, changed: Callable[[], object]) -> None:
        self.text = ""
        """The answer as far as it has come."""
        self.hint = ""
        """How the plan can be changed."""
        self._line = DoingLine(clock, changed)
        self._plan: list[str] = []

    def show(self, update: LiveUpdate) -> None:
        match update:
            case TextDelta(text):
                self.text += text
            case TextReset():
                self.text = ""
            case PlanShown():
                self._plan = [f"**{one_line(update.goal)}**", *checklist(update)]
                self.hint = change_hint(update, "/plan")
            case WorkShown():
                self._line.show(update)
            case ToolStarted() | ToolEnded() | Thinking() | Status():
                return

    def stop(self) -> None:
        self._line.stop()

    def drawn(self, most: int, *, hint: str = "{}", apart: str = "\n") -> str:
        """Everything in at most `most` characters: the plan, what is being done, the text's end.

        `hint` is how the platform writes the line below the plan; `apart` divides it all from the
        text. The text has a half to three quarters of the room: of a long plan the first tasks are
        left out.
        """
        text = tables_as_code(self.text) if self.text.strip() else ""
        head = self._head(most // 2 if text else most, hint)
        end = _end_of(text, min(most * 3 // 4, most - len(head) - len(apart)))
        return apart.join(part for part in (head, end) if part)

    @property
    def works(self) -> bool:
        """Whether there is a plan, or a line that says what is done."""
        return bool(self._plan or self._doing)

    @property
    def _doing(self) -> str:
        return self._line.words(text=bool(self.text.strip()))

    def _head(self, most: int, hint: str) -> str:
        below = [*filter(None, (self._doing, self.hint and hint.format(self.hint)))]
        lines = [*self._plan, *below]
        left = _LEFT_OUT
        while len("\n".join(lines)) > most and len(self._plan) > left:
            lines = [*self._plan[:1], "…", *self._plan[left:], *below]
            left += 1
        return "\n".join(lines)[-most:]


def _end_of(text: str, most: int) -> str:
    """The last lines, and above them what opens their code block again."""
    size = most
    while (excess := len(end := tail_of(text, size)) - most) > 0:
        size -= excess
    return end


def one_line(text: str) -> str:
    return short_line(text, _LINE_CHARS)

"""What an edited draft shows of a turn: its plan, tools, status, and the growing text."""

from bot.chat.checklist import change_hint, checklist
from bot.domain.chat import (
    LiveUpdate,
    PlanShown,
    Status,
    TextDelta,
    TextReset,
    Thinking,
    ToolEnded,
    ToolStarted,
)

_TOOL_LINES = 8
_TOOLS_BESIDE_PLAN = 3
_LINE_CHARS = 120


class DraftLines:
    """Gathers a turn's live updates for platforms whose draft is one markdown text."""

    def __init__(self) -> None:
        self.text = ""
        """The answer as far as it has come."""
        self._tools: dict[str, str] = {}
        self._plan: list[str] = []
        self._status = ""
        self._hint = ""

    def show(self, update: LiveUpdate) -> None:
        match update:
            case TextDelta(text):
                self.text += text
            case TextReset():
                self.text = ""
            case Thinking(text) | Status(text):
                self._status = _one_line(text)
            case PlanShown(goal, tasks, grows):
                self._plan = [f"**{_one_line(goal)}**", *checklist(tasks)]
                self._hint = change_hint(tasks, "/plan", grows=grows)
            case ToolStarted(call, name, summary):
                self._tools[call] = f"⏳ {_one_line(summary or name)}"
            case ToolEnded():
                self._tool_ended(update)

    @property
    def work(self) -> list[str]:
        """The plan and the newest tools, a line each."""
        tools = _TOOLS_BESIDE_PLAN if self._plan else _TOOL_LINES
        return [*self._plan, *list(self._tools.values())[-tools:]]

    @property
    def asides(self) -> list[str]:
        """The status, and how the plan can be changed."""
        return [line for line in (self._status, self._hint) if line]

    def _tool_ended(self, update: ToolEnded) -> None:
        mark = "⏸️" if update.waits else "✅" if update.ok else "❌"
        before = self._tools.get(update.call, f"⏳ {update.name}").removeprefix("⏳ ")
        how = "waits for a yes" if update.waits else f"{update.seconds:.1f} s"
        self._tools[update.call] = _one_line(f"{mark} {before} ({how})")


def _one_line(text: str) -> str:
    folded = " ".join(text.split())
    return folded if len(folded) <= _LINE_CHARS else f"{folded[: _LINE_CHARS - 1]}…"

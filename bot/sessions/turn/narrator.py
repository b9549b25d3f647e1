"""Says what a run is doing, as one line in its person's language."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

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
from bot.domain.languages import Language
from bot.sessions.wording.activities import DONE, THINKING, doing, pausing


class Narrator:
    """Hands on a run's updates, and behind them the line that they amount to."""

    def __init__(self, show: Callable[[LiveUpdate], None], language: Language) -> None:
        self._hand_on = show
        self._language = language
        self._calls: dict[str, str] = {}
        """The words of each call that runs, the newest last."""
        self._done: Counter[str] = Counter()
        """How often each of these words was said of a call, in their order."""
        self._now = self._at_work()
        show(self._now)

    def show(self, update: LiveUpdate) -> None:
        if isinstance(update, PlanShown):
            update = replace(update, language=self._language)
        self._hand_on(update)
        pause = ""
        match update:
            case ToolStarted():
                words = self._calls[update.call] = doing(update, self._language)
                self._done[words] += 1
            case ToolEnded():
                self._calls.pop(update.call, None)
            case Status(_, reason) if reason is not None:
                pause = pausing(reason, self._language)
            case Status() | Thinking() | TextDelta() | TextReset() | PlanShown() | WorkShown():
                return
        now = self._line(pause) if pause else self._at_work()
        if now != self._now:
            self._now = now
            self._hand_on(now)

    def _at_work(self) -> WorkShown:
        """The newest call, and how many run beside it."""
        if not self._calls:
            return self._line(THINKING.said(self._language), patient=True)
        beside = f" (+{len(self._calls) - 1})" if len(self._calls) > 1 else ""
        return self._line(f"{list(self._calls.values())[-1]}{beside}")

    def _line(self, words: str, *, patient: bool = False) -> WorkShown:
        steps = tuple(
            words if times == 1 else f"{words} ({times})" for words, times in self._done.items()
        )
        return WorkShown(words, patient, DONE.said(self._language), steps)

"""Background model calls: retried, counted to their person, and stopped near the budget's end.

After failed summaries there is a pause, because each try makes a person wait.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from bot.agents.summaries.conversation_summary import Tried
from bot.domain.clock import Clock
from bot.domain.models import Usage
from bot.tools.budget.budgets import Measure, Payer
from bot.tools.budget.usage import Meter

T = TypeVar("T")
RETRY_S = (5.0, 10.0, 20.0)


@dataclass(frozen=True)
class TriedCalls(Generic[T]):
    """The result of all tries together; `problem` is the last try's."""

    value: T | None
    problem: str
    usage: Usage
    waits: bool = False
    """Whether the failure is no wrong answer: budgets are tight, or the model is away.

    A later try may succeed.
    """
    model_trouble: bool = False
    answered_by: str = ""
    """The fallback that answered last, if one did: its price counts for all tries."""


async def ask_sparingly(
    meter: Meter, clock: Clock, payer: Payer, once: Callable[[str], Awaitable[Tried[T]]]
) -> TriedCalls[T]:
    """Ask up to four times; each retry names the problem of the previous answer.

    `once` makes one try, given that problem. Makes no call when budgets are tight.
    """
    usage, hint, problem, trouble, name = Usage(), "", "", False, ""
    for wait_s in (0.0, *RETRY_S):
        if wait_s:
            await clock.sleep(wait_s)
        if not await meter.spares(payer):
            tight = "it would take too much of a budget that people need"
            return TriedCalls(None, tight, usage, waits=True, answered_by=name)
        with meter.held(payer, Measure.MODEL_CALLS):
            tried = await once(hint)
        usage += tried.usage
        name = tried.answered_by or name
        if tried.value is not None:
            return TriedCalls(tried.value, "", usage, answered_by=name)
        problem, trouble = tried.problem, tried.model_trouble
        hint = "" if trouble else problem
    return TriedCalls(None, problem, usage, waits=trouble, model_trouble=trouble, answered_by=name)


FIRST_S = 120.0
"""The pause doubles after each further failure."""
LONGEST_S = 3600.0
_MOST = 1_000
EVERYBODY = ""
"""Key of the model itself: while it fails, no other session needs to try it."""


@dataclass(eq=False)
class SummaryPauses:
    """Kept in memory only: after a restart each session is tried once more."""

    clock: Clock
    _failed: dict[str, tuple[int, float]] = field(default_factory=dict[str, tuple[int, float]])
    """By session: the number of failures in a row, and the end (monotonic) of its pause."""

    def rests(self, session: str) -> bool:
        now = self.clock.monotonic()
        return any(
            now < self._failed[key][1] for key in (session, EVERYBODY) if key in self._failed
        )

    def failed(self, session: str, *, model_trouble: bool) -> None:
        if len(self._failed) >= _MOST:
            self._failed.clear()
        for key in (session, EVERYBODY) if model_trouble else (session,):
            times, _ = self._failed.get(key, (0, 0.0))
            wait = min(FIRST_S * 2**times, LONGEST_S)
            self._failed[key] = (times + 1, self.clock.monotonic() + wait)

    def worked(self, session: str) -> None:
        self._failed.pop(session, None)
        self._failed.pop(EVERYBODY, None)

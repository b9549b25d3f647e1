"""Background model calls: retried, counted to their person, and kept off their budget's end."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from bot.agents.structured import Tried
from bot.domain.clock import Clock
from bot.domain.models import Usage
from bot.tools.budget.budgets import Measure, Payer
from bot.tools.budget.usage import Meter

T = TypeVar("T")
RETRY_S = (5.0, 10.0, 20.0)


@dataclass(frozen=True)
class TriedCalls(Generic[T]):
    """What came of all tries together; `problem` is that of the last one."""

    value: T | None
    problem: str
    usage: Usage
    waits: bool = False
    """Nothing was answered that could be wrong: budgets are tight, or the model is away.

    Later it may be.
    """
    model_trouble: bool = False


class SpareCalls:
    """Asks up to four times, and tells each next try what was wrong with the answer before it."""

    def __init__(self, meter: Meter, clock: Clock) -> None:
        self._meter = meter
        self._clock = clock

    async def ask(self, payer: Payer, once: Callable[[str], Awaitable[Tried[T]]]) -> TriedCalls[T]:
        """`once` makes one try, given the problem of the answer before.

        Nothing is asked where budgets are tight.
        """
        usage, hint, problem, trouble = Usage(), "", "", False
        for wait_s in (0.0, *RETRY_S):
            if wait_s:
                await self._clock.sleep(wait_s)
            if not await self._meter.spares(payer):
                return TriedCalls(
                    None, "it would take too much of a budget that people need", usage, waits=True
                )
            async with self._meter.held(payer, Measure.MODEL_CALLS):
                tried = await once(hint)
            usage += tried.usage
            if tried.value is not None:
                return TriedCalls(tried.value, "", usage)
            problem, trouble = tried.problem, tried.model_trouble
            hint = "" if trouble else problem
        return TriedCalls(None, problem, usage, waits=trouble, model_trouble=trouble)

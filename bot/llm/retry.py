"""Tries whole samples again, also those whose streams make no progress.

The SDK doesn't retry failures in the middle of a stream.
"""

import logging
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from typing import Self, TypeVar

from bot.clock import cut_off_by
from bot.domain.clock import Clock
from bot.domain.models import DeltaReset, ModelDelta
from bot.errors import ModelError, ModelTrouble
from bot.llm.failures import Failure, SampleFailed
from bot.llm.sse import ServerEvent

log = logging.getLogger(__name__)

T = TypeVar("T")
_LEAST_CHARS = 1_000
"""The least progress in each window, in characters of events: about nine tokens with framing.

Nine tokens in five minutes are slower than any usable model. A server may be silent for minutes
while it reads a long prompt or holds back the input of a tool; then much comes at once.
"""


@dataclass(frozen=True)
class RetryPolicy:
    attempts: int = 3
    first_wait_s: float = 1.0
    """Four times as long after each further failure."""
    longest_wait_s: float = 30.0
    """A longer requested wait is reported to the person instead."""


async def with_retries(
    attempt: Callable[[Callable[[ModelDelta], None], int], Awaitable[T]],
    on_delta: Callable[[ModelDelta], None],
    policy: RetryPolicy,
    clock: Clock,
) -> T:
    """Call `attempt(on_delta, number)` until it succeeds.

    If a failed try has shown something, DeltaReset tells the caller to forget it before the next
    try begins. Raises ModelError when no further try makes sense or is left.
    """
    number = 1
    while True:
        shown = False

        def pass_on(delta: ModelDelta) -> None:
            nonlocal shown
            shown = True
            on_delta(delta)

        try:
            return await attempt(pass_on, number)
        except SampleFailed as error:
            failed = error.failure
        wait = _wait_s(failed, number, policy)
        if wait is None:
            # Outside of the handler, so that it carries no SDK error with the request.
            raise ModelError(_told(failed, number))
        log.info(
            "kind=<%s>, attempt=<%d>, wait_s=<%.1f>, error=<%s> | trying the model again",
            failed.trouble.kind,
            number,
            wait,
            failed.trouble.detail,
        )
        if shown:
            on_delta(DeltaReset(failed.trouble.kind))
        await clock.sleep(wait)
        number += 1


def _wait_s(failed: Failure, number: int, policy: RetryPolicy) -> float | None:
    """How long to wait before the next try; None when there will be none."""
    if not failed.again or number >= policy.attempts:
        return None
    asked = failed.trouble.retry_after_s
    wait = asked if asked is not None else policy.first_wait_s * 4 ** (number - 1)
    if asked is None:
        return min(wait, policy.longest_wait_s)
    return wait if wait <= policy.longest_wait_s else None


def _told(failed: Failure, number: int) -> ModelTrouble:
    tries = f" (after {number} tries)" if number > 1 else ""
    return replace(failed.trouble, detail=failed.trouble.detail + tries, tries=number)


class TryProgress:
    """The progress of one try.

    `window_s` is how many seconds it may send almost nothing, both at its beginning and later.
    """

    def __init__(self, clock: Clock, window_s: float) -> None:
        self._clock = clock
        self._window_s = window_s
        self._begun = False
        self._chars = 0

    def came(self, event: ServerEvent) -> None:
        if event.name != "ping":
            self._begun = True
            self._chars += len(event.data)

    def demanded(self) -> AbstractAsyncContextManager[None]:
        """Cancel the block and raise TimeoutError when there is no progress."""
        return cut_off_by(self._watch)

    def cancel(self) -> None:
        """End the watch."""
        self._timer.cancel()

    def _watch(self, stalled: Callable[[], None]) -> Self:
        begun, chars = self._begun, self._chars

        def look() -> None:
            if not self._begun or (begun and self._chars - chars < _LEAST_CHARS):
                stalled()
            else:
                self._watch(stalled)

        self._timer = self._clock.after(self._window_s, look)
        return self

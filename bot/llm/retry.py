"""Tries whole samples again.

The SDK doesn't retry failures in the middle of a stream.
"""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import TypeVar

from bot.domain.clock import Clock
from bot.domain.models import DeltaReset, ModelDelta
from bot.errors import ModelError, ModelTrouble
from bot.llm.failures import Failure, SampleFailed

log = logging.getLogger(__name__)

T = TypeVar("T")


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

"""Bounded retries of one call to a service."""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from bot.domain.clock import Clock
from bot.web.response import WebError, WebRefused, WebResponse

log = logging.getLogger(__name__)

TRIES = 3


@dataclass(frozen=True)
class AskAgain:
    """An answer after which the call may be retried. `acted`: it may have taken effect.

    `seconds`: the pause that the service asks for; None if it doesn't say.
    """

    acted: bool
    seconds: float | None = None


@dataclass(frozen=True)
class GaveUp:
    """No more tries. `answer` is the last one, or `error` says why there was none."""

    tried: int
    wait: AskAgain
    pause_s: float
    answer: WebResponse | None = None
    error: WebError | None = None


@dataclass(frozen=True)
class Retries:
    """Decides which answers are retried."""

    service: str
    """For the log."""
    judge: Callable[[WebResponse], AskAgain | None]
    """None: the answer stands, also a refusal."""
    longest_s: float
    clock: Clock

    async def ask(
        self, send: "Callable[[], Awaitable[WebResponse]]", *, repeatable: bool
    ) -> "WebResponse | GaveUp":
        """Try up to 3 times; returns the first final answer.

        Raises WebRefused for an address that may not be asked.

        A call that is not repeatable is retried only after an answer that says that nothing was
        done.
        """
        tried = 0
        while True:
            tried += 1
            answer: WebResponse | None = None
            error: WebError | None = None
            try:
                answer = await send()
            except WebRefused:
                raise
            except WebError as trouble:
                error = trouble
            wait = AskAgain(acted=True) if answer is None else self.judge(answer)
            if answer is not None and wait is None:
                return answer
            wait = wait or AskAgain(acted=True)
            pause = 2.0 ** (tried - 1) if wait.seconds is None else wait.seconds
            if tried == TRIES or pause > self.longest_s or (wait.acted and not repeatable):
                return GaveUp(tried, wait, pause, answer, error)
            log.info(
                "service=<%s>, attempt=<%d>, pause=<%.1f> | trying again",
                self.service,
                tried,
                pause,
            )
            await self.clock.sleep(pause)

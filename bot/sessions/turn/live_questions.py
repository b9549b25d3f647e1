"""Questions during a call, answered by the person's next words in the conversation.

The words are taken from the session's queue under keys of the call, so a replay neither asks nor
takes them again. The call is not suspended: after a restart it runs again with the given answers
or, if that could do harm, its outcome is unknown and the question is over.
"""

import asyncio
from collections.abc import Awaitable, Callable

from bot.domain.clock import Clock
from bot.domain.step_keys import StepKind, step_key
from bot.domain.tools import ToolCall
from bot.domain.turns import Turn, TurnEngine
from bot.domain.work import envelope_of
from bot.sessions.records.envelope import incoming_from_json


class LiveQuestions:
    """Implements `domain.tool_context.AskNow` for one call."""

    def __init__(
        self,
        turn: Turn,
        call: ToolCall,
        post: Callable[[str, str], Awaitable[None]],
        engine: TurnEngine,
        clock: Clock,
    ) -> None:
        self._turn = turn.scope(call.key)
        self._key = call.key
        self._post = post
        self._engine = engine
        self._clock = clock
        self._asked = 0
        self._taken = 0
        self._waited = 0.0
        self._since: float | None = None

    @property
    def waited_s(self) -> float:
        return self._waited + (
            self._clock.monotonic() - self._since if self._since is not None else 0.0
        )

    async def __call__(self, text: str, *, seconds: float) -> str | None:
        """Post the question and wait.

        Raises StorageError, DeliveryError and ClaimLost, as any step.
        """
        self._asked += 1
        self._since = self._clock.monotonic()
        try:
            await self._post(text, step_key(StepKind.ASK, self._asked, within=self._key))
            async with self._turn.away():
                return await self._answer(seconds)
        finally:
            self._waited, self._since = self.waited_s, None

    async def _answer(self, seconds: float) -> str | None:
        timer = asyncio.ensure_future(self._clock.sleep(seconds))
        try:
            while True:
                arrival = self._engine.arrival(
                    self._turn.session
                )  # set before the look, so that nothing is missed
                try:
                    if (answer := await self._next_words()) or timer.done():
                        return answer or None
                    await asyncio.wait({arrival, timer}, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    arrival.cancel()
        finally:
            timer.cancel()

    async def _next_words(self) -> str:
        """The person's words so far; takes from the queue only if it has some, or had before."""
        before = self._turn.done(step_key(StepKind.STEER, self._taken + 1))
        if not before and not await self._engine.waiting(self._turn.session):
            return ""
        self._taken += 1
        taken = await self._turn.take(self._taken)
        return "\n".join(incoming_from_json(envelope_of(item.body)).text for item in taken).strip()

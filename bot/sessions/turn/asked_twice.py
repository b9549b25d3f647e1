"""Two people who ask the same in one thread at once: the second sees the answer to the first.

Whether that answer is for the second person, too, is for the model to say. Likeness of words only
decides who waits for a moment.
"""

import re
from dataclasses import dataclass

from bot.domain.clock import Clock
from bot.domain.messages import IncomingMessage, Place
from bot.domain.step_keys import StepKind, step_key
from bot.domain.turns import Turn, TurnEngine
from bot.domain.work import MessageWork, find_work
from bot.sessions.records.envelope import message_of

LOOK_S = 0.5
MOST_S = 30.0
"""The longest wait: the first request may take long, or wait for its own person."""
_ALIKE = 0.6
"""The least part of the words of both that both have."""
_WORDS = re.compile(r"\w+")


@dataclass(frozen=True)
class AskedTwice:
    """Lets a turn wait for the earlier one of somebody else that asks the same."""

    engine: TurnEngine
    clock: Clock

    async def wait(self, turn: Turn, message: IncomingMessage) -> None:
        """Return once no such turn is open. Raises StorageError."""
        if message.conversation.place is not Place.THREAD or turn.done(step_key(StepKind.OPEN)):
            return
        until = self.clock.monotonic() + MOST_S
        while not turn.stop_requested and await self._is_asked(turn, message):
            if self.clock.monotonic() >= until:
                return
            async with turn.away():
                await self.clock.sleep(LOOK_S)

    async def _is_asked(self, turn: Turn, message: IncomingMessage) -> bool:
        for other in await self.engine.open_turns():
            if other.id >= turn.id or not isinstance(find_work(other.body), MessageWork):
                continue
            asked = message_of(other.body)
            if (
                asked is not None
                and asked.conversation.key == message.conversation.key
                and asked.sender.id != message.sender.id
                and alike(asked.text, message.text)
            ):
                return True
        return False


def alike(one: str, other: str) -> bool:
    """Whether most words of two messages are the same."""
    words, others = ({*_WORDS.findall(text.casefold())} for text in (one, other))
    return bool(words) and len(words & others) >= _ALIKE * len(words | others)

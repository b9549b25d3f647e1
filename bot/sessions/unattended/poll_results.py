"""A poll that ended: its result joins the conversation that asked, and starts automations."""

from collections.abc import Callable
from dataclasses import dataclass

from bot.automations.watching import Watching
from bot.domain.clock import Clock
from bot.domain.database import Unit
from bot.domain.origins import Trust
from bot.plugin.places import Arrival, PollResult
from bot.sessions.records.conversation_store import NewMessage, message_write


@dataclass(frozen=True)
class PollResults:
    clock: Clock
    watching: Watching
    rescheduled: Callable[[], None]
    """To be called after an automation comes due."""

    async def announce(self, ended: PollResult) -> Arrival:
        """The words in its conversation, and events. Raises StorageError."""
        now = self.clock.now()
        said = NewMessage(
            key=f"poll-end:{ended.key}",
            conversation=ended.asked_in,
            author=f"agent:{ended.agent}",
            author_name=ended.agent,
            trust=max(Trust.MEMBER, ended.trust),
            text=ended.text,
            at=now,
        )
        noted = await self.watching.poll_ended(ended.key, ended.place, ended.text, now)
        unit = Unit.of(message_write(said)) + noted.unit
        return Arrival(unit, self.rescheduled if noted.comes_due else None)

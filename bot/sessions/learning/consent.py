"""Whether Bellhop may learn from a text: one answer for requests, playbooks and memory."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.domain.database import Condition, Database
from bot.domain.messages import Conversation
from bot.domain.places import Location
from bot.memory.choices_store import allows, forbids
from bot.sessions.records.channel_store import Channels
from bot.sessions.records.conversation_store import conversation_of
from bot.sessions.records.session_store import session_by_id
from bot.tools.policy.rights import Rights


@dataclass(frozen=True)
class Learning:
    """Asks the place's rules (`learn: false`) and people's choices (`/memory off`)."""

    database: Database
    rights: Rights
    withdrawn: Callable[[], frozenset[str]] = frozenset
    """Keys of channels that were public and that not everybody reads now."""

    async def allowed(self, person: str, conversation: Conversation, since: datetime) -> bool:
        """Whether anything may be learned from what a person said there, from `since` on.

        Raises StorageError.
        """
        location = await Channels(self.database).locate(conversation)
        if not self.rights.at(location).learns:
            return False
        return not await forbids(self.database, person, location.channel_key, since)

    def condition(self, person: str, location: Location, since: datetime) -> Condition | None:
        """The same for the statement that writes the lesson; None if the place forbids it."""
        if not self.rights.at(location).learns:
            return None
        return allows(person, location.channel_key, since)

    async def forbidden(self, sessions: Sequence[str]) -> tuple[str, ...]:
        """Those of the sessions from which nothing may be learned; missing ones forbid nothing."""
        found: list[str] = []
        for id_ in dict.fromkeys(sessions):
            stored = await session_by_id(self.database, id_)
            if stored is None:
                continue
            key = stored.session.key
            conversation = await conversation_of(self.database, key.conversation_key)
            if conversation is None:
                continue
            if not await self.allowed(key.person, conversation, stored.session.opened_at):
                found.append(id_)
        return tuple(found)

"""Links that open recorded messages on their platforms."""

from typing import cast

from bot.domain.json_types import JsonObject
from bot.domain.step_keys import step_in, turn_of
from bot.domain.turns import TurnEngine
from bot.sessions.people.readers import Readers
from bot.sessions.search.words_store import FoundMessage


class MessageLinks:
    """A person's message key ends with its platform id; ours are in the receipt."""

    def __init__(self, readers: Readers, engine: TurnEngine) -> None:
        self._readers = readers
        self._engine = engine

    async def of(self, said: FoundMessage) -> str:
        """A link that opens the message; empty if there is none. Raises StorageError."""
        place = said.conversation
        knows = self._readers.on(place.platform)
        if knows is None:
            return ""
        if said.author.startswith("agent:"):
            message = await self._own(said.key)
        else:
            message = said.key.rsplit(":", 1)[-1]
        return await knows.link(place, message) if message else ""

    async def _own(self, key: str) -> str:
        """The id of our message; empty if its turn was purged or it was not sent yet."""
        record = await self._engine.recorded(turn_of(key))
        if record is None:
            return ""
        receipt = record.steps.get(step_in(key))
        ids = cast("JsonObject", receipt).get("message_ids") if isinstance(receipt, dict) else None
        return str(ids[0]) if ids else ""

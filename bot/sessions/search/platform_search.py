"""What a platform itself does for a search: its own search, if enabled, and links to messages.

Its own search finds messages from before Bellhop joined.
"""

from collections.abc import Callable
from dataclasses import dataclass

from bot.domain.chat import SaidThere, SearchesItself
from bot.domain.database import Database
from bot.domain.messages import Conversation, Place
from bot.domain.origins import Origin
from bot.domain.search import SearchQuery
from bot.domain.step_keys import step_in, turn_of
from bot.domain.tool_context import ToolContext
from bot.sessions.people.contacts import Contacts
from bot.sessions.people.people import Readers
from bot.sessions.records.channel_store import Channels
from bot.sessions.records.conversation_store import author_trust
from bot.sessions.records.envelope import receipt_ids
from bot.sessions.search.words_store import FoundMessage, recorded_keys
from bot.turns.engine import TurnEngine


@dataclass(frozen=True)
class MessageLinks:
    """A person's message key ends with its platform id; ours are in the receipt."""

    readers: Readers
    engine: TurnEngine

    async def of(self, said: FoundMessage) -> str:
        """A link that opens the message; empty if there is none. Raises StorageError."""
        place = said.conversation
        knows = self.readers.on(place.platform)
        if knows is None:
            return ""
        if said.author.startswith("agent:"):
            message = await self._own(said.key)
        else:
            message = said.key.rsplit(":", 1)[-1]
        return await knows.link(place, message) if message else ""

    async def _own(self, key: str) -> str:
        """The id of our message; empty if its turn was purged or it was not sent yet."""
        record = await self.engine.recorded(turn_of(key))
        if record is None:
            return ""
        return next(iter(receipt_ids(record.steps.get(step_in(key)))), "")


@dataclass(frozen=True)
class PlatformSearch:
    """Each message passes the same checks as a recorded one: its readers, and this place."""

    database: Database
    readers: Readers
    contacts: Contacts

    async def find(
        self,
        context: ToolContext,
        wanted: SearchQuery,
        limit: int,
        meant: Callable[[Conversation], bool],
    ) -> list[FoundMessage]:
        """Unrecorded messages from the places in `meant`. Raises StorageError."""
        here = context.conversation
        knows = self.readers.on(here.platform)
        if limit < 1 or not wanted.query or wanted.author or not isinstance(knows, SearchesItself):
            return []
        said = await knows.said_with(wanted.query, here, limit)
        found = [one for one in said if wanted.covers(one.at)]
        known = await recorded_keys(self.database, [one.key for one in found])
        new = [one for one in found if one.key not in known and meant(one.place)]
        return [self._said(one) for one in new if await self._is_open(context, one.place)][:limit]

    async def _is_open(self, context: ToolContext, place: Conversation) -> bool:
        if place.place is Place.DM or not await self.readers.may_read(context.person.id, place):
            return False
        location = await Channels(self.database).locate(place)  # it may have been private
        return await self.readers.may_show(context.viewer, context.conversation, place, location)

    def _said(self, found: SaidThere) -> FoundMessage:
        person = self.contacts.seen_in(found.place, found.author)
        origin = Origin(author_trust(person, is_bot=found.author.is_bot), f"person:{person.id}")
        return FoundMessage(
            0, found.key, person.id, found.author.name, origin, found.text, found.at, found.place
        )

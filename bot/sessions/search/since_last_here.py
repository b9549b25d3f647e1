"""What happened in a place since somebody was last there, as far as they may read it here."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.domain.database import Database
from bot.domain.messages import Place
from bot.domain.origins import Trust
from bot.domain.search import HeardSince, SearchQuery
from bot.domain.tool_context import ToolContext
from bot.sessions.records.conversation_store import authors_of
from bot.sessions.records.envelope import message_of
from bot.sessions.records.spoken_store import wrote_at
from bot.sessions.search.chat_search import DIRECT, ChatSearch

MOST = 60
"""The most messages that are told, the newest."""
PAUSE = timedelta(minutes=30)
"""Who was silent for so long had left: what they write next begins another visit."""
FIRST_VISIT = timedelta(days=7)
"""How far back it goes for somebody who never wrote there."""


@dataclass(frozen=True)
class SinceLastHere:
    """Implements `KnowsWhatHappened` by a search without words."""

    database: Database
    chat: ChatSearch

    async def since_last_here(
        self, context: ToolContext, place: str, since: datetime | None
    ) -> HeardSince:
        thread = not place and await self._talks_here(context)
        named = place or ("" if context.conversation.place is Place.DM else "here")
        if since is None:
            since = await self._last_there(context, named, thread=thread)
        wanted = SearchQuery("", MOST + 1, place=named, after=since, here_alone=thread)
        found = await self.chat.find(context, wanted)
        others = [
            hit
            for hit in found.hits
            if hit.origin.trust is not Trust.PERSON and hit.more.get("where") != DIRECT
        ]
        newest = sorted(others, key=lambda hit: hit.at)[-MOST:]
        return HeardSince(since, newest, len(found.hits) > MOST, found.left_out)

    async def _talks_here(self, context: ToolContext) -> bool:
        """Whether this is a thread where others wrote, too; else its channel is meant."""
        here = context.conversation
        if here.place is not Place.THREAD:
            return False
        authors = await authors_of(self.database, here.key)
        return any(one != context.person.id and not one.startswith("agent:") for one in authors)

    async def _last_there(
        self, context: ToolContext, named: str, *, thread: bool
    ) -> datetime | None:
        """When their last visit ended; what they wrote just now belongs to this one."""
        asking = message_of({"message": context.envelope}) if context.envelope else None
        channels = () if thread else await self.chat.channels(context, named)
        conversation = context.conversation.key if thread else ""
        besides = asking.key if asking is not None else ""
        wrote = await wrote_at(self.database, context.person.id, channels, conversation, besides)
        last = before_this_visit(wrote, context.now)
        return last if last is not None or thread else context.now - FIRST_VISIT


def before_this_visit(wrote: Sequence[datetime], now: datetime) -> datetime | None:
    """The last moment, newest first, that a pause separates from now; None if there is none."""
    later = now
    for at in wrote:
        if later - at >= PAUSE:
            return at
        later = at
    return None

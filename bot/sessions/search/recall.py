"""What was said, for tools beside `search`: `remember` and `catch_me_up`.

A person's earlier questions and answers, and what happened in a place since they were last there,
as far as they may read it here.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from bot.domain.characters import plain_name
from bot.domain.database import Database, Unit
from bot.domain.memory import RecallQuery, Recollection
from bot.domain.messages import Place
from bot.domain.origins import Origin, Trust
from bot.domain.search import HeardSince, SearchQuery
from bot.domain.tool_context import ToolContext
from bot.memory.words import FUNCTION_WORDS
from bot.sessions.records.conversation_store import authors_of
from bot.sessions.records.envelope import incoming_from_json, message_of
from bot.sessions.records.spoken_store import (
    SpokenMessage,
    said_as,
    said_with,
    unsay_write,
    wrote_at,
)
from bot.sessions.search.chat_search import DIRECT, ChatSearch, ShownMessage
from bot.sessions.search.words_store import days_within

SEARCH = "search"
CANDIDATES = 60
"""Matches from the word index, before their neighbours are added."""
SEARCHED = 500
"""The limit for a person's latest messages and answers from a period."""
MEANT = 100
"""The number of them compared by meaning, if there is an embedder."""
NUMBER_DIGITS = 19
"""A longer number is not a SQLite row id."""


@dataclass(frozen=True)
class PastTalk:
    """Implements `Recalls` over the messages of conversations.

    Others' messages and those in other channels are found only by people who may read them now, as
    with `search`.
    """

    id = "talk"
    recalled_by = ""
    """No tool shows them: a person's own words and answers are theirs in every role."""

    database: Database
    chat: ChatSearch

    async def recall(self, context: ToolContext, wanted: RecallQuery) -> Sequence[Recollection]:
        """Messages to show here, then the person's words elsewhere, whose readers are unknown."""
        telling = " ".join(
            word for word in wanted.query.split() if word.casefold() not in FUNCTION_WORDS
        )
        words = SearchQuery(telling, CANDIDATES, after=wanted.since, before=wanted.until)
        days = days_within(wanted.about)
        shown = bool(context.tools.describe((SEARCH,)))
        spoken = await self.chat.recalled(context, words, days, shown=shown)
        found: dict[int, Recollection] = {}
        for one in spoken:
            if one.said.text:
                found.setdefault(one.said.id, _spoken(one, context))
        if not telling or wanted.meant:
            for one in await self._latest(context, wanted):
                found.setdefault(one.message.id, await self._recollection(one, context))
        return with_neighbours(list(found.values()))

    async def _latest(self, context: ToolContext, wanted: RecallQuery) -> list[SpokenMessage]:
        """The person's latest messages and answers, whatever their words."""
        asking = incoming_from_json(context.envelope).key if context.envelope else ""
        limit = MEANT if wanted.query else SEARCHED
        said = await said_with(
            self.database,
            context.person.id,
            limit,
            besides=asking,
            since=wanted.since,
            until=wanted.until,
        )
        return [one for one in said if one.message.text]

    async def recollection(self, context: ToolContext, id_: str) -> Recollection | None:
        number = _number(id_)
        said = None if number is None else await said_as(self.database, context.person.id, number)
        return None if said is None else await self._recollection(said, context)

    async def _recollection(self, said: SpokenMessage, context: ToolContext) -> Recollection:
        message, place = said.message, said.conversation
        own = message.author == context.person.id
        return Recollection(
            f"talk:{message.id}",
            "their request" if own else "your answer",
            message.text,
            Origin(Trust.PERSON, "conversation") if own else message.origin,
            message.at,
            learned=await self.chat.learned_of_own(place),
            where="direct message" if place.place is Place.DM else "",
            by_agent=not own,
            thread=place.key,
        )

    def removal(self, context: ToolContext, id_: str) -> Unit:
        """Removes the recorded message; the platform's copy belongs to the platform."""
        number = _number(id_)
        if number is None:
            return Unit()
        return Unit.of(unsay_write(context.person.id, number, context.now))


def _number(id_: str) -> int | None:
    number = id_.removeprefix("talk:")
    is_row = number.isascii() and number.isdigit() and len(number) < NUMBER_DIGITS
    return int(number) if is_row else None


def _spoken(one: ShownMessage, context: ToolContext) -> Recollection:
    """Only one's own words, and answers to oneself, have an id: nobody forgets for others."""
    said = one.said
    own, ours = said.author == context.person.id, said.author.startswith("agent:")
    mine = own or said.addressee == context.person.id
    by_other = "your answer" if ours else f"said by {plain_name(said.author_name)}"
    return Recollection(
        f"{PastTalk.id}:{said.id}" if mine else f"said:{said.id}",
        "their request" if own else by_other,
        said.text,
        Origin(Trust.PERSON, "conversation") if own else said.origin,
        said.at,
        learned=one.learned,
        where=one.where,
        around=(said.author_name, one.where),
        by_agent=ours,
        thread=said.conversation.key,
    )


def with_neighbours(found: Sequence[Recollection]) -> list[Recollection]:
    """Each with its neighbours, which help to find an answer by its question."""
    threads: dict[str, list[Recollection]] = {}
    for one in sorted(found, key=lambda one: int(one.id.partition(":")[2])):
        threads.setdefault(one.thread, []).append(one)
    around: dict[str, tuple[str, ...]] = {}
    for thread in threads.values():
        for before, one, after in zip([None, *thread], thread, [*thread[1:], None], strict=False):
            around[one.id] = tuple(part.text for part in (before, after) if part is not None)
    return [replace(one, around=one.around + around[one.id]) for one in found]


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

"""Messages for the tool `search`: literal words, for people who may read the place now."""

import re
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from datetime import date
from functools import partial

from bot.domain.chat import ChatAdapter
from bot.domain.database import Database
from bot.domain.messages import Conversation, Place
from bot.domain.origins import Origin, Trust
from bot.domain.places import Location, Reach
from bot.domain.privacy import Learned
from bot.domain.search import EntityType, Hit, SearchHits, SearchQuery
from bot.domain.tool_context import ToolContext
from bot.sessions.people.contacts import Contacts
from bot.sessions.people.people import Readers
from bot.sessions.records.envelope import message_of
from bot.sessions.search.index import ChannelsOnRecord, MessageIndex
from bot.sessions.search.platform_search import MessageLinks, PlatformSearch
from bot.sessions.search.words_store import (
    Filters,
    FoundMessage,
    best_with,
    document_counts,
    naming,
    newest_with,
    said_beside,
    said_on,
    within,
)
from bot.storage.stems import StemmedQuery
from bot.turns.engine import TurnEngine

SNIPPET_CHARS = 240
PAGE = 50
COUNTED = 100
"""The limit up to which private matches are counted."""
COMMON = 1_000
"""Words in more messages than this only help to find messages with all words."""
_MENTION = re.compile(r"<[@#][!&]?([A-Za-z0-9]+)(?:\|[^>]*)?>")
DIRECT = "direct message"
"""Where something was said that no channel has."""
OWN_WORDS, ASKER = "you, Bellhop", "the asker"
"""The author of Bellhop's own answers, so that nobody takes them for people's words."""
_ME, _US = {"me", "i", "myself"}, {"you", "bellhop", "assistant"}


@dataclass(frozen=True)
class _Open:
    """The channels to search: those showable here, and those readable elsewhere only."""

    shown: tuple[str, ...]
    withheld: tuple[str, ...]
    locations: Mapping[str, Location]
    """By channel key."""

    workspaces: Mapping[str, tuple[str, str]]
    """Platform and workspace, by channel key."""

    def location(self, place: Conversation) -> Location:
        """The location of a recorded place; a thread has its channel's."""
        return self.locations.get(place.channel_key) or Location.of(place)

    def only(
        self, filters: Filters, channels: tuple[str, ...], direct_of: str, *, unread: bool
    ) -> Filters:
        """Messages of some of these channels, and one person's direct messages.

        `unread`: some messages are not indexed yet, so the index lacks some scopes.
        """
        scope = within({self.workspaces[channel] for channel in channels}, (direct_of,))
        return replace(
            filters, channels=channels, direct_of=direct_of, scope="" if unread else scope
        )


@dataclass(frozen=True)
class _Recalled:
    """What both searches for one question have in common."""

    words: StemmedQuery
    days: Sequence[date]
    filters: Filters
    limit: int
    unread: bool
    """Whether some messages are not indexed yet, so that the index lacks some scopes."""


@dataclass(frozen=True)
class ShownMessage:
    """A message that may be shown to the asker in this place."""

    said: FoundMessage
    learned: Learned
    where: str
    """In words."""


class ChatSearch:
    """Implements `SearchSource` over every recorded message."""

    finds = EntityType.CHAT
    found_with = ""

    def __init__(
        self,
        database: Database,
        index: MessageIndex,
        adapters: Mapping[str, ChatAdapter],
        contacts: Contacts,
        engine: TurnEngine,
    ) -> None:
        self._database = database
        self._index = index
        self._contacts = contacts
        self._readers = Readers(adapters, contacts)
        self._channels = ChannelsOnRecord(database)
        self._links = MessageLinks(self._readers, engine)
        self._elsewhere = PlatformSearch(database, self._readers, contacts)

    async def find(self, context: ToolContext, wanted: SearchQuery) -> SearchHits:
        """Messages with all words, newest first; then those with some words, best first.

        Raises StorageError.
        """
        unread = await self._index.before_search()
        words = StemmedQuery.of(wanted.query)
        if wanted.query.strip() and not words and not wanted.is_about_chat:
            return SearchHits()
        is_open = await self._open(context, wanted)
        in_dm = context.conversation.place is Place.DM
        direct = context.person.id if in_dm and self._names_direct(context, wanted) else ""
        filters = self._filters(context, wanted)
        filters = is_open.only(filters, is_open.shown, direct, unread=bool(unread))
        said = await self._shown(context, words, filters, is_open, wanted.limit)
        left, meant = wanted.limit - len(said), partial(self._names_place, context, wanted)
        said += await self._elsewhere.find(context, wanted, left, meant)
        notes = tuple[str, ...]()
        if unread:
            more = f"about {unread} messages are still being read in; search again later for those"
            notes = (more,)
        names = {one.name.casefold(): one.id for one in self._contacts.people}
        hits = [await self._hit(context, one, words, is_open, names) for one in said]
        if not (is_open.shown or is_open.withheld or self._names_direct(context, wanted)):
            notes += (
                (
                    f"in: I read no place called {wanted.place[:80]!r}; leave `in` out to search "
                    "everywhere"
                ),
            )
        left_out = 0 if in_dm else await self._left_out(context, wanted, words, is_open, unread)
        return SearchHits(hits, left_out, notes)

    async def recalled(
        self, context: ToolContext, wanted: SearchQuery, days: Sequence[date], *, shown: bool
    ) -> list[ShownMessage]:
        """Messages for a question: with `shown` those to show here, then the person's anywhere.

        `days` adds messages that name one of these days, and messages written on them. Only
        recorded messages count: a platform is asked only who may read its places. Raises
        StorageError.
        """
        unread = await self._index.before_search()
        words = StemmedQuery.of(wanted.query)
        if not words and not days:
            return []
        asked = _Recalled(words, days, self._filters(context, wanted), wanted.limit, bool(unread))
        said = await self._said(context, wanted, asked) if shown else []
        return said + await self._of_person(context, asked)

    async def _said(
        self, context: ToolContext, wanted: SearchQuery, asked: _Recalled
    ) -> list[ShownMessage]:
        """Matching messages and their direct neighbours, as far as they may be shown here."""
        is_open = await self._open(context, wanted, shown_only=True)
        direct = context.person.id if context.conversation.place is Place.DM else ""
        filters = replace(asked.filters, aside=False)
        filters = is_open.only(filters, is_open.shown, direct, unread=asked.unread)
        said: list[FoundMessage] = []
        for found in self._each_way(asked, filters):
            said += await self._first_shown(context, found, is_open, asked.limit)
        beside = await said_beside(self._database, [one.id for one in said], filters)
        said += [one for one in beside if await self._is_shown(context, one, is_open)]
        places = {place: self._place_name(place) for place in {one.conversation for one in said}}
        return [
            ShownMessage(one, await self._learned(one, is_open), places[one.conversation])
            for one in said
        ]

    async def _of_person(self, context: ToolContext, asked: _Recalled) -> list[ShownMessage]:
        """The person's matching messages and answers, from any place.

        Messages outside direct messages stay in their channel, or in their closed thread: the
        platform is asked about threads alone.
        """
        person = context.person.id
        filters = replace(
            asked.filters,
            of_person=person,
            aside=False,
            scope="" if asked.unread else within((), (person,)),
        )
        said: list[FoundMessage] = []
        for found in self._each_way(asked, filters):
            said += await _first(found, asked.limit)
        said += await said_beside(self._database, [one.id for one in said], filters)
        return [
            ShownMessage(
                one,
                await self.learned_of_own(one.conversation),
                DIRECT if one.conversation.place is Place.DM else "",
            )
            for one in said
        ]

    async def channels(self, context: ToolContext, place: str) -> Sequence[str]:
        """Keys of the channels that a name means and whose messages may be shown here."""
        wanted = SearchQuery("", 1, place=place)
        return (await self._open(context, wanted, shown_only=True)).shown

    async def learned_of_own(self, said: Conversation) -> Learned:
        """Where a person's own message, or an answer to it, may be shown to them."""
        return await self._readers.learned_of_own(said)

    async def _shown(
        self,
        context: ToolContext,
        words: StemmedQuery,
        filters: Filters,
        is_open: _Open,
        limit: int,
    ) -> list[FoundMessage]:
        """People's messages come first, then Bellhop's own answers."""
        said: list[FoundMessage] = []
        for own in (False, True):
            found = self._found(words, replace(filters, own=own), limit)
            said += await self._first_shown(context, found, is_open, limit - len(said))
        return said

    async def _first_shown(
        self, context: ToolContext, found: AsyncGenerator[FoundMessage], is_open: _Open, limit: int
    ) -> list[FoundMessage]:
        said: list[FoundMessage] = []
        async with aclosing(found):
            async for one in found:
                if len(said) >= limit:
                    break
                if await self._is_shown(context, one, is_open):
                    said.append(one)
        return said

    # --- what may be found ---

    async def _open(
        self, context: ToolContext, wanted: SearchQuery, *, shown_only: bool = False
    ) -> _Open:
        """Evaluated anew for each search: a person who left a channel finds nothing of it.

        `shown_only` spares asking about channels that can't be shown here.
        """
        shown: list[str] = []
        withheld: list[str] = []
        locations: dict[str, Location] = {}
        workspaces: dict[str, tuple[str, str]] = {}
        inside = self._readers.workspaces(context.person.id)
        if shown_only and context.viewer.place.reach is not Reach.DM:
            inside = [(context.conversation.platform, context.conversation.workspace)]
        reader = self._readers.of(context.person.id)
        for place in await self._channels.within(inside):
            channel = place.conversation
            if self._names_place(context, wanted, channel) and await reader.may_read(channel):
                location = Location.of(channel, was_private=place.was_private)
                locations[channel.channel_key] = location
                workspaces[channel.channel_key] = (channel.platform, channel.workspace)
                viewer, here = context.viewer, context.conversation
                may_show = await self._readers.may_show(viewer, here, channel, location)
                (shown if may_show else withheld).append(channel.channel_key)
        return _Open(tuple(shown), tuple(withheld), locations, workspaces)

    async def _learned(self, said: FoundMessage, is_open: _Open) -> Learned:
        place = said.conversation
        return await self._readers.learned_in(place, is_open.location(place))

    async def _is_shown(self, context: ToolContext, said: FoundMessage, is_open: _Open) -> bool:
        """A thread can be closed to some readers of its channel."""
        place = said.conversation
        if place.place is not Place.THREAD:
            return True
        if not await self._readers.may_read(context.person.id, place):
            return False
        return await self._readers.may_show(
            context.viewer, context.conversation, place, is_open.location(place)
        )

    async def _left_out(
        self,
        context: ToolContext,
        wanted: SearchQuery,
        words: StemmedQuery,
        is_open: _Open,
        unread: int,
    ) -> int:
        """How many more the person would find in a direct message."""
        direct = context.person.id if self._names_direct(context, wanted) else ""
        filters = self._filters(context, wanted)
        filters = is_open.only(filters, is_open.withheld, direct, unread=bool(unread))
        match = " AND ".join(words.groups)
        found = await newest_with(self._database, match, filters, COUNTED, None)
        threads = {one.conversation for one in found if one.conversation.place is Place.THREAD}
        reader = self._readers.of(context.person.id)
        closed = {place for place in threads if not await reader.may_read(place)}
        return sum(one.conversation not in closed for one in found)

    # --- what is meant ---

    def _filters(self, context: ToolContext, wanted: SearchQuery) -> Filters:
        asking = message_of({"message": context.envelope}) if context.envelope else None
        name = wanted.author.strip().removeprefix("@")
        authors = self._authors(context, wanted.author.strip()) if name else ()
        alone = name.casefold() in _ME | _US
        return Filters(
            channels=(),
            authors=authors,
            author_name="" if alone else name,
            after=wanted.after,
            before=wanted.before,
            besides=asking.key if asking is not None else "",
            conversation=context.conversation.key if wanted.here_alone else "",
        )

    def _authors(self, context: ToolContext, named: str) -> tuple[str, ...]:
        """Person ids that a name, a mention or an id can mean."""
        mention = _MENTION.fullmatch(named)
        name = (mention[1] if mention else named.removeprefix("@")).casefold()
        if name in _ME:
            return (context.person.id,)
        if name in _US:
            return (f"agent:{context.agent}",)
        contacts, there = self._contacts, context.conversation
        platform, inside = there.platform, f"{there.platform}-{there.workspace}"
        ids = {name, f"{platform}-{name}", f"{inside}-{name}".casefold()}
        known = [
            contact.id
            for contact in contacts.people
            if name
            in {contact.id.casefold(), contact.name.casefold(), *contact.name.casefold().split()}
            or any(one.id.casefold() == name for one in contacts.accounts(contact.id))
        ]
        if mention:
            known += [f"{platform}-{mention[1]}", f"{inside}-{mention[1]}"]
        return tuple({*known, *ids})

    def _names_place(
        self, context: ToolContext, wanted: SearchQuery, channel: Conversation
    ) -> bool:
        """Whether the name means a channel."""
        named = wanted.place.strip()
        if not named:
            return True
        here = context.conversation
        if named.casefold() == "here":
            return here.place is not Place.DM and channel.channel_key == here.channel_key
        mention = _MENTION.fullmatch(named)
        name = (mention[1] if mention else named.removeprefix("#")).casefold()
        return name in {channel.id.casefold(), self._title(channel).casefold()}

    def _names_direct(self, context: ToolContext, wanted: SearchQuery) -> bool:
        named = wanted.place.strip().casefold()
        return named in {"", "dm"} or (named == "here" and context.conversation.place is Place.DM)

    # --- finding and showing ---

    async def _found(
        self, words: StemmedQuery, filters: Filters, page_size: int = PAGE
    ) -> AsyncGenerator[FoundMessage]:
        """All matches, page by page, each message once."""
        seen: set[int] = set()
        size = max(PAGE, page_size)
        async with aclosing(self._newest(" AND ".join(words.groups), filters, size)) as found:
            async for one in found:
                seen.add(one.id)
                yield one
        some = await self._telling(words)
        for skip in range(0, COMMON, size) if some else ():
            page = await best_with(self._database, some, filters, size, skip)
            for one in page:
                if one.id not in seen:
                    yield one
            if len(page) < size:
                return

    def _each_way(self, asked: _Recalled, filters: Filters) -> list[AsyncGenerator[FoundMessage]]:
        """Each way to find messages for a question; each has its own limit."""
        words, days = asked.words, asked.days
        found = [self._found(words, filters, asked.limit)] if words else []
        if days:
            then = said_on(days)
            with_words = f"({' OR '.join(words.groups)}) AND {then}" if words else then
            found += [
                self._newest(match, filters, asked.limit)
                for match in dict.fromkeys((naming(days), with_words, then))
            ]
        return found

    async def _newest(
        self, match: str, filters: Filters, limit: int
    ) -> AsyncGenerator[FoundMessage]:
        """All matches, newest first."""
        before: int | None = None
        size = max(PAGE, limit)
        while page := await newest_with(self._database, match, filters, size, before):
            for one in page:
                yield one
            before = page[-1].id
            if len(page) < size:
                return

    async def _telling(self, words: StemmedQuery) -> str:
        """A MATCH expression for any rare word of several; empty for a single word."""
        if len(words.groups) < 2:
            return ""
        counts = await document_counts(self._database, sorted(words.forms))
        common = {form for form, count in counts.items() if count > COMMON}
        rare = [group for group in words.groups if not any(f'"{form}"' in group for form in common)]
        return " OR ".join(rare)

    async def _hit(
        self,
        context: ToolContext,
        said: FoundMessage,
        words: StemmedQuery,
        is_open: _Open,
        names: Mapping[str, str],
    ) -> Hit:
        own = said.author == context.person.id
        place = said.conversation
        more = {
            "by": ASKER if own else OWN_WORDS if said.is_own else said.signature(names),
            "where": self._place_name(place),
            "link": await self._links.of(said),
        }
        return Hit(
            EntityType.CHAT,
            "",
            "",
            snippet(said.text, words),
            Origin(Trust.PERSON, "conversation") if own else said.origin,
            said.at,
            private=(await self._learned(said, is_open)).private,
            more={key: value for key, value in more.items() if value},
        )

    def _place_name(self, place: Conversation) -> str:
        if place.place is Place.DM:
            return DIRECT
        title = self._title(place)
        channel = f"#{title}" if title else f"channel {place.channel or place.id}"
        return f"{channel}, thread" if place.place is Place.THREAD else channel

    def _title(self, place: Conversation) -> str:
        """A channel's name, which may have changed since the message."""
        knows = self._readers.on(place.platform)
        named = knows.name_of(place) if knows is not None else ""
        return named or ("" if place.place is Place.THREAD else place.title)


async def _first(found: AsyncGenerator[FoundMessage], limit: int) -> list[FoundMessage]:
    said: list[FoundMessage] = []
    async with aclosing(found):
        async for one in found:
            said.append(one)
            if len(said) == limit:
                break
    return said


def snippet(text: str, words: StemmedQuery) -> str:
    """An excerpt of a text around the first of the words, on one line."""
    begin = max(0, words.spot(text) - SNIPPET_CHARS // 4)
    part = " ".join(text[begin : begin + SNIPPET_CHARS].split())
    return f"{'…' if begin else ''}{part}{'…' if begin + SNIPPET_CHARS < len(text) else ''}"

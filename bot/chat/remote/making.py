"""Makes the call of another process on the connected adapter."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from typing import TypeAlias, assert_never

from bot.chat.remote.calls import (
    CancelEvent,
    ChangeForumPost,
    CloseCard,
    EndPoll,
    EventsAhead,
    Fetch,
    FindChannel,
    FindForumPost,
    FindMember,
    FindPoll,
    FindSent,
    IsShown,
    MakeEvent,
    MakeLink,
    MayCancelEvent,
    MayEndPoll,
    MayMakeEvent,
    MayPostPoll,
    MayRead,
    MayWrite,
    ModeratesPosts,
    NameOf,
    NewestPolls,
    PostPoll,
    Probe,
    ReadProfile,
    ReadsLikeChannel,
    SaidWith,
    VisibilityOf,
    Waits,
)
from bot.domain.chat import (
    ChatAdapter,
    HasReaders,
    KnowsMembers,
    KnowsReaders,
    Probed,
    SearchesItself,
    Shows,
    ShowsWaiting,
)
from bot.domain.forums import HasForums
from bot.domain.people import KnowsProfiles
from bot.domain.polls import HasPolls, KnowsPolls
from bot.domain.server_events import HasServerEvents
from bot.errors import DeliveryError

KeepFile: TypeAlias = Callable[[AsyncGenerator[bytes]], Awaitable[str]]
"""Stores the pieces of a file as a blob of the home, and returns the name of the blob.

Raises StorageError, and what the pieces raise.
"""

ReadersCall: TypeAlias = (
    MayRead
    | MayWrite
    | VisibilityOf
    | ReadsLikeChannel
    | FindChannel
    | MakeLink
    | NameOf
    | SaidWith
)
ExtraCall: TypeAlias = IsShown | Waits | Probe | FindMember | ReadProfile
PollCall: TypeAlias = MayPostPoll | MayEndPoll | PostPoll | FindPoll | NewestPolls | EndPoll
PostCall: TypeAlias = ModeratesPosts | FindForumPost | ChangeForumPost
EventCall: TypeAlias = MayMakeEvent | MayCancelEvent | EventsAhead | MakeEvent | CancelEvent
AdapterCall: TypeAlias = (
    CloseCard | FindSent | Fetch | ExtraCall | PollCall | PostCall | EventCall | ReadersCall
)


async def make(adapter: ChatAdapter, call: AdapterCall, keep: KeepFile) -> object:
    """Make a call. Raises DeliveryError, also if the adapter doesn't support the call."""
    match call:
        case CloseCard(card, line):
            return await adapter.close_card(card, line)
        case FindSent(target, key):
            return await adapter.find_sent(target, key)
        case Fetch(attachment):
            async with aclosing(adapter.fetch(attachment)) as pieces:
                return await keep(pieces)
        case IsShown() | Waits() | Probe() | FindMember() | ReadProfile():
            return await _extra(adapter, call)
        case MayPostPoll() | MayEndPoll() | PostPoll() | FindPoll() | NewestPolls() | EndPoll():
            if not isinstance(adapter, HasPolls):
                raise DeliveryError(f"{adapter.platform} has no polls")
            return await _poll(adapter.polls, call)
        case ModeratesPosts() | FindForumPost() | ChangeForumPost():
            return await _post(adapter, call)
        case MayMakeEvent() | MayCancelEvent() | EventsAhead() | MakeEvent() | CancelEvent():
            return await _event(adapter, call)
        case _:
            if not isinstance(adapter, HasReaders):
                raise DeliveryError(f"{adapter.platform} can't tell who reads a channel")
            return await _ask(adapter.readers, call)


async def _extra(adapter: ChatAdapter, call: ExtraCall) -> object:
    """Make a call that only some adapters support."""
    match call:
        case IsShown(target, receipt) if isinstance(adapter, Shows):
            return await adapter.shows(target, receipt)
        case FindMember(there, person) if isinstance(adapter, KnowsMembers):
            return await adapter.member(there, person)
        case IsShown() | FindMember():
            raise DeliveryError(f"{adapter.platform} can't tell")
        case ReadProfile(person, place):
            knows = isinstance(adapter, KnowsProfiles)
            return await adapter.profile(person, place) if knows else None
        case Waits(card):
            return await adapter.waits(card) if isinstance(adapter, ShowsWaiting) else None
        case Probe():
            return await adapter.probe() if isinstance(adapter, Probed) else None
        case _:
            assert_never(call)


async def _ask(readers: KnowsReaders, call: ReadersCall) -> object:
    match call:
        case MayRead(person, place):
            return await readers.may_read(person, place)
        case MayWrite(person, place):
            return await readers.may_write(person, place)
        case VisibilityOf(channel):
            return await readers.visibility(channel)
        case ReadsLikeChannel(thread):
            return await readers.reads_like_channel(thread)
        case FindChannel(named, near):
            return await readers.channel_named(named, near)
        case MakeLink(place, message):
            return await readers.link(place, message)
        case NameOf(place):
            return readers.name_of(place)
        case SaidWith(words, near, limit):
            searches = isinstance(readers, SearchesItself)
            return await readers.said_with(words, near, limit) if searches else ()
        case _:
            assert_never(call)


async def _poll(polls: KnowsPolls, call: PollCall) -> object:
    match call:
        case MayPostPoll(person, place):
            return await polls.may_post(person, place)
        case MayEndPoll(person, place):
            return await polls.may_end(person, place)
        case PostPoll(target, poll, key):
            return await polls.post(target, poll, key)
        case FindPoll(place, message):
            return await polls.find(place, message)
        case NewestPolls(place, most):
            return await polls.newest(place, most)
        case EndPoll(ended):
            return await polls.end(ended)
        case _:
            assert_never(call)


async def _post(adapter: ChatAdapter, call: PostCall) -> object:
    if not isinstance(adapter, HasForums):
        raise DeliveryError(f"{adapter.platform} has no forums")
    match call:
        case ModeratesPosts(person, place):
            return await adapter.forums.moderates(person, place)
        case FindForumPost(place):
            return await adapter.forums.find(place)
        case ChangeForumPost(post, tags, closed, locked):
            return await adapter.forums.change(post, tags, closed=closed, locked=locked)
        case _:
            assert_never(call)


async def _event(adapter: ChatAdapter, call: EventCall) -> object:
    if not isinstance(adapter, HasServerEvents):
        raise DeliveryError(f"{adapter.platform} has no events")
    events = adapter.server_events
    match call:
        case MayMakeEvent(person, place):
            return await events.may_make(person, place)
        case MayCancelEvent(person, place):
            return await events.may_cancel(person, place)
        case EventsAhead(place):
            return await events.ahead(place)
        case MakeEvent(place, new):
            return await events.make(place, new)
        case CancelEvent(place, event):
            return await events.cancel(place, event)
        case _:
            assert_never(call)

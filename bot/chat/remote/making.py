"""Makes the call of another process on the connected adapter."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from typing import TypeAlias, assert_never

from bot.chat.remote.calls import (
    CloseCard,
    Fetch,
    FindChannel,
    FindMember,
    FindSent,
    IsShown,
    MakeLink,
    MayRead,
    MayWrite,
    NameOf,
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
from bot.domain.people import KnowsProfiles
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
AdapterCall: TypeAlias = CloseCard | FindSent | Fetch | ExtraCall | ReadersCall


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

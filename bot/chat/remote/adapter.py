"""RemoteChat: a platform that a gateway is connected to, as a `ChatAdapter` of this process.

Its polls, posts and events are asked for there, too: if no gateway answers, nobody may do anything.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, TypeAlias
from uuid import uuid4
from weakref import WeakSet

from bot.chat.remote.caller import Caller
from bot.chat.remote.calls import (
    CancelEvent,
    ChangeForumPost,
    CloseCard,
    CloseLive,
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
    SendMessage,
    VisibilityOf,
    Waits,
)
from bot.chat.remote.desk import CallDesk
from bot.chat.remote.making import AdapterCall
from bot.chat.remote.notes import LiveOpened, LiveShown, update_to_json
from bot.domain.chat import (
    Accept,
    ChatAdapter,
    KnowsReaders,
    LiveReply,
    LiveUpdate,
    SaidThere,
    TextDelta,
    TextReset,
    WorkShown,
)
from bot.domain.forums import ForumPost
from bot.domain.messages import (
    Attachment,
    Conversation,
    OutgoingMessage,
    PlatformPerson,
    PostedCard,
    Receipt,
    ReplyTarget,
    Visibility,
)
from bot.domain.people import Profile
from bot.domain.polls import NewPoll, Poll
from bot.domain.server_events import NewServerEvent, PlannedEvent
from bot.errors import DeliveryError, StorageError

log = logging.getLogger(__name__)

SHOWN_EVERY_S = 0.3
"""Seconds between two notes with updates; platforms edit their drafts more slowly."""
KEPT_EVERY_S = 10.0
"""Seconds between two notes that the turn of a view still runs."""

CLOSED_S = 3.0
"""Seconds that the end of a turn waits until its draft is removed."""


class RemoteLive:
    """Implements `domain.chat.LiveReply`. Many pieces of text are sent in few notices."""

    def __init__(self, caller: Caller, line: str, target: ReplyTarget, turn: str, key: str) -> None:
        self.id = uuid4().hex
        self.line = line
        self._caller = caller
        self._opened = LiveOpened(self.id, line, target, turn, key)
        self._all: list[LiveUpdate] = []
        """Everything that was shown, folded, for a gateway that takes over the line."""
        self._new: list[LiveUpdate] = []
        self._is_closed = False
        self._wake = asyncio.Event()
        caller.tell(self._opened)
        self._telling = asyncio.create_task(self._tell(), name=f"live-{turn}")

    def show(self, update: LiveUpdate) -> None:
        if not self._is_closed:
            fold(self._all, update)
            fold(self._new, update)
            self._wake.set()

    def open_again(self) -> None:
        """Open the view again on another gateway, which shows everything from the beginning."""
        if not self._is_closed:
            self._caller.tell(self._opened)
            self._new = list(self._all)
            self._wake.set()

    async def close(self) -> None:
        if self._is_closed:
            return
        self._is_closed = True
        self._telling.cancel()
        self.tell_now()
        try:
            async with asyncio.timeout(CLOSED_S):
                await self._caller.call(self.line, CloseLive(self.id))
        except (DeliveryError, TimeoutError) as error:
            log.debug("live=<%s>, error=<%s> | its draft may stay for a while", self.id, error)

    def tell_now(self) -> None:
        """Send new updates without waiting."""
        if self._new:
            self._tell_new()

    async def _tell(self) -> None:
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(KEPT_EVERY_S):
                    await self._wake.wait()
            self._wake.clear()
            self._tell_new()
            await asyncio.sleep(SHOWN_EVERY_S)

    def _tell_new(self) -> None:
        new, self._new = self._new, []
        self._caller.tell(LiveShown(self.id, [update_to_json(update) for update in new]))


def fold(updates: list[LiveUpdate], update: LiveUpdate) -> None:
    """Add an update; new text extends the last text, a reset drops it, a line replaces the last."""
    last = updates[-1] if updates else None
    if isinstance(update, TextDelta) and isinstance(last, TextDelta):
        updates[-1] = replace(last, text=last.text + update.text)
        return
    if isinstance(update, WorkShown):
        updates[:] = [one for one in updates if not isinstance(one, WorkShown)]
    if isinstance(update, TextReset):
        updates[:] = [one for one in updates if not isinstance(one, TextDelta | TextReset)]
    updates.append(update)


AskGateway: TypeAlias = Callable[[AdapterCall, Conversation], Awaitable[Any]]
"""Lets the gateway of a place make a call. Raises DeliveryError."""


class RemotePolls:
    """Implements `domain.polls.KnowsPolls`."""

    def __init__(self, ask: AskGateway) -> None:
        self._ask = ask

    async def may_post(self, person: str, place: Conversation) -> bool:
        return await _allowed(self._ask, MayPostPoll(person, place), place)

    async def may_end(self, person: str, place: Conversation) -> bool:
        return await _allowed(self._ask, MayEndPoll(person, place), place)

    async def post(self, target: ReplyTarget, poll: NewPoll, key: str) -> Poll:
        return await self._ask(PostPoll(target, poll, key), target.conversation)

    async def find(self, place: Conversation, message: str) -> Poll | None:
        return await self._ask(FindPoll(place, message), place)

    async def newest(self, place: Conversation, most: int) -> Sequence[Poll]:
        return await self._ask(NewestPolls(place, most), place)

    async def end(self, poll: Poll) -> Poll:
        return await self._ask(EndPoll(poll), poll.place)


class RemoteForums:
    """Implements `domain.forums.KnowsForums`."""

    def __init__(self, ask: AskGateway) -> None:
        self._ask = ask

    async def moderates(self, person: str, place: Conversation) -> bool:
        return await _allowed(self._ask, ModeratesPosts(person, place), place)

    async def find(self, place: Conversation) -> ForumPost | None:
        return await self._ask(FindForumPost(place), place)

    async def change(
        self, post: ForumPost, tags: Sequence[str], *, closed: bool, locked: bool
    ) -> None:
        await self._ask(ChangeForumPost(post, tags, closed, locked), post.place)


class RemoteEvents:
    """Implements `domain.server_events.KnowsServerEvents`."""

    def __init__(self, ask: AskGateway) -> None:
        self._ask = ask

    async def may_make(self, person: str, place: Conversation) -> bool:
        return await _allowed(self._ask, MayMakeEvent(person, place), place)

    async def may_cancel(self, person: str, place: Conversation) -> bool:
        return await _allowed(self._ask, MayCancelEvent(person, place), place)

    async def ahead(self, place: Conversation) -> Sequence[PlannedEvent]:
        return await self._ask(EventsAhead(place), place)

    async def make(self, place: Conversation, event: NewServerEvent) -> PlannedEvent:
        return await self._ask(MakeEvent(place, event), place)

    async def cancel(self, place: Conversation, event: PlannedEvent) -> None:
        await self._ask(CancelEvent(place, event), place)


async def _allowed(ask: AskGateway, call: AdapterCall, place: Conversation) -> bool:
    try:
        return await ask(call, place)
    except DeliveryError as error:
        log.info("call=<%s>, error=<%s> | counts as no", call.kind, error)
        return False


_NAMES = 5_000
"""The most remembered names of channels."""

ReadFile: TypeAlias = Callable[[str], AsyncGenerator[bytes]]
"""The pieces of a blob of the home, by its name. Raises StorageError."""
LineOf: TypeAlias = Callable[[str], str]
"""The line of a platform that serves a workspace; empty for any of them."""


@dataclass(frozen=True)
class Remote:
    """Calls to the gateways that serve one platform.

    `desk` belongs to this process if it is a gateway itself; it makes calls on its own lines.
    """

    platform: str
    caller: Caller
    line_of: LineOf
    read_file: ReadFile
    desk: CallDesk | None = None

    async def call(self, call: AdapterCall, place: Conversation | None = None) -> Any:
        """Let the gateway of this place make a call. Raises DeliveryError."""
        line = self.line_of(place.workspace if place else "")
        if self.desk is not None and (here := self.desk.serves(line)) is not None:
            return await self.desk.make(here, call)
        return await self.caller.call(line, call)

    def here(self, place: Conversation) -> ChatAdapter | None:
        """The adapter that is connected in this process for a place, if there is one."""
        return None if self.desk is None else self.desk.serves(self.line_of(place.workspace))


class RemoteTerminal:
    """Implements only `domain.chat.ChatAdapter`, without optional parts."""

    def __init__(self, remote: Remote) -> None:
        self._remote = remote
        self._lives: WeakSet[RemoteLive] = WeakSet()
        remote.caller.on_served(self._served)

    @property
    def platform(self) -> str:
        return self._remote.platform

    async def run(self, accept: Accept) -> None:
        """Do nothing: the gateway accepts the messages."""
        await asyncio.Event().wait()

    async def send(
        self, message: OutgoingMessage, key: str, live: LiveReply | None = None
    ) -> Receipt:
        place = message.target.conversation
        remote = live if isinstance(live, RemoteLive) else None
        if (here := self._remote.here(place)) is not None:
            return await here.send(message, key, None if remote is not None else live)
        if remote is not None:
            remote.tell_now()
        call = SendMessage(message, key, "" if remote is None else remote.id)
        return await self._remote.caller.call(self._remote.line_of(place.workspace), call)

    async def find_sent(self, target: ReplyTarget, key: str) -> Receipt | None:
        return await self._remote.call(FindSent(target, key), target.conversation)

    def live(self, target: ReplyTarget, turn: str, key: str = "") -> LiveReply:
        if (here := self._remote.here(target.conversation)) is not None:
            return here.live(target, turn, key)
        line = self._remote.line_of(target.conversation.workspace)
        live = RemoteLive(self._remote.caller, line, target, turn, key)
        self._lives.add(live)
        return live

    async def fetch(self, attachment: Attachment) -> AsyncGenerator[bytes]:
        """Read a file, which the gateway stores as a blob of the home."""
        blob = await self._remote.call(Fetch(attachment))
        pieces = self._remote.read_file(blob)
        try:
            async for piece in pieces:
                yield piece
        except StorageError as error:
            raise DeliveryError(f"{attachment.name} could not be read: {error}") from error
        finally:
            await pieces.aclose()

    async def close_card(self, card: PostedCard, line: str) -> None:
        await self._remote.call(CloseCard(card, line), card.message.target.conversation)

    def _served(self, line: str) -> None:
        for live in list(self._lives):
            if live.line == line:
                live.open_again()


class RemoteChat(RemoteTerminal):
    """A platform with channels: it also implements what the adapters of Discord and Slack do.

    If the platform itself can't answer a question, the gateway says so.
    """

    def __init__(self, remote: Remote) -> None:
        super().__init__(remote)
        self._readers = RemoteReaders(remote)
        self.polls = RemotePolls(remote.call)
        """Implements domain.polls.HasPolls."""
        self.forums = RemoteForums(remote.call)
        """Implements domain.forums.HasForums."""
        self.server_events = RemoteEvents(remote.call)
        """Implements domain.server_events.HasServerEvents."""

    @property
    def readers(self) -> KnowsReaders:
        """Implements domain.chat.HasReaders."""
        return self._readers

    async def shows(self, target: ReplyTarget, receipt: Receipt) -> bool:
        """Implements domain.chat.Shows."""
        return await self._remote.call(IsShown(target, receipt), target.conversation)

    async def member(self, there: Conversation, person: str) -> PlatformPerson | None:
        """Implements domain.chat.KnowsMembers."""
        return await self._remote.call(FindMember(there, person), there)

    async def profile(self, person: PlatformPerson, place: Conversation) -> Profile | None:
        """Implements domain.people.KnowsProfiles."""
        return await self._remote.call(ReadProfile(person, place), place)

    async def waits(self, card: PostedCard) -> None:
        """Implements domain.chat.ShowsWaiting."""
        try:
            await self._remote.call(Waits(card), card.message.target.conversation)
        except DeliveryError as error:
            log.debug(
                "card=<%s>, error=<%s> | the waiting sign could not be shown", card.key, error
            )

    async def probe(self) -> None:
        """Implements domain.chat.Probed."""
        await self._remote.call(Probe())


class RemoteReaders:
    """Implements `domain.chat.KnowsReaders` and `SearchesItself`.

    If no gateway answers, that counts as no, as if the platform couldn't answer.
    """

    def __init__(self, remote: Remote) -> None:
        self._remote = remote
        self._names: dict[str, str] = {}
        self._asking: set[asyncio.Task[None]] = set()

    async def may_read(self, person: str, place: Conversation) -> bool:
        return await self._told(MayRead(person, place), place, otherwise=False)

    async def may_write(self, person: str, place: Conversation) -> bool:
        return await self._told(MayWrite(person, place), place, otherwise=False)

    async def visibility(self, channel: Conversation) -> Visibility:
        return await self._remote.call(VisibilityOf(channel), channel)

    async def reads_like_channel(self, thread: Conversation) -> bool:
        return await self._told(ReadsLikeChannel(thread), thread, otherwise=False)

    async def channel_named(self, named: str, near: Conversation) -> Conversation | None:
        return await self._told(FindChannel(named, near), near, otherwise=None)

    async def link(self, place: Conversation, message: str) -> str:
        return await self._told(MakeLink(place, message), place, otherwise="")

    async def said_with(self, words: str, near: Conversation, limit: int) -> Sequence[SaidThere]:
        return await self._told(SaidWith(words, near, limit), near, otherwise=())

    def name_of(self, place: Conversation) -> str:
        """The last known name; it is refreshed in the background."""
        task = asyncio.create_task(self._learn_name(place))
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)
        return self._names.get(place.channel_key, "")

    async def _learn_name(self, place: Conversation) -> None:
        name = await self._told(NameOf(place), place, otherwise="")
        if len(self._names) >= _NAMES:
            self._names.clear()
        self._names[place.channel_key] = name

    async def _told(self, call: AdapterCall, place: Conversation, *, otherwise: Any) -> Any:
        try:
            return await self._remote.call(call, place)
        except DeliveryError as error:
            log.info("call=<%s>, error=<%s> | counts as no", call.kind, error)
            return otherwise

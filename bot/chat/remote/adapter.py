"""RemoteChat: a platform that a gateway is connected to, as a `ChatAdapter` of this process.

Its polls, posts and events are asked for there, too: if no gateway answers, nobody may do anything.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TypeAlias, TypeVar, cast
from uuid import uuid4
from weakref import WeakSet

from bot.chat.remote.caller import Caller
from bot.chat.remote.calls import AdapterMethod, GatewayLine, P, R, call_of, make
from bot.chat.remote.held import CallDesk
from bot.chat.remote.notes import LiveOpened, LiveShown, update_to_json
from bot.domain.chat import (
    Accept,
    ChatAdapter,
    KnowsMembers,
    KnowsReaders,
    LiveReply,
    LiveUpdate,
    Probed,
    SaidThere,
    SearchesItself,
    Shows,
    ShowsWaiting,
    TextDelta,
    TextReset,
    WorkShown,
)
from bot.domain.forums import ForumPost, KnowsForums
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
from bot.domain.people import KnowsProfiles, Profile
from bot.domain.polls import KnowsPolls, NewPoll, Poll
from bot.domain.server_events import KnowsServerEvents, NewServerEvent, PlannedEvent
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
                await self._caller.call(self.line, call_of(GatewayLine.close_live, self.id))
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


D = TypeVar("D")
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

    async def call(
        self,
        method: AdapterMethod[P, R],
        place: Conversation | None,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> R:
        """Let the gateway of a place make a call. Raises DeliveryError."""
        line = self.line_of(place.workspace if place else "")
        if self.desk is not None and (here := self.desk.serves(line)) is not None:
            return await make(here, method.__qualname__, *args, **kwargs)
        return await self.caller.call(line, call_of(method, *args, **kwargs))

    async def told(
        self,
        otherwise: D,
        method: AdapterMethod[P, R],
        place: Conversation,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> R | D:
        """The same for a question; `otherwise` if no gateway answers it."""
        try:
            return await self.call(method, place, *args, **kwargs)
        except DeliveryError as error:
            log.info("call=<%s>, error=<%s> | counts as no", method.__qualname__, error)
            return otherwise

    def here(self, place: Conversation) -> ChatAdapter | None:
        """The adapter that is connected in this process for a place, if there is one."""
        line = self.desk and self.desk.serves(self.line_of(place.workspace))
        return line.adapter if line else None


class RemotePolls:
    """Implements `domain.polls.KnowsPolls`."""

    def __init__(self, remote: Remote) -> None:
        self._remote = remote

    async def may_post(self, person: str, place: Conversation) -> bool:
        return await self._remote.told(False, KnowsPolls.may_post, place, person, place)

    async def may_end(self, person: str, place: Conversation) -> bool:
        return await self._remote.told(False, KnowsPolls.may_end, place, person, place)

    async def post(self, target: ReplyTarget, poll: NewPoll, key: str) -> Poll:
        return await self._remote.call(KnowsPolls.post, target.conversation, target, poll, key)

    async def find(self, place: Conversation, message: str) -> Poll | None:
        return await self._remote.call(KnowsPolls.find, place, place, message)

    async def newest(self, place: Conversation, most: int) -> Sequence[Poll]:
        return await self._remote.call(KnowsPolls.newest, place, place, most)

    async def end(self, poll: Poll) -> Poll:
        return await self._remote.call(KnowsPolls.end, poll.place, poll)


class RemoteForums:
    """Implements `domain.forums.KnowsForums`."""

    def __init__(self, remote: Remote) -> None:
        self._remote = remote

    async def moderates(self, person: str, place: Conversation) -> bool:
        return await self._remote.told(False, KnowsForums.moderates, place, person, place)

    async def find(self, place: Conversation) -> ForumPost | None:
        return await self._remote.call(KnowsForums.find, place, place)

    async def change(
        self, post: ForumPost, tags: Sequence[str], *, closed: bool, locked: bool
    ) -> None:
        await self._remote.call(
            KnowsForums.change, post.place, post, tags, closed=closed, locked=locked
        )


class RemoteEvents:
    """Implements `domain.server_events.KnowsServerEvents`."""

    def __init__(self, remote: Remote) -> None:
        self._remote = remote

    async def may_make(self, person: str, place: Conversation) -> bool:
        return await self._remote.told(False, KnowsServerEvents.may_make, place, person, place)

    async def may_cancel(self, person: str, place: Conversation) -> bool:
        return await self._remote.told(False, KnowsServerEvents.may_cancel, place, person, place)

    async def ahead(self, place: Conversation) -> Sequence[PlannedEvent]:
        return await self._remote.call(KnowsServerEvents.ahead, place, place)

    async def make(self, place: Conversation, event: NewServerEvent) -> PlannedEvent:
        return await self._remote.call(KnowsServerEvents.make, place, place, event)

    async def cancel(self, place: Conversation, event: PlannedEvent) -> None:
        await self._remote.call(KnowsServerEvents.cancel, place, place, event)


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
        shown = "" if remote is None else remote.id
        return await self._remote.call(GatewayLine.send, place, message, key, shown)

    async def find_sent(self, target: ReplyTarget, key: str) -> Receipt | None:
        return await self._remote.call(ChatAdapter.find_sent, target.conversation, target, key)

    def live(self, target: ReplyTarget, turn: str, key: str = "") -> LiveReply:
        if (here := self._remote.here(target.conversation)) is not None:
            return here.live(target, turn, key)
        line = self._remote.line_of(target.conversation.workspace)
        live = RemoteLive(self._remote.caller, line, target, turn, key)
        self._lives.add(live)
        return live

    async def fetch(self, attachment: Attachment) -> AsyncGenerator[bytes]:
        """Read a file, which the gateway stores as a blob of the home."""
        blob = await self._remote.call(GatewayLine.fetch, None, attachment)
        pieces = self._remote.read_file(blob)
        try:
            async for piece in pieces:
                yield piece
        except StorageError as error:
            raise DeliveryError(f"{attachment.name} could not be read: {error}") from error
        finally:
            await pieces.aclose()

    async def close_card(self, card: PostedCard, line: str) -> None:
        place = card.message.target.conversation
        await self._remote.call(ChatAdapter.close_card, place, card, line)

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
        self.polls = RemotePolls(remote)
        """Implements domain.polls.HasPolls."""
        self.forums = RemoteForums(remote)
        """Implements domain.forums.HasForums."""
        self.server_events = RemoteEvents(remote)
        """Implements domain.server_events.HasServerEvents."""

    @property
    def readers(self) -> KnowsReaders:
        """Implements domain.chat.HasReaders."""
        return self._readers

    async def shows(self, target: ReplyTarget, receipt: Receipt) -> bool:
        """Implements domain.chat.Shows."""
        return await self._remote.call(Shows.shows, target.conversation, target, receipt)

    async def member(self, there: Conversation, person: str) -> PlatformPerson | None:
        """Implements domain.chat.KnowsMembers."""
        return await self._remote.call(KnowsMembers.member, there, there, person)

    async def profile(self, person: PlatformPerson, place: Conversation) -> Profile | None:
        """Implements domain.people.KnowsProfiles."""
        return await self._remote.call(KnowsProfiles.profile, place, person, place)

    async def waits(self, card: PostedCard) -> None:
        """Implements domain.chat.ShowsWaiting."""
        try:
            await self._remote.call(ShowsWaiting.waits, card.message.target.conversation, card)
        except DeliveryError as error:
            log.debug(
                "card=<%s>, error=<%s> | the waiting sign could not be shown", card.key, error
            )

    async def probe(self) -> None:
        """Implements domain.chat.Probed."""
        await self._remote.call(Probed.probe, None)


class RemoteReaders:
    """Implements `domain.chat.KnowsReaders` and `SearchesItself`.

    If no gateway answers, that counts as no, as if the platform couldn't answer.
    """

    def __init__(self, remote: Remote) -> None:
        self._remote = remote
        self._names: dict[str, str] = {}
        self._asking: set[asyncio.Task[None]] = set()

    async def may_read(self, person: str, place: Conversation) -> bool:
        return await self._remote.told(False, KnowsReaders.may_read, place, person, place)

    async def may_write(self, person: str, place: Conversation) -> bool:
        return await self._remote.told(False, KnowsReaders.may_write, place, person, place)

    async def visibility(self, channel: Conversation) -> Visibility:
        return await self._remote.call(KnowsReaders.visibility, channel, channel)

    async def reads_like_channel(self, thread: Conversation) -> bool:
        return await self._remote.told(False, KnowsReaders.reads_like_channel, thread, thread)

    async def channel_named(self, named: str, near: Conversation) -> Conversation | None:
        return await self._remote.told(None, KnowsReaders.channel_named, near, named, near)

    async def link(self, place: Conversation, message: str) -> str:
        return await self._remote.told("", KnowsReaders.link, place, place, message)

    async def said_with(self, words: str, near: Conversation, limit: int) -> Sequence[SaidThere]:
        return await self._remote.told((), SearchesItself.said_with, near, words, near, limit)

    def name_of(self, place: Conversation) -> str:
        """The last known name; it is refreshed in the background."""
        task = asyncio.create_task(self._learn_name(place))
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)
        return self._names.get(place.channel_key, "")

    async def _learn_name(self, place: Conversation) -> None:
        ask = cast("AdapterMethod[[Conversation], str]", KnowsReaders.name_of)  # it waits here
        name = await self._remote.told("", ask, place, place)
        if len(self._names) >= _NAMES:
            self._names.clear()
        self._names[place.channel_key] = name

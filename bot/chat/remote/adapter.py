"""RemoteChat: a platform that a gateway is connected to, as a `ChatAdapter` of this process.

Its polls, posts and events are asked for there, too: if no gateway answers, nobody may do anything.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from types import CoroutineType
from typing import Any, TypeAlias, TypeVar, cast
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
    PostedCard,
    Receipt,
    ReplyTarget,
)
from bot.domain.people import KnowsProfiles
from bot.domain.polls import KnowsPolls, Poll
from bot.domain.server_events import KnowsServerEvents
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

    def makes(self, method: AdapterMethod[P, R]) -> "Callable[P, CoroutineType[Any, Any, R]]":
        """A method that the gateway of its place makes. Raises DeliveryError."""

        async def made(*args: P.args, **kwargs: P.kwargs) -> R:
            line = self.line_of(_workspace((*args, *kwargs.values())))
            if self.desk is not None and (here := self.desk.serves(line)) is not None:
                return await make(here, method.__qualname__, *args, **kwargs)
            return await self.caller.call(line, call_of(method, *args, **kwargs))

        return made

    def asks(
        self, method: AdapterMethod[P, R], otherwise: D
    ) -> "Callable[P, CoroutineType[Any, Any, R | D]]":
        """The same for a question; `otherwise` if no gateway answers it."""
        make_there = self.makes(method)

        async def asked(*args: P.args, **kwargs: P.kwargs) -> R | D:
            try:
                return await make_there(*args, **kwargs)
            except DeliveryError as error:
                log.info("call=<%s>, error=<%s> | counts as no", method.__qualname__, error)
                return otherwise

        return asked

    def here(self, place: Conversation) -> ChatAdapter | None:
        """The adapter that is connected in this process for a place, if there is one."""
        line = self.desk and self.desk.serves(self.line_of(place.workspace))
        return line.adapter if line else None


def _workspace(arguments: Iterable[object]) -> str:
    """That of the place which a call is about; empty if any line can make it."""
    for one in arguments:
        match one:
            case (
                (Conversation() as place)
                | ReplyTarget(conversation=place)
                | OutgoingMessage(target=ReplyTarget(conversation=place))
                | PostedCard(message=OutgoingMessage(target=ReplyTarget(conversation=place)))
                | Poll(place=place)
                | ForumPost(place=place)
            ):
                return place.workspace
            case _:
                pass
    return ""


class RemotePolls:
    """Implements `domain.polls.KnowsPolls`."""

    def __init__(self, remote: Remote) -> None:
        self.may_post = remote.asks(KnowsPolls.may_post, False)
        self.may_end = remote.asks(KnowsPolls.may_end, False)
        self.post = remote.makes(KnowsPolls.post)
        self.find = remote.makes(KnowsPolls.find)
        self.newest = remote.makes(KnowsPolls.newest)
        self.end = remote.makes(KnowsPolls.end)


class RemoteForums:
    """Implements `domain.forums.KnowsForums`."""

    def __init__(self, remote: Remote) -> None:
        self.moderates = remote.asks(KnowsForums.moderates, False)
        self.find = remote.makes(KnowsForums.find)
        self.change = remote.makes(KnowsForums.change)


class RemoteEvents:
    """Implements `domain.server_events.KnowsServerEvents`."""

    def __init__(self, remote: Remote) -> None:
        self.may_make = remote.asks(KnowsServerEvents.may_make, False)
        self.may_cancel = remote.asks(KnowsServerEvents.may_cancel, False)
        self.ahead = remote.makes(KnowsServerEvents.ahead)
        self.make = remote.makes(KnowsServerEvents.make)
        self.cancel = remote.makes(KnowsServerEvents.cancel)


class RemoteTerminal:
    """Implements only `domain.chat.ChatAdapter`, without optional parts."""

    def __init__(self, remote: Remote) -> None:
        self._remote = remote
        self._lives: WeakSet[RemoteLive] = WeakSet()
        self._send = remote.makes(GatewayLine.send)
        self._fetch = remote.makes(GatewayLine.fetch)
        self.find_sent = remote.makes(ChatAdapter.find_sent)
        self.close_card = remote.makes(ChatAdapter.close_card)
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
        return await self._send(message, key, shown)

    def live(self, target: ReplyTarget, turn: str, key: str = "") -> LiveReply:
        if (here := self._remote.here(target.conversation)) is not None:
            return here.live(target, turn, key)
        line = self._remote.line_of(target.conversation.workspace)
        live = RemoteLive(self._remote.caller, line, target, turn, key)
        self._lives.add(live)
        return live

    async def fetch(self, attachment: Attachment) -> AsyncGenerator[bytes]:
        """Read a file, which the gateway stores as a blob of the home."""
        blob = await self._fetch(attachment)
        pieces = self._remote.read_file(blob)
        try:
            async for piece in pieces:
                yield piece
        except StorageError as error:
            raise DeliveryError(f"{attachment.name} could not be read: {error}") from error
        finally:
            await pieces.aclose()

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
        self.readers = RemoteReaders(remote)
        """Implements domain.chat.HasReaders."""
        self.polls = RemotePolls(remote)
        """Implements domain.polls.HasPolls."""
        self.forums = RemoteForums(remote)
        """Implements domain.forums.HasForums."""
        self.server_events = RemoteEvents(remote)
        """Implements domain.server_events.HasServerEvents."""
        self.shows = remote.makes(Shows.shows)
        self.member = remote.makes(KnowsMembers.member)
        self.profile = remote.makes(KnowsProfiles.profile)
        self.probe = remote.makes(Probed.probe)
        self.waits = remote.asks(ShowsWaiting.waits, None)


class RemoteReaders:
    """Implements `domain.chat.KnowsReaders` and `SearchesItself`.

    If no gateway answers, that counts as no, as if the platform couldn't answer.
    """

    def __init__(self, remote: Remote) -> None:
        self.may_read = remote.asks(KnowsReaders.may_read, False)
        self.may_write = remote.asks(KnowsReaders.may_write, False)
        self.visibility = remote.makes(KnowsReaders.visibility)
        self.reads_like_channel = remote.asks(KnowsReaders.reads_like_channel, False)
        self.channel_named = remote.asks(KnowsReaders.channel_named, None)
        self.link = remote.asks(KnowsReaders.link, "")
        self.said_with = remote.asks(SearchesItself.said_with, ())
        ask = cast("AdapterMethod[[Conversation], str]", KnowsReaders.name_of)  # it waits here
        self._name_of = remote.asks(ask, "")
        self._names: dict[str, str] = {}
        self._asking: set[asyncio.Task[None]] = set()

    def name_of(self, place: Conversation) -> str:
        """The last known name; it is refreshed in the background."""
        task = asyncio.create_task(self._learn_name(place))
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)
        return self._names.get(place.channel_key, "")

    async def _learn_name(self, place: Conversation) -> None:
        name = await self._name_of(place)
        if len(self._names) >= _NAMES:
            self._names.clear()
        self._names[place.channel_key] = name

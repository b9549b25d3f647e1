"""A fake chat platform: people write, read and click, and tests inject faults."""

import asyncio
import itertools
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from bot.domain.chat import PIECE_BYTES, Accept, Acceptance, ChatAdapter, LiveReply, LiveUpdate
from bot.domain.messages import (
    Action,
    Addressed,
    Attachment,
    Command,
    Conversation,
    IncomingMessage,
    MessageKind,
    OutgoingMessage,
    Place,
    PlatformPerson,
    PostedCard,
    Receipt,
    ReplyTarget,
    Visibility,
)
from bot.errors import DeliveryError
from bot.testing.fake_places import FakeForums, FakeServerEvents
from bot.testing.fake_polls import FakePolls


@dataclass
class FakeLive:
    """Records the updates of a running turn."""

    turn: str
    updates: list[LiveUpdate] = field(default_factory=list[LiveUpdate])
    closed: bool = False

    def show(self, update: LiveUpdate) -> None:
        self.updates.append(update)

    async def close(self) -> None:
        self.closed = True


@dataclass(frozen=True)
class Posted:
    """One posted message."""

    key: str
    message: OutgoingMessage

    @property
    def text(self) -> str:
        return self.message.text


@dataclass
class FakeReaders:
    """Implements `domain.chat.KnowsReaders`."""

    of: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    """Readers and writers by the id of a channel, or of a thread closed to some of them."""
    now: dict[str, Visibility] = field(default_factory=dict[str, Visibility])
    """Who reads a channel now, by its id, where that has changed."""

    async def may_read(self, person: str, place: Conversation) -> bool:
        return person in self.of.get(place.id, self.of.get(place.channel, set()))

    async def may_write(self, person: str, place: Conversation) -> bool:
        return await self.may_read(person, place)

    async def visibility(self, channel: Conversation) -> Visibility:
        return self.now.get(channel.id, channel.visibility)

    async def reads_like_channel(self, thread: Conversation) -> bool:
        return thread.id not in self.of

    async def channel_named(self, named: str, near: Conversation) -> Conversation | None:
        found = [one for one in self.of if one.casefold() == named.casefold()]
        return (
            Conversation(near.platform, near.workspace, found[0], Place.CHANNEL) if found else None
        )

    def name_of(self, place: Conversation) -> str:
        return place.channel or place.id

    async def link(self, place: Conversation, message: str) -> str:
        return f"https://chat.example/{place.id}/{message}"


class FakeChat:
    """Implements `domain.chat.ChatAdapter` in place of the platform whose name it takes.

    Posts survive a restart when the same object is used again.
    """

    def __init__(self, platform: str = "discord") -> None:
        self.platform = platform
        self.locale = ""
        """The language that everybody's app is set to, as platforms write it."""
        self.posts: list[Posted] = []
        self.closed: dict[str, list[str]] = {}
        """The line of each edit that removed a card's choices, by the key of the card."""
        self._keys: set[str] = set()
        self.polls = FakePolls(datetime(2026, 11, 28, 12, tzinfo=UTC))
        self.forums = FakeForums()
        self.server_events = FakeServerEvents()
        self.lives: list[FakeLive] = []
        self.files: dict[str, bytes] = {}
        self.refuse: Callable[[OutgoingMessage], DeliveryError | None] = lambda _message: None
        """Set to make sends fail; a None answer lets the message through."""
        self.frame_age: float | None = 0.0
        """Seconds since the platform's last frame; a restart sets 0 unless `unreachable`."""
        self.unreadable = 0
        """How many platform objects could not be read."""
        self.roles: dict[str, tuple[str, ...]] = {}
        """The platform's roles of each person, by their id."""
        self.absent: set[str] = set()
        """People who are reported as not being in a place."""
        self.unreachable = False
        self.readers = FakeReaders()
        self.runs = 0
        """How often the adapter was started."""
        self._accept: Accept | None = None
        self._counter = itertools.count(1)
        self._said_at = datetime.fromtimestamp(0, UTC)
        self._changed = asyncio.Condition()
        self._expected: dict[str, list[asyncio.Future[str]]] = {}

    # --- ChatAdapter ---

    async def run(self, accept: Accept) -> None:
        self._accept = accept
        self.runs += 1
        if not self.unreachable:
            self.frame_age = 0.0
        await asyncio.Event().wait()

    def last_frame(self) -> float | None:
        return self.frame_age

    def skipped(self) -> int:
        return self.unreadable

    async def member(self, there: Conversation, person: str) -> PlatformPerson | None:
        await self.probe()
        if person in self.absent:
            return None
        return PlatformPerson(person, person, platform_roles=self.roles.get(person, ()))

    async def probe(self) -> None:
        if self.unreachable:
            raise DeliveryError(f"{self.platform} does not answer", retryable=True)

    async def send(
        self, message: OutgoingMessage, key: str, live: LiveReply | None = None
    ) -> Receipt:
        if error := self.refuse(message):
            raise error
        if key not in self._keys:
            self._keys.add(key)
            self.posts.append(Posted(key, message))
            for future in self._expected.pop(message.target.conversation.id, []):
                if not future.done():
                    future.set_result(message.text)
        async with self._changed:
            self._changed.notify_all()
        return _receipt(message, key)

    async def find_sent(self, target: ReplyTarget, key: str) -> Receipt | None:
        for post in self.posts:
            if post.key == key:
                return _receipt(post.message, key)
        return None

    async def shows(self, target: ReplyTarget, receipt: Receipt) -> bool:
        return any(post.key in receipt.message_ids for post in self.posts)

    def live(self, target: ReplyTarget, turn: str, key: str = "") -> LiveReply:
        live = FakeLive(turn)
        self.lives.append(live)
        return live

    async def fetch(self, attachment: Attachment) -> AsyncGenerator[bytes]:
        if attachment.ref not in self.files:
            raise DeliveryError(f"{attachment.name} is gone")
        data = self.files[attachment.ref]
        for begin in range(0, len(data), PIECE_BYTES):
            yield data[begin : begin + PIECE_BYTES]

    async def close_card(self, card: PostedCard, line: str) -> None:
        if error := self.refuse(card.message):
            raise error
        self.closed.setdefault(card.key, []).append(line)
        async with self._changed:
            self._changed.notify_all()

    # --- the people's side ---

    def attach(self, accept: Accept) -> None:
        """Use this `accept` directly, without running the adapter."""
        self._accept = accept

    def message(  # noqa: PLR0913 - everything that a person can vary
        self,
        who: str,
        text: str,
        *,
        where: str = "dm",
        place: Place = Place.DM,
        addressed: Addressed | None = None,
        key: str | None = None,
        name: str | None = None,
        attachments: tuple[Attachment, ...] = (),
        at: datetime | None = None,
        visibility: Visibility = Visibility.UNKNOWN,
        channel: str = "",
    ) -> IncomingMessage:
        """Make a message from `who`; in a DM the conversation is the person's own.

        `channel` is the channel of a thread.
        """
        room = f"{where}-{who}" if place is Place.DM else where
        conversation = Conversation(
            self.platform, "w", room, place, channel=channel, visibility=visibility
        )
        return IncomingMessage(
            key=key or f"{self.platform}:{next(self._counter)}",
            conversation=conversation,
            sender=PlatformPerson(who, name or who, platform_roles=self.roles.get(who, ())),
            text=text,
            reply_to=ReplyTarget(conversation),
            sent_at=at or self._moment(),
            attachments=attachments,
            addressed=addressed or (Addressed.DM if place is Place.DM else Addressed.MENTION),
            private=place is Place.DM,
            locale=self.locale,
        )

    def _moment(self) -> datetime:
        """Return a later time for each message, so consecutive ones are not joined (see `at`)."""
        self._said_at = max(datetime.now(UTC), self._said_at + timedelta(seconds=2))
        return self._said_at

    async def deliver(self, message: IncomingMessage) -> Acceptance:
        if self._accept is None:
            raise RuntimeError("FakeChat is not attached to an app yet; call attach(app.accept)")
        return await self._accept(message)

    async def say(self, who: str, text: str, **options: object) -> Acceptance:
        return await self.deliver(self.message(who, text, **options))  # type: ignore[arg-type]  # same names as message()

    async def say_and_wait(self, who: str, text: str, seconds: float = 60.0) -> str:
        """Say something in a DM and wait for the next post there; many people may do so at once."""
        message = self.message(who, text)
        arrived = self._expect(message.conversation.id)
        await self.deliver(message)
        async with asyncio.timeout(seconds):
            return await arrived

    def _expect(self, conversation: str) -> asyncio.Future[str]:
        future: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._expected.setdefault(conversation, []).append(future)
        return future

    async def command(self, who: str, name: str, args: str = "", **options: object) -> Acceptance:
        plain = self.message(who, f"/{name} {args}".strip(), **options)  # type: ignore[arg-type]
        return await self.deliver(_as(plain, MessageKind.COMMAND, command=Command(name, args)))

    async def click(
        self, who: str, ref: str, verb: str, value: str = "", **options: object
    ) -> Acceptance:
        plain = self.message(who, "", **options)  # type: ignore[arg-type]
        return await self.deliver(_as(plain, MessageKind.ACTION, action=Action(ref, verb, value)))

    async def until(self, count: int, seconds: float = 60.0) -> list[Posted]:
        """Wait until this many messages are posted. Raises TimeoutError that lists them."""
        try:
            async with asyncio.timeout(seconds), self._changed:
                await self._changed.wait_for(lambda: len(self.posts) >= count)
        except TimeoutError:
            raise TimeoutError(
                f"{len(self.posts)} posts, not {count}: {[post.text for post in self.posts]}"
            ) from None
        return self.posts

    @property
    def texts(self) -> list[str]:
        return [post.text for post in self.posts]

    @property
    def cards(self) -> list[OutgoingMessage]:
        """Whatever was posted with buttons, oldest first."""
        return [post.message for post in self.posts if post.message.choices]


def _as(
    message: IncomingMessage,
    kind: MessageKind,
    command: Command | None = None,
    action: Action | None = None,
) -> IncomingMessage:
    return replace(message, kind=kind, command=command, action=action, addressed=Addressed.COMMAND)


def _receipt(message: OutgoingMessage, key: str) -> Receipt:
    return Receipt((key,), message.target.conversation.id, sent_at=datetime.now(UTC))


async def fetched(chat: ChatAdapter, attachment: Attachment) -> bytes:
    """Return all bytes of an attachment. Raises DeliveryError."""
    return b"".join([piece async for piece in chat.fetch(attachment)])

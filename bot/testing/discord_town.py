"""A guild on the loopback Discord, with Ann, Bob and the real adapter."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field, replace

from bot.clock import SystemClock
from bot.domain.chat import Acceptance, LiveReply, LiveUpdate, TextDelta
from bot.domain.clock import Clock
from bot.domain.drafts import OpenDrafts
from bot.domain.messages import Choice, IncomingMessage, OutgoingMessage, Receipt
from bot.errors import BotError, SettingsError, StorageError
from bot.loopback.discord import Channel, DiscordPlatform, Message, Options, Person
from bot.plugin.chat import ChatServices, NoDrafts
from bot.plugins.discord_chat.adapter import DiscordChat
from bot.plugins.discord_chat.rates import Pace
from bot.plugins.discord_chat.settings import DiscordSettings
from bot.testing.fake_clock import FakeClock
from bot.testing.fake_recovery import FakeRecovery

QUICK = Pace(
    typing_after=0.0,
    typing_every=5.0,
    draft_after=0.0,
    draft_gather=0.0,
    edit_every=0.05,
    retry=(0.0, 0.0),
    accept_retry=(0.0,),
    identify=0.0,
    guild_ready=0.01,
    calls_per_s=10_000,
    edits_per_5s=10_000,
)
PATIENT = replace(QUICK, typing_after=60.0, draft_after=60.0)
"""Pacing that never shows typing or a draft within a test."""
POSTS = r"/channels/\d+/messages"
EDITS = r"/channels/\d+/messages/\d+"
"""The paths of calls that post, and that edit, delete or look up one message."""
_ANSWER = "t1/send:answer"


@dataclass
class Inbox:
    """Accepts each key once, as the router does."""

    messages: list[IncomingMessage] = field(default_factory=list[IncomingMessage])
    offered: list[IncomingMessage] = field(default_factory=list[IncomingMessage])
    """Every message offered, duplicates included."""
    broken: int = 0
    """How many of the next messages cannot be recorded."""
    refuse: bool = False
    """Whether every message is ignored."""
    changed: Callable[[], None] = lambda: None
    recovery: FakeRecovery = field(default_factory=FakeRecovery)

    async def accept(self, message: IncomingMessage) -> Acceptance:
        await asyncio.sleep(0)
        if self.broken:
            self.broken -= 1
            raise StorageError("the disk is full")
        self.offered.append(message)
        self.changed()
        if any(known.key == message.key for known in self.messages):
            return Acceptance.DUPLICATE
        self.recovery.note(message)
        if self.refuse:
            return Acceptance.IGNORED
        self.messages.append(message)
        return Acceptance.TURN

    @property
    def texts(self) -> list[str]:
        return [message.text for message in self.messages]


class Town:
    """A guild with one channel, Ann and Bob, and Bellhop's adapter."""

    def __init__(self, platform: DiscordPlatform, chat: DiscordChat, clock: Clock) -> None:
        self.platform = platform
        self.chat = chat
        self.clock = clock
        self.inbox = Inbox(changed=platform.log.touch)
        self.guild = platform.guild()
        self.general: Channel = platform.channel(self.guild)
        self.team = platform.role(self.guild, "team")
        self.ann: Person = platform.person("Ann", self.team)
        self.bob: Person = platform.person("Bob")
        self.failures: list[BotError] = []
        self.running = asyncio.create_task(self.serve())

    async def serve(self) -> None:
        """Run the adapter again after each failure, as the app's supervisor does."""
        while True:
            try:
                await self.chat.run(self.inbox.accept)
            except BotError as error:
                self.failures.append(error)
                self.platform.log.touch()
                if isinstance(error, SettingsError):
                    return

    async def heard(self, count: int = 1) -> IncomingMessage:
        """Wait for this many accepted messages; return the last."""
        await self.platform.until(lambda: len(self.inbox.messages) >= count)
        return self.inbox.messages[count - 1]

    async def asked(self, text: str = "hello", *, who: Person | None = None) -> IncomingMessage:
        """Let somebody mention Bellhop in the channel; return the accepted message."""
        before = len(self.inbox.messages)
        (who or self.ann).say(self.general, text, mention=True)
        return await self.heard(before + 1)

    async def answer(
        self,
        message: IncomingMessage,
        text: str,
        key: str = _ANSWER,
        live: LiveReply | None = None,
        choices: tuple[Choice, ...] = (),
    ) -> Receipt:
        return await self.chat.send(OutgoingMessage(message.reply_to, text, choices), key, live)

    async def found(self, message: IncomingMessage, key: str = _ANSWER) -> Receipt | None:
        """Look, as after a crash, for what was sent with this key."""
        return await self.chat.find_sent(message.reply_to, key)

    def live(self, message: IncomingMessage, *updates: LiveUpdate) -> LiveReply:
        """Begin to show the turn `t1` with these updates."""
        live = self.chat.live(message.reply_to, "t1")
        for update in updates:
            live.show(update)
        return live

    async def drafted(self, message: IncomingMessage, text: str = "so far") -> LiveReply:
        """Begin to show the turn `t1`, until its draft is there."""
        live = self.live(message, TextDelta(text))
        await self.shows(message)
        return live

    async def shows(self, message: IncomingMessage) -> Message:
        """Wait until Ann sees something from Bellhop in the message's conversation."""
        known = self.platform.world.channels
        await self.platform.until(
            lambda: int(message.conversation.id) in known and self.seen(message)
        )
        return self.ann.sees(self.thread(message))[0]

    @contextmanager
    def gap(self) -> Generator[None]:
        """Lose what is said in the block, with the session; the next session catches up."""
        gateway = self.platform.gateway
        gateway.refuse_resume = True
        gateway.hold()
        yield
        gateway.lose()
        gateway.abort()

    @property
    def posts(self) -> int:
        """How many messages Bellhop tried to post."""
        return self.platform.log.count("POST", POSTS)

    @property
    def edits(self) -> int:
        return self.platform.log.count("PATCH", EDITS)

    def thread(self, message: IncomingMessage) -> Channel:
        return self.platform.world.channels[int(message.conversation.id)]

    def seen(self, message: IncomingMessage) -> list[str]:
        """Return what Ann sees from Bellhop in the message's conversation."""
        return [sent.content for sent in self.ann.sees(self.thread(message))]


@asynccontextmanager
async def town(
    *,
    pace: Pace = PATIENT,
    clock: Clock | None = None,
    options: Options | None = None,
    blobs: dict[str, bytes] | None = None,
    followed: Callable[[str], bool] | None = None,
    online: bool = True,
    drafts: OpenDrafts | None = None,
    **settings: object,
) -> AsyncGenerator[Town]:
    clock = clock or SystemClock()

    async def read_blob(name: str) -> bytes | None:
        return (blobs or {}).get(name)

    async def follows(conversation: str) -> bool:
        return followed is not None and followed(conversation)

    async with DiscordPlatform(
        options, clock if isinstance(clock, FakeClock) else None
    ) as platform:
        where = DiscordSettings.model_validate(
            {
                "enabled": True,
                "api_base": platform.api_base,
                **settings,
            }
        )
        recovery = FakeRecovery()
        chat = DiscordChat(
            where,
            platform.options.token,
            ChatServices(
                clock,
                followed=follows,
                recovery=recovery,
                read_blob=read_blob,
                drafts=drafts or NoDrafts(),
            ),
            pace=pace,
        )
        made = Town(platform, chat, clock)
        made.inbox.recovery = recovery
        try:
            if online:
                await platform.ready()
                await platform.until(lambda: platform.interactions.commands)
            yield made
        finally:
            made.running.cancel()
            with suppress(asyncio.CancelledError):
                await made.running

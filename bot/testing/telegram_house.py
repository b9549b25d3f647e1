"""The Telegram adapter on loopback Telegram, with a stand-in that accepts and records messages."""

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from bot.app import App, AppOptions, open_app
from bot.chat.limits import Limiter
from bot.clock import SystemClock
from bot.domain.chat import Acceptance, LiveReply
from bot.domain.messages import (
    Addressed,
    IncomingMessage,
    MessageKind,
    OutgoingMessage,
    Receipt,
    ReplyTarget,
)
from bot.domain.models import Model
from bot.loopback.telegram import TOKEN, Chat, Person, TelegramPlatform
from bot.plugin.chat import ChatServices, NoDrafts
from bot.plugins.telegram_chat.adapter import TelegramChat
from bot.plugins.telegram_chat.connection import TelegramConnection
from bot.plugins.telegram_chat.settings import TelegramSecrets, TelegramSettings
from bot.testing.app_lives import ended
from bot.testing.fake_drafts import FakeDrafts
from bot.testing.fake_recovery import FakeRecovery
from bot.testing.slack_house import HurriedClock

WEBHOOK_SECRET = "a-secret-of-the-tests"  # noqa: S105 - only tests know it
SECRETS = TelegramSecrets(TOKEN, WEBHOOK_SECRET)
BLOBS: Mapping[str, bytes] = {"b1": b"city,rain\nBern,7\n", "b2": b"second"}
"""The contents of outgoing files, by blob name."""


@dataclass
class TelegramHouse:
    """Accepts each key once: `heard` has the messages, `calls` every key handed in."""

    chat: TelegramChat
    telegram: TelegramPlatform
    running: asyncio.Task[None]
    heard: list[IncomingMessage] = field(default_factory=list[IncomingMessage])
    calls: list[str] = field(default_factory=list[str])
    trouble: list[Exception] = field(default_factory=list[Exception])
    """Errors that the next accepts raise."""
    recovery: FakeRecovery = field(default_factory=FakeRecovery)

    async def accept(self, message: IncomingMessage) -> Acceptance:
        self.calls.append(message.key)
        if self.trouble:
            raise self.trouble.pop()
        if any(known.key == message.key for known in self.heard):
            return Acceptance.DUPLICATE
        self.heard.append(message)
        self.recovery.note(message)
        if message.addressed is Addressed.NONE:
            return Acceptance.CONTEXT
        return Acceptance.TURN if message.kind is MessageKind.TEXT else Acceptance.CONTROL

    async def next(self, count: int) -> IncomingMessage:
        """Wait for the message with this number (from 1)."""
        await self.telegram.until(lambda: len(self.heard) >= count or self.running.done())
        return self.heard[count - 1]

    @cached_property
    def ann(self) -> Person:
        return self.telegram.person("Ann")

    @cached_property
    def ben(self) -> Person:
        return self.telegram.person("Ben")

    @cached_property
    def trips(self) -> Chat:
        """A group of Ann and Ben."""
        return self.telegram.group("Trips", self.ann, self.ben)

    async def asked(self, text: str = "hello") -> ReplyTarget:
        """Let Ann mention Bellhop in the group; return where an answer goes."""
        before = len(self.heard)
        self.ann.mention(text, self.trips)
        return (await self.next(before + 1)).reply_to

    async def written(self, text: str = "hello") -> ReplyTarget:
        """Let Ann write to Bellhop directly; return where an answer goes."""
        before = len(self.heard)
        self.ann.say(text)
        return (await self.next(before + 1)).reply_to

    async def answer(
        self,
        target: ReplyTarget,
        text: str,
        key: str = "k1",
        live: LiveReply | None = None,
        **extra: Any,
    ) -> Receipt:
        return await self.chat.send(OutgoingMessage(target, text, **extra), key, live)


def connection_to(settings: TelegramSettings, *, hurried: bool = True) -> TelegramConnection:
    """Return a connection; its limits run twenty times as fast if it is `hurried`."""
    limits = Limiter(HurriedClock() if hurried else SystemClock())
    return TelegramConnection(SECRETS, settings, SystemClock(), limits, poll_s=5)


@asynccontextmanager
async def telegram_house(
    telegram: TelegramPlatform,
    recovery: FakeRecovery | None = None,
    drafts: FakeDrafts | None = None,
    *,
    hurried: bool = True,
    **options: Any,
) -> AsyncGenerator[TelegramHouse]:
    """Run a connected adapter with further settings in `options`; errors of `run` raise at the end.

    With the `recovery` and `drafts` of an earlier house it continues from there.
    """
    wanted = {"enabled": True, "api_base": telegram.api_base, **options}
    settings = TelegramSettings.model_validate(wanted)
    opened: list[TelegramHouse] = []

    async def read_blob(name: str) -> bytes | None:
        return BLOBS.get(name)

    async def accept(message: IncomingMessage) -> Acceptance:
        return await opened[0].accept(message)

    recovery = recovery or FakeRecovery()
    chat = TelegramChat(
        settings,
        SECRETS,
        ChatServices(
            HurriedClock(), recovery=recovery, read_blob=read_blob, drafts=drafts or NoDrafts()
        ),
        connection=connection_to(settings, hurried=hurried),
    )
    telegram.polling = False
    running = asyncio.create_task(chat.run(accept), name="telegram")
    opened.append(TelegramHouse(chat, telegram, running, recovery=recovery))
    try:
        by_hook = settings.mode == "webhook"
        await telegram.until(
            lambda: (telegram.world.webhook if by_hook else telegram.polling) or running.done()
        )
        yield opened[0]
    finally:
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running


def write_home(home: Path, telegram: TelegramPlatform, **settings: object) -> None:
    """Write the files of a home on Telegram; `settings` are further sections of bellhop.yaml."""
    sections = {**settings, "telegram": {"enabled": True, "api_base": telegram.api_base}}
    (home / "bellhop.yaml").write_text(json.dumps(sections))
    (home / ".env").write_text(f"TELEGRAM_BOT_TOKEN={TOKEN}\n")


@asynccontextmanager
async def app_on_telegram(
    home: Path, telegram: TelegramPlatform, model: Model, **settings: object
) -> AsyncGenerator[App]:
    """Run a whole app; `settings` are further sections of bellhop.yaml."""
    write_home(home, telegram, **settings)
    options = AppOptions(home, model=model, clock=HurriedClock(), platforms=True)
    async with open_app(options) as app:
        vars(app.engine)["_drain_s"] = 0.1  # a hanging turn is cut soon
        running = asyncio.create_task(app.run(), name="app")
        try:
            await telegram.until(lambda: telegram.polling)
            yield app
        finally:
            running.cancel()
            await ended(running)

"""The Slack adapter on loopback Slack, with a stand-in that accepts and records messages."""

import asyncio
import json
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from aiohttp import web

from bot.app import App, AppOptions, open_app
from bot.chat.limits import Limiter
from bot.clock import SystemClock
from bot.domain.chat import Acceptance, LiveReply, LiveUpdate, TextDelta
from bot.domain.clock import Clock
from bot.domain.messages import (
    Addressed,
    IncomingMessage,
    MessageKind,
    OutgoingMessage,
    Receipt,
    ReplyTarget,
)
from bot.domain.models import Model
from bot.loopback.slack import (
    APP_TOKEN,
    BOT_TOKEN,
    SIGNING_SECRET,
    TEAM,
    Channel,
    Message,
    Person,
    SlackPlatform,
)
from bot.plugin.chat import ChatServices, NoDrafts
from bot.plugins.slack_chat.adapter import SlackChat
from bot.plugins.slack_chat.connection import SlackConnection
from bot.plugins.slack_chat.settings import SlackSettings, SlackTokens
from bot.testing.app_lives import ended
from bot.testing.fake_drafts import FakeDrafts
from bot.testing.fake_recovery import FakeRecovery
from bot.testing.home_files import contact, know
from bot.testing.waiting import until

TOKENS = SlackTokens(BOT_TOKEN, APP_TOKEN, SIGNING_SECRET)
BLOBS: Mapping[str, bytes] = {"b1": b"city,rain\nBern,7\n", "b2": b"second"}
"""The contents of outgoing files, by blob name."""
START = "A long answer starts here and grows beyond the eighty characters that are waited for. "
"""A text that is shown before its answer is finished."""


def known(home: Path, *people: Person, **roles: str) -> None:
    """Write contacts.yaml with these people, who are Friends unless `roles` names another role."""
    contacts = [
        contact(one.name.title(), roles.get(one.name, "Friend"), slack=f"{TEAM}:{one.id}")
        for one in people
    ]
    know(home, *contacts)


async def reads(
    slack: SlackPlatform, who: Person, text: str, where: Channel | None = None
) -> Message:
    """Wait until somebody sees a message with these words; return the last.

    They see it in `where`, else in their direct messages.
    """

    def found() -> list[Message]:
        return [one for one in who.sees(where) if text in one.text + str(one.blocks)]

    return (await slack.until(found))[-1]


async def says(slack: SlackPlatform, text: str) -> Message:
    """Wait until the app says this to anybody; return the last such message."""
    return (await slack.until(lambda: [one for one in slack.said if text in one.text]))[-1]


class HurriedClock(SystemClock):
    """A clock that runs twenty times as fast, so that waits are short but keep their order."""

    def monotonic(self) -> float:
        return super().monotonic() * 20

    async def sleep(self, seconds: float) -> None:
        await super().sleep(seconds / 20)

    def after(self, seconds: float, call: Callable[[], object]) -> asyncio.TimerHandle:
        return super().after(seconds / 20, call)


@dataclass
class SlackHouse:
    """Accepts each key once: `heard` has the messages, `calls` every key handed in."""

    chat: SlackChat
    slack: SlackPlatform
    running: asyncio.Task[None]
    heard: list[IncomingMessage] = field(default_factory=list[IncomingMessage])
    calls: list[str] = field(default_factory=list[str])
    followed: set[str] = field(default_factory=set[str])
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
        if message.addressed is Addressed.MENTION:
            self.followed.add(message.conversation.key)
        return Acceptance.TURN if message.kind is MessageKind.TEXT else Acceptance.CONTROL

    async def next(self, count: int) -> IncomingMessage:
        """Wait for the message with this number (from 1)."""
        await self.slack.settled()
        await self.slack.until(lambda: len(self.heard) >= count or self.running.done())
        return self.heard[count - 1]

    @cached_property
    def ann(self) -> Person:
        return self.slack.person("ann")

    @cached_property
    def bob(self) -> Person:
        return self.slack.person("bob")

    @cached_property
    def office(self) -> Channel:
        """A channel with Ann and Bob."""
        return self.slack.channel("office", self.ann, self.bob)

    async def asked(self, text: str = "hello") -> IncomingMessage:
        """Let Ann mention Bellhop in the office; return the accepted message."""
        before = len(self.heard)
        self.ann.mention(text, self.office)
        return await self.next(before + 1)

    async def written(self, text: str = "hello") -> IncomingMessage:
        """Let Ann write to Bellhop directly; return the accepted message."""
        before = len(self.heard)
        self.ann.say(text)
        return await self.next(before + 1)

    async def answer(
        self,
        target: ReplyTarget,
        text: str,
        key: str = "k1",
        live: LiveReply | None = None,
        **extra: Any,
    ) -> Receipt:
        return await self.chat.send(OutgoingMessage(target, text, **extra), key, live)

    async def found(self, message: IncomingMessage, key: str = "k1") -> Receipt | None:
        """Look, as after a crash, for what was sent with this key."""
        return await self.chat.find_sent(message.reply_to, key)

    def live(self, message: IncomingMessage, *updates: LiveUpdate) -> LiveReply:
        """Begin to show the turn `t1` with these updates."""
        live = self.chat.live(message.reply_to, "t1")
        for update in updates:
            live.show(update)
        return live

    async def drafted(self, message: IncomingMessage) -> LiveReply:
        """Begin to show the turn `t1`, until `START` is there."""
        live = self.live(message, TextDelta(START))
        await self.showing(lambda shown: shown.text == START)
        return live

    @property
    def texts(self) -> list[str]:
        """What the app's messages say now."""
        return [message.text for message in self.slack.said]

    async def showing(self, what: Callable[[Message], object]) -> Message:
        """Wait for a message of the app for which this holds; return the newest."""
        return await self.slack.until(
            lambda: next((m for m in reversed(self.slack.said) if what(m)), None)
        )


@asynccontextmanager
async def served(app: App, slack: SlackPlatform) -> AsyncGenerator[None]:
    """Run an app on Slack in Socket Mode; enter once it is connected."""
    running = asyncio.create_task(app.run(), name="app")
    try:
        await slack.delivery.wait_connected()
        yield
    finally:
        running.cancel()
        await ended(running)


@asynccontextmanager
async def app_on_slack(
    home: Path,
    server: SlackPlatform,
    model: Model,
    *,
    search: bool = False,
    slack: Mapping[str, object] | None = None,
    **settings: object,
) -> AsyncGenerator[App]:
    """Run a whole app in Socket Mode.

    `slack` has further settings of its section, `settings` further sections of bellhop.yaml.
    """
    of_slack = {"enabled": True, "api_base": server.api_base, "search": search}
    sections = {**settings, "slack": {**of_slack, **(slack or {})}}
    (home / "bellhop.yaml").write_text(json.dumps(sections))
    (home / ".env").write_text(f"SLACK_BOT_TOKEN={BOT_TOKEN}\nSLACK_APP_TOKEN={APP_TOKEN}\n")
    options = AppOptions(home, model=model, clock=HurriedClock(), platforms=True)
    async with open_app(options) as app, served(app, server):
        yield app


@asynccontextmanager
async def carried(slack: SlackPlatform, routes: Sequence[web.RouteDef]) -> AsyncGenerator[None]:
    """Have Slack send its events to these routes, which the HTTP server carries in a whole app."""
    server = web.Application()
    server.add_routes(routes)
    runner = web.AppRunner(server, shutdown_timeout=2.0)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        slack.delivery.request_url = f"http://127.0.0.1:{runner.addresses[0][1]}/slack/events"
        yield
    finally:
        await runner.cleanup()


@asynccontextmanager
async def slack_house(
    slack: SlackPlatform,
    mode: str = "socket",
    recovery: FakeRecovery | None = None,
    drafts: FakeDrafts | None = None,
    minutes: Clock | None = None,
    **options: Any,
) -> AsyncGenerator[SlackHouse]:
    """Run a connected adapter with further settings in `options`; errors of `run` raise at the end.

    With the `recovery` and `drafts` of an earlier house it continues from there. The limits of its
    calls go by the clock `minutes`, if given.
    """
    wanted = {"enabled": True, "api_base": slack.api_base, "mode": mode, **options}
    settings = SlackSettings.model_validate(wanted)
    opened: list[SlackHouse] = []

    async def followed(conversation: str) -> bool:
        return conversation in opened[0].followed

    async def read_blob(name: str) -> bytes:
        return BLOBS[name]

    async def accept(message: IncomingMessage) -> Acceptance:
        return await opened[0].accept(message)

    connection = SlackConnection(
        TOKENS, settings, SystemClock(), ping_s=0.2, limits=Limiter(minutes or HurriedClock())
    )
    recovery = recovery or FakeRecovery()
    chat = SlackChat(
        settings,
        TOKENS,
        ChatServices(
            HurriedClock(),
            followed=followed,
            recovery=recovery,
            read_blob=read_blob,
            drafts=drafts or NoDrafts(),
        ),
        connection=connection,
    )
    async with carried(slack, chat.routes()) if mode == "http" else nullcontext():
        running = asyncio.create_task(chat.run(accept), name="slack")
        opened.append(SlackHouse(chat, slack, running, recovery=recovery))
        try:
            if mode == "socket":
                await slack.delivery.wait_connected()
            else:
                await slack.until(lambda: slack.log.named("auth.test"))
                await until(lambda: chat.connected or running.done())
            yield opened[0]
        finally:
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running

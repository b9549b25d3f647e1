"""SlackPlatform: a workspace on 127.0.0.1 that real Slack clients talk to."""

import re
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any, ClassVar
from urllib.parse import urlsplit

from aiohttp import web

from bot.loopback.serving import CallWindows, LoopbackService, serving, until
from bot.loopback.slack.delivery import Delivery
from bot.loopback.slack.events import EVENT_SCOPES, MESSAGE_EVENTS, Events
from bot.loopback.slack.faults import Fault, Faults
from bot.loopback.slack.log import CallLog
from bot.loopback.slack.method import ApiFailure, Office
from bot.loopback.slack.people import Person, Surroundings, is_mention
from bot.loopback.slack.web_api import Reply, WebApi
from bot.loopback.slack.world import BOT_USER, Channel, ChannelKind, Message, World
from bot.plugin.clock import Clock, SystemClock
from bot.plugin.models import JsonObject

BOT_TOKEN = "xoxb-house-0123456789abcdef"  # noqa: S105 - only this server accepts it
APP_TOKEN = "xapp-1-house-0123456789abcdef"  # noqa: S105
SIGNING_SECRET = "0123456789abcdef0123456789abcdef"  # noqa: S105
REPLY_LIFE_S = 1800.0
_LINK = re.compile(r"https?://[^\s<>|]+")


class Grant:
    """The scopes of the installation; all of them without a manifest."""

    def __init__(self, manifest: JsonObject | None) -> None:
        self._open = manifest is None
        manifest = manifest or {}
        settings: JsonObject = manifest.get("settings", {})
        self.scopes: set[str] = set(
            manifest.get("oauth_config", {}).get("scopes", {}).get("bot", [])
        )
        self.shortcuts: list[JsonObject] = manifest.get("features", {}).get("shortcuts", [])
        remote = settings.get("function_runtime") == "remote" and settings.get("org_deploy_enabled")
        self.functions: JsonObject = manifest.get("functions", {}) if remote else {}
        home: JsonObject = manifest.get("features", {}).get("app_home", {})
        self.link_domains: set[str] = set(manifest.get("features", {}).get("unfurl_domains", []))
        self.home_tab = self._open or bool(home.get("home_tab_enabled"))
        self.events: set[str] = set(settings.get("event_subscriptions", {}).get("bot_events", []))
        self.socket_mode = self._open or bool(settings.get("socket_mode_enabled"))

    def scope(self, name: str) -> bool:
        return self._open or not name or name in self.scopes

    def event(self, name: str) -> bool:
        return self._open or name in self.events


def _fits(_what: str, _sent: JsonObject) -> str:
    return ""


class SlackPlatform(LoopbackService):
    """A Slack server: `async with SlackPlatform() as slack` serves until the block ends.

    Leaving the block raises AssertionError if the app broke a rule. Use `strict=False` if a test
    breaks rules on purpose and checks `log.problems` itself. `manifest` is the app's, for its
    scopes and events.
    """

    misfit: ClassVar[Callable[[str, JsonObject], str]] = staticmethod(_fits)
    """What of a call, by its method, contradicts Slack's types; tests set it."""
    untold: ClassVar[Callable[[str, JsonObject], str]] = staticmethod(_fits)
    """What of a payload to the app, by its kind of envelope, contradicts them."""

    def __init__(
        self, manifest: JsonObject | None = None, clock: Clock | None = None, *, strict: bool = True
    ) -> None:
        self.clock = clock or SystemClock()
        self.world = World(self.clock)
        self.log = CallLog()
        self.faults = Faults()
        self.grant = Grant(manifest)
        self.delivery = Delivery(self.log, self.faults, SIGNING_SECRET)
        self._strict = strict
        self._replies: dict[str, Reply] = {}
        self._tickets: set[str] = set()
        self._place = ""
        office = Office(
            self.world,
            lambda: self.base,
            self._announce,
            self._message_changed,
            self._message_removed,
            self._need_scope,
            self.grant.event,
            self._socket_url,
            lambda: self.grant.home_tab,
            lambda: self.grant.scopes,
        )
        tokens = {BOT_TOKEN: "bot", APP_TOKEN: "app"}
        self.alter: Callable[[str, JsonObject], JsonObject] = lambda _what, data: data
        """Alters a method's answer (by its name) or an envelope's payload (by its type)."""
        self.delivery.alter = self._altered
        self.delivery.untold = type(self).untold
        self._api = WebApi(office, self.faults, self.log, tokens, lambda key: self._replies[key])
        self._api.alter = self._altered
        self._api.misfit = type(self).misfit

    # --- opening and closing ---

    @asynccontextmanager
    async def served(self) -> AsyncGenerator[None]:
        app = web.Application(client_max_size=64 * 1024 * 1024, middlewares=[self._notice])
        app.add_routes([*self._api.routes(), web.get("/link", self._link)])
        async with serving(app) as self._place:
            try:
                yield
            finally:
                await self.delivery.close()
        if self._strict and self.log.problems:
            raise AssertionError("the app broke rules of Slack:\n" + "\n".join(self.log.problems))

    @property
    def base(self) -> str:
        return f"http://{self._place}"

    @property
    def api_base(self) -> str:
        """Return the base address of the Web API."""
        return f"{self.base}/api/"

    # --- people and places ---

    def person(self, name: str, *, is_bot: bool = False) -> Person:
        """Return the member of this name; a new one joins the workspace now."""
        around = Surroundings(
            world=self.world,
            delivery=self.delivery,
            events=self._events,
            announce=self._announce,
            changed=self._message_changed,
            removed=self._message_removed,
            event=self._event,
            reply_url=self._reply_url,
            shortcuts=lambda: self.grant.shortcuts,
        )
        return Person(self.world.add_member(name, is_bot=is_bot), around)

    def channel(
        self, name: str, *people: Person, kind: ChannelKind = ChannelKind.PUBLIC, app: bool = True
    ) -> Channel:
        """Create a channel with these people, and with the app unless `app` is False."""
        members = {person.id for person in people}
        return self.world.add_channel(name, kind, {*members, BOT_USER} if app else members)

    def run_step(self, step: str, **inputs: str) -> str:
        """Run a step of the app in a workflow; `world.step_runs` gets its end under this id.

        Raises ValueError if the app has no such step, or one that takes other inputs.
        """
        described: JsonObject = self.grant.functions.get(step, {})
        if {*described.get("input_parameters", {})} != {*inputs}:
            raise ValueError(f"no step {step} takes {sorted(inputs)}")
        run = self.world.next_id("Fx")
        self.world.step_runs[run] = None
        self._event("function_executed", self._events().executed(step, run, dict(inputs)))
        return run

    # --- faults ---

    def fail(self, method: str, *faults: Fault) -> None:
        """Add faults for the next calls of a method, `files.download` or `response_url`."""
        self.faults.add(method, *faults)

    def expire_streams(self) -> None:
        """Expire streams, as Slack does after some minutes."""
        for message in self.world.messages:
            if message.stream is not None:
                message.stream.open = False

    def enforce_rates(self) -> None:
        self._api.rates = CallWindows(self.clock)

    # --- watching ---

    async def until(self, predicate: Callable[[], Any], seconds: float = 60.0) -> Any:
        """Wait until this holds, checking after each request and acknowledgement of the app.

        Raises TimeoutError with the current state.
        """
        return await until(predicate, self.delivery.changed, self._state, seconds)

    def _state(self) -> str:
        texts = [message.text[:200] for message in self.world.messages if message.from_bot]
        return f"the app said {texts}; calls {dict(self.log.counts)}"

    async def settled(self) -> None:
        """Wait until every event is acknowledged or given up."""
        await self.delivery.settled()

    @property
    def said(self) -> list[Message]:
        """Return all visible messages of the app, in order."""
        return [
            message for message in self.world.messages if message.from_bot and not message.deleted
        ]

    @web.middleware
    async def _notice(self, request: web.Request, handler: Any) -> web.StreamResponse:
        try:
            return await handler(request)
        except web.HTTPException as refused:
            self.log.problems.append(f"{request.method} {request.path}: {refused.status}")
            raise
        except Exception as error:
            self.log.problems.append(
                f"{request.method} {request.path} broke the platform itself: {error!r}"
            )
            raise
        finally:
            self.delivery.changed.set()

    # --- telling the app ---

    def _events(self) -> Events:
        return Events(self.world, self.base)

    def _announce(self, message: Message) -> None:
        channel = self.world.channels[message.channel]
        urls = [url for url in _LINK.findall(message.text) if self._is_of_app(url)]
        if urls and not message.from_bot:
            self._event("link_shared", self._events().link_shared(message, channel, urls))
        if BOT_USER not in channel.members:
            return
        events = self._events()
        batch = [(MESSAGE_EVENTS[channel.kind], events.message(message, channel))]
        if is_mention(message, channel):
            batch.append(("app_mention", events.mention(message, channel)))
        for name, event in batch[::-1] if self.faults.reorder else batch:
            self._event(name, event)

    def _is_of_app(self, url: str) -> bool:
        return urlsplit(url).hostname in self.grant.link_domains

    def _message_changed(self, message: Message, before: str) -> None:
        channel = self.world.channels[message.channel]
        self._event(MESSAGE_EVENTS[channel.kind], self._events().changed(message, channel, before))

    def _message_removed(self, message: Message) -> None:
        channel = self.world.channels[message.channel]
        self._event(MESSAGE_EVENTS[channel.kind], self._events().deleted(message, channel))

    def _event(self, name: str, event: JsonObject) -> None:
        if not self.grant.event(name):
            return
        if not self.grant.scope(EVENT_SCOPES[name]):
            self.log.problems.append(f"the event {name} needs the scope {EVENT_SCOPES[name]}")
            return
        self.log.events_used.add(name)
        if EVENT_SCOPES[name]:
            self.log.scopes_used.add(EVENT_SCOPES[name])
        self.delivery.send("events_api", self._events().wrap(event))

    def _altered(self, what: str, data: JsonObject) -> JsonObject:
        return self.alter(what, data)

    # --- what methods ask ---

    def _need_scope(self, scope: str) -> None:
        if not self.grant.scope(scope):
            raise ApiFailure("missing_scope")
        self.log.scopes_used.add(scope)

    def _reply_url(self, channel: str, user: str, message: Message | None) -> str:
        if message is None:
            self.log.scopes_used.add("commands")
        key = self.world.next_id("reply")
        self._replies[key] = Reply(channel, user, self.clock.monotonic() + REPLY_LIFE_S, message)
        return f"{self.base}/respond/{key}"

    def _socket_url(self) -> str:
        if not self.grant.socket_mode:
            raise ApiFailure("socket_mode_not_enabled")
        ticket = self.world.next_id("ticket")
        self._tickets.add(ticket)
        return f"ws://{self._place}/link?ticket={ticket}"

    async def _link(self, request: web.Request) -> web.StreamResponse:
        ticket = request.query.get("ticket", "")
        if ticket not in self._tickets:
            return web.Response(status=401, text="this ticket was used")
        self._tickets.discard(ticket)
        return await self.delivery.serve_socket(request)

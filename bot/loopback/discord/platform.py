"""The server: one port for REST, gateway and files, and its controls for tests."""

import asyncio
import json
import math
import re
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeAlias, TypeVar, cast
from urllib.parse import unquote

from aiohttp import BodyPartReader, web

from bot.loopback.discord.bodies import ApiError
from bot.loopback.discord.call_log import Call, CallLog
from bot.loopback.discord.calls import Reply, Request
from bot.loopback.discord.channel_routes import ChannelRoutes
from bot.loopback.discord.event_routes import EventRoutes
from bot.loopback.discord.faults import Fault, Faults
from bot.loopback.discord.gateway import Gateway
from bot.loopback.discord.interaction_routes import InteractionRoutes
from bot.loopback.discord.payloads import Payloads
from bot.loopback.discord.people import Person
from bot.loopback.discord.posts import Posts
from bot.loopback.discord.world import Channel, ChannelKind, Guild, Role, World
from bot.loopback.serving import LoopbackService, cut, serving
from bot.plugin.clock import Clock, SystemClock
from bot.plugin.models import JsonObject

T = TypeVar("T")
_Handler: TypeAlias = Callable[[Request], Reply]
_LARGEST_BODY = 110 * 2**20
_API = "/api/v10"


@dataclass(frozen=True)
class BucketRule:
    limit: int = 5
    per_s: float = 5.0


@dataclass
class _Bucket:
    used: int
    reset_at: float


class Buckets:
    """Counts calls per route and channel in some seconds; without rules every call passes."""

    def __init__(self, clock: Clock, rules: dict[str, BucketRule]) -> None:
        self._clock = clock
        self._rules = rules
        self._buckets: dict[tuple[str, str], _Bucket] = {}

    def take(self, route: str, major: str) -> tuple[dict[str, str], float | None]:
        """Count a call; return headers for the answer, and the wait if the bucket is empty."""
        rule = self._rules.get(route)
        if rule is None:
            return {}, None
        now = self._clock.monotonic()
        bucket = self._buckets.get((route, major))
        if bucket is None or now >= bucket.reset_at:
            bucket = self._buckets[route, major] = _Bucket(0, now + rule.per_s)
        after = max(bucket.reset_at - now, 0.0)
        over = bucket.used >= rule.limit
        bucket.used += 0 if over else 1
        headers = {
            "X-RateLimit-Bucket": f"bucket-{route.replace(' ', '').replace('/', '-')}",
            "X-RateLimit-Limit": str(rule.limit),
            "X-RateLimit-Remaining": str(rule.limit - bucket.used),
            "X-RateLimit-Reset": f"{self._clock.now().timestamp() + after:.3f}",
            "X-RateLimit-Reset-After": f"{math.ceil(after * 1000) / 1000:.3f}",
        }
        return headers, after if over else None


@dataclass(frozen=True)
class Options:
    """Options of the loopback Discord."""

    token: str = "loopback-discord-token"  # noqa: S105 - only this server accepts it
    rate_limits: dict[str, BucketRule] = field(default_factory=dict[str, BucketRule])
    """By route, e.g. `POST /channels/{channel}/messages`."""
    history_nonces: bool = True
    """Whether messages that are read later still carry their nonce."""


def _fits(_method: str, _route: str, _body: JsonObject) -> str:
    return ""


class ProblemsFound(AssertionError):
    """Raised when the bot used a route that this Discord lacks, or sent what does not fit it."""


class DiscordPlatform(LoopbackService):
    """A Discord server: `async with DiscordPlatform() as discord:` serves until the block ends.

    Calling an unknown route gives the bot a 404, and the test `ProblemsFound` when the block ends.
    Refused calls (limits, permissions) are answered as Discord does, and recorded in `refusals`.
    """

    misfit: ClassVar[Callable[[str, str, JsonObject], str]] = staticmethod(_fits)
    """What of a body contradicts the description of its method and route; tests set it."""

    def __init__(self, options: Options | None = None, clock: Clock | None = None) -> None:
        self.options = options or Options()
        clock = clock or SystemClock()
        self.log = CallLog(clock)
        self.world = World(clock)
        self.faults = Faults()
        self.problems: list[str] = []
        self.refusals: list[str] = []
        self.alter: Callable[[str, Any], Any] = lambda _what, data: data
        """Alters an answer (by call, `GET /channels/1/messages`) or an event's data (by name)."""
        payloads = Payloads(self.world, history_nonces=self.options.history_nonces)
        self.payloads = payloads
        self.gateway = Gateway(self.world, payloads, self.log, self.options.token)
        self.gateway.alter = self._altered
        self.posts = Posts(self.world, payloads, self.gateway)
        self.channels = ChannelRoutes(self.posts)
        self.events = EventRoutes(self.world)
        self.interactions = InteractionRoutes(self.posts)
        self._buckets = Buckets(clock, self.options.rate_limits)
        self._routes = self._table()
        self.api_base = ""
        self.gateway_url = ""

    @asynccontextmanager
    async def served(self) -> AsyncGenerator[None]:
        app = web.Application(client_max_size=_LARGEST_BODY)
        app.router.add_get("/gateway/", self.gateway.serve)
        app.router.add_get("/cdn/attachments/{channel}/{file}/{name}", self._serve_file)
        app.router.add_route("*", "/{path:.*}", self._rest)
        async with serving(app) as place:
            self.api_base = f"http://{place}{_API}"
            self.gateway_url = self.gateway.url = f"ws://{place}/gateway/"
            self.payloads.cdn = f"http://{place}/cdn"
            try:
                yield
            finally:
                self.gateway.abort()
        if self.problems:
            raise ProblemsFound("; ".join(self.problems))

    # --- for tests ---

    @property
    def bot_mention(self) -> str:
        return f"<@{self.world.bot.id}>"

    def guild(self, name: str = "Home", *, foreign: bool = False) -> Guild:
        """Add a server; the bot is not in a `foreign` one."""
        return self.world.add_guild(name, foreign=foreign)

    def channel(
        self, guild: Guild, name: str = "general", kind: ChannelKind = ChannelKind.TEXT
    ) -> Channel:
        return self.world.add_channel(guild, name, kind)

    def role(self, guild: Guild, name: str) -> Role:
        return self.world.add_role(guild, name)

    def moved(self, channel: Channel) -> None:
        """Send the event of a changed channel or changed permissions."""
        self.gateway.dispatch("CHANNEL_UPDATE", self.payloads.channel(channel))

    def person(self, name: str, *roles: Role, bot: bool = False) -> Person:
        user = self.world.add_user(name, bot=bot)
        user.roles.extend(role.id for role in roles)
        return Person(user, self.posts, self.interactions)

    def fault(self, fault: Fault) -> Fault:
        """Let the next matching call fail."""
        return self.faults.add(fault)

    async def until(self, predicate: Callable[[], T | None], seconds: float = 60.0) -> T:
        """Wait until the predicate returns something true; checked after each call and event."""
        return await self.log.until(predicate, seconds)

    async def ready(self) -> None:
        """Wait until a client is logged in on the gateway."""
        await self.until(lambda: self.gateway.connected)

    def forget_nonces(self) -> None:
        """Act as after some minutes: posting a nonce again makes a second message."""
        for message in self.world.all_messages():
            message.nonce = None

    def expire_nonces(self) -> None:
        """Act as after some minutes, while history still shows the earlier nonces."""
        for message in self.world.all_messages():
            message.nonce_counts = False

    def expire_links(self) -> None:
        """Make every file link that was given out so far stop working."""
        for message in self.world.all_messages():
            for file in message.files:
                file.expired = True
                file.signature += 1

    # --- one call ---

    def _table(self) -> list[tuple[str, re.Pattern[str], str, _Handler]]:
        channels, interactions = self.channels, self.interactions
        messages = "/channels/{channel}/messages"
        events = "/guilds/{guild}/scheduled-events"
        webhook = "/webhooks/{application}/{token}"
        of_guild = "/applications/{application}/guilds/{guild}/commands"
        rows: list[tuple[str, str, _Handler]] = [
            ("GET", "/users/@me", lambda _request: Reply(self.payloads.own_user())),
            ("GET", "/users/@me/guilds", lambda _request: Reply(self._guilds())),
            (
                "GET",
                "/oauth2/applications/@me",
                lambda _request: Reply(self.payloads.application()),
            ),
            ("GET", "/applications/@me", lambda _request: Reply(self.payloads.application())),
            ("GET", "/gateway", lambda _request: Reply({"url": self.gateway_url})),
            ("GET", "/gateway/bot", lambda _request: Reply(self._gateway_bot())),
            ("POST", "/users/@me/channels", channels.open_dm),
            ("GET", "/guilds/{guild}/members/{user}", channels.get_member),
            ("GET", "/channels/{channel}/thread-members/{user}", channels.get_thread_member),
            ("GET", "/guilds/{guild}/messages/search", channels.search),
            ("GET", events, self.events.listed),
            ("POST", events, self.events.make),
            ("PATCH", f"{events}/{{event}}", self.events.change),
            ("GET", "/channels/{channel}", channels.get_channel),
            ("PATCH", "/channels/{channel}", channels.change),
            ("GET", messages, channels.history),
            ("POST", messages, channels.send),
            ("GET", f"{messages}/{{message}}", channels.get_message),
            ("PATCH", f"{messages}/{{message}}", channels.edit),
            ("DELETE", f"{messages}/{{message}}", channels.delete),
            ("POST", f"{messages}/{{message}}/threads", channels.start_thread),
            ("POST", "/channels/{channel}/typing", channels.type),
            ("POST", "/channels/{channel}/polls/{message}/expire", channels.expire),
            ("GET", "/applications/{application}/commands", interactions.list_commands),
            ("PUT", "/applications/{application}/commands", interactions.put_commands),
            ("POST", "/applications/{application}/commands", interactions.create_command),
            (
                "DELETE",
                "/applications/{application}/commands/{command}",
                interactions.delete_command,
            ),
            ("GET", of_guild, interactions.list_commands),
            ("PUT", of_guild, interactions.put_commands),
            ("POST", of_guild, interactions.create_command),
            ("DELETE", f"{of_guild}/{{command}}", interactions.delete_command),
            ("POST", "/interactions/{interaction}/{token}/callback", interactions.callback),
            ("POST", webhook, interactions.follow_up),
            ("GET", f"{webhook}/messages/{{message}}", interactions.get_response),
            ("PATCH", f"{webhook}/messages/{{message}}", interactions.edit_response),
            ("DELETE", f"{webhook}/messages/{{message}}", interactions.delete_response),
        ]
        return [(method, _pattern(path), path, handler) for method, path, handler in rows]

    def _guilds(self) -> list[JsonObject]:
        return [{"id": str(guild.id), "name": guild.name} for guild in self.world.guilds.values()]

    def _gateway_bot(self) -> JsonObject:
        limits: JsonObject = {
            "total": 1000,
            "remaining": 999,
            "reset_after": 1,
            "max_concurrency": 1,
        }
        return {"url": self.gateway_url, "shards": 1, "session_start_limit": limits}

    async def _rest(self, http: web.Request) -> web.StreamResponse:
        path = http.raw_path.partition("?")[0].removeprefix(_API)
        body, uploads = await _read(http)
        call = self.log.call(http.method, path, body, dict(http.query))
        fault = self.faults.next_for(http.method, path)
        if fault is not None and fault.delay_s:
            await asyncio.sleep(fault.delay_s)
        if fault is not None and fault.reset:
            fault.then()
            return self._cut(http)
        if fault is not None and fault.status is not None:
            return self._answer(call, fault.status, fault.body, fault.headers)
        response = self._process(http, call, uploads)
        if fault is not None and fault.after_processing:
            fault.then()
            return self._cut(http)
        return response

    def _process(
        self, http: web.Request, call: Call, uploads: list[tuple[str, str, bytes]]
    ) -> web.Response:
        found = self._find(call)
        if found is None:
            self.problems.append(f"there is no {call.method} {call.path} in the loopback Discord")
            return self._answer(call, 404, {"message": "404: Not Found", "code": 0}, {})
        route, parameters, handler = found
        open_route = "/webhooks/" in route or "/interactions/" in route
        if not open_route and http.headers.get("Authorization") != f"Bot {self.options.token}":
            return self._answer(call, 401, {"message": "401: Unauthorized", "code": 0}, {})
        headers, retry_after = self._buckets.take(
            f"{call.method} {route}", parameters.get("channel", "")
        )
        if retry_after is not None:
            slow: JsonObject = {
                "message": "You are being rate limited.",
                "retry_after": retry_after,
                "global": False,
            }
            return self._answer(call, 429, slow, {**headers, "Via": "1.1 google"})
        request = Request(call.method, parameters, call.query, call.body, uploads)
        try:
            reply = handler(request)
        except ApiError as error:
            self.refusals.append(f"{call.method} {call.path}: {error}")
            return self._answer(call, error.status, error.body, headers)
        if misfit := type(self).misfit(call.method, route, call.body):
            self.problems.append(misfit)
        body = self._altered(f"{call.method} {call.path}", reply.body)
        return self._answer(call, reply.status, body, headers)

    def _altered(self, what: str, data: Any) -> Any:
        return self.alter(what, data)

    def _find(self, call: Call) -> tuple[str, dict[str, str], _Handler] | None:
        for method, pattern, route, handler in self._routes:
            match = pattern.fullmatch(call.path)
            if method == call.method and match is not None:
                return (
                    route,
                    {name: unquote(value) for name, value in match.groupdict().items()},
                    handler,
                )
        return None

    def _answer(
        self, call: Call, status: int, body: object, headers: dict[str, str]
    ) -> web.Response:
        call.status = status
        self.log.touch()
        if status == 204:
            return web.Response(status=204, headers=headers)
        # discord.py wants exactly `application/json`, without a charset
        return web.Response(
            body=json.dumps(body).encode(),
            status=status,
            content_type="application/json",
            headers=headers,
        )

    def _cut(self, http: web.Request) -> web.Response:
        self.log.touch()
        return cut(http)

    async def _serve_file(self, http: web.Request) -> web.StreamResponse:
        call = self.log.call("GET", http.path, {}, dict(http.query))
        fault = self.faults.next_for("GET", http.path)
        if fault is not None and fault.status is not None:
            return web.Response(status=fault.status)
        posted = [file for message in self.world.all_messages() for file in message.files]
        for file in (*posted, *self.world.form_files):
            if str(file.id) == http.match_info["file"]:
                valid = not file.expired and http.query.get("ex") == str(file.signature)
                call.status = 200 if valid else 404
                data = file.data if valid else b"This content is no longer available."
                return web.Response(
                    body=data, status=call.status, content_type=file.mime.partition(";")[0]
                )
        call.status = 404
        return web.Response(status=404)


def _pattern(path: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", path))


async def _read(http: web.Request) -> tuple[JsonObject, list[tuple[str, str, bytes]]]:
    """Return the JSON body and the uploaded files of a call."""
    if not http.content_type.startswith("multipart/"):
        raw = await http.read()
        loaded: Any = json.loads(raw) if raw else {}
        return cast("JsonObject", {"list": loaded} if isinstance(loaded, list) else loaded), []
    body: JsonObject = {}
    uploads: list[tuple[str, str, bytes]] = []
    async for part in await http.multipart():
        if not isinstance(part, BodyPartReader):
            continue
        data = bytes(await part.read())
        if part.name == "payload_json":
            body = json.loads(data)
        else:
            uploads.append((part.name or "", part.filename or "", data))
    return body, uploads

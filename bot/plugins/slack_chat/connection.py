"""The only place that knows slack_sdk, slack_bolt and the HTTP client below them.

All calls share one limiter. Each is made once: the callers decide which calls may be repeated, and
when.
"""

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from importlib import import_module
from typing import Any, cast
from urllib.parse import urlsplit

from bot.plugin.chat import PIECE_BYTES
from bot.plugin.clock import Clock
from bot.plugin.closing import closed_whole
from bot.plugin.limits import HeldUp, Limiter
from bot.plugin.payloads import JsonObject, Unreadable
from bot.plugins.slack_chat.rates import windows
from bot.plugins.slack_chat.settings import SlackSettings, SlackTokens
from bot.plugins.slack_chat.trouble import (
    NO_TOKEN,
    SlackRefused,
    SlackTrouble,
    SlackUnsure,
    is_unsure,
)

log = logging.getLogger(__name__)

PATH = "/slack/events"
TIMEOUT_S = 30.0
PING_S = 10.0
_HOSTS = ("slack.com", "slack-gov.com")
"""Hosts whose files are read with the token; files elsewhere are only linked."""
STALE_PINGS = 6
"""After this many silent ping intervals a socket is dead, whatever its state says."""

OnBody = Callable[[JsonObject], Awaitable[JsonObject | None]]
"""Takes one event, click, command or form.

Slack gets the acknowledgement, with the returned value, when this returns, and none if it raises.
"""


def load_sdk() -> None:
    """Import what the functions below use, so that the event loop needn't. Blocking."""
    for name in ("slack_bolt.async_app", "slack_bolt.adapter.socket_mode.aiohttp"):
        import_module(name)


class SlackConnection:
    """Talks with Slack. Opens its HTTP session on the first call."""

    def __init__(
        self,
        tokens: SlackTokens,
        settings: SlackSettings,
        clock: Clock,
        ping_s: float = PING_S,
        limits: Limiter | None = None,
    ) -> None:
        self._tokens = tokens
        self._settings = settings
        self._clock = clock
        self._ping_s = ping_s
        self._limits = limits or Limiter(clock)
        self._heard = clock.monotonic()
        self._session: Any = None
        self._web: Any = None
        self._app: Any = None
        self._warned: set[str] = set()
        self.unreadable = Unreadable("slack")
        """The number of unreadable items from Slack over the life of the process."""
        self._shut_out: SlackRefused | None = None
        """Slack's error when it stopped accepting the token while events are served."""
        self._turned_away = asyncio.Event()
        self._active = 0
        self._retired = False
        # The SDKs build their debug lines, payloads included, unless the level of the logger itself
        # is above DEBUG.
        self._sdk_log = logging.getLogger(f"{__name__}.sdk")
        self._sdk_log.setLevel(logging.WARNING)

    @property
    def serving(self) -> bool:
        """Whether events are accepted now."""
        return self._app is not None

    # --- calls ---

    async def call(self, method: str, *, background: bool = False, **arguments: Any) -> JsonObject:
        """Call the Web API within its limits; `background` calls yield to calls with a waiter.

        Raises SlackRefused or SlackUnsure.
        """
        try:
            await self._limits.wait(windows(method, arguments), background=background)
        except HeldUp as held:
            raise SlackRefused(method, "ratelimited", held.seconds) from held
        return await self._made(method, arguments)

    async def call_now(self, method: str, **arguments: Any) -> JsonObject:
        """Like `call`, for optional calls: refused as `ratelimited` instead of waiting."""
        seconds = self._limits.pass_now(windows(method, arguments))
        if seconds > 0:
            raise SlackRefused(method, "ratelimited", seconds)
        return await self._made(method, arguments)

    async def _made(self, method: str, arguments: dict[str, Any]) -> JsonObject:
        async with self._using() as client:
            try:
                response = await self._once(method, _calling(client, method, arguments))
            except SlackRefused as refused:
                if refused.retry_after is not None:
                    self._limits.hold(windows(method, arguments)[0].key, refused.retry_after)
                raise
        data: JsonObject = response.data
        self._warn(method, str(data.get("warning") or ""))
        return data

    def _warn(self, method: str, warning: str) -> None:
        """Log each of Slack's warnings once; only they reveal a missing subscription."""
        if warning and warning not in self._warned:
            self._warned.add(warning)
            log.warning(
                "method=<%s>, warning=<%s> | Slack warns; is the app's manifest up to date?",
                method,
                warning,
            )

    async def granted_scopes(self) -> set[str]:
        """The scopes of the bot token, as Slack names them in the headers of auth.test."""
        async with self._using() as client:
            response = await self._once("auth.test", client.auth_test())
        return {
            scope.strip()
            for scope in str(response.headers.get("x-oauth-scopes", "")).split(",")
            if scope.strip()
        }

    async def upload(self, url: str, data: bytes) -> None:
        """Upload the bytes of a file. Raises SlackRefused or SlackUnsure."""
        async with self._request("upload", "POST", url, data=data):
            pass

    async def respond(self, url: str, body: JsonObject) -> None:
        """Use a response_url. Raises SlackRefused (used up, expired) or SlackUnsure."""
        async with self._request("response_url", "POST", url, json=body):
            pass

    @asynccontextmanager
    async def download(
        self, url: str, most: int
    ) -> AsyncGenerator[tuple[str, AsyncIterator[bytes]]]:
        """Type and bytes, in pieces, of a private file. The token goes to Slack's hosts alone.

        Raises SlackRefused (`too_large` beyond `most` bytes, `not_on_slack`) or SlackUnsure, also
        while it is read.
        """
        if not self._is_slack(url):
            raise SlackRefused("download", "not_on_slack")
        headers = {"Authorization": f"Bearer {self._tokens.bot}"}
        async with self._request("download", "GET", url, headers=headers) as response:
            if (response.content_length or 0) > most:
                raise SlackRefused("download", "too_large")
            yield response.content_type, _pieces(response, most)

    def _is_slack(self, url: str) -> bool:
        where, api = urlsplit(url), urlsplit(self._settings.api_base)
        if (where.scheme, where.netloc) == (api.scheme, api.netloc):
            return True
        host = (where.hostname or "").lower()
        ours = any(host == known or host.endswith(f".{known}") for known in _HOSTS)
        return (
            where.scheme == "https"
            and ours
            and where.port in {None, 443}
            and where.username is None
        )

    async def _once(self, method: str, call: Awaitable[Any]) -> Any:
        from aiohttp import ClientError  # noqa: PLC0415 - `load_sdk` imports it, in a thread
        from slack_sdk.errors import SlackApiError, SlackClientError  # noqa: PLC0415

        try:
            return await call
        except SlackApiError as refusal:
            trouble = _trouble(method, cast("Any", refusal).response)
            if isinstance(trouble, SlackRefused) and trouble.error in NO_TOKEN:
                self._shut_out = trouble
                self._turned_away.set()
            raise trouble from refusal
        except (ClientError, OSError, TimeoutError, SlackClientError) as lost:
            raise SlackUnsure(method, f"{type(lost).__name__}: {lost}") from lost

    @asynccontextmanager
    async def _request(self, what: str, verb: str, url: str, **options: Any) -> AsyncGenerator[Any]:
        """A request beside the Web API: its response, with a good status and an unread body."""
        from aiohttp import ClientError  # noqa: PLC0415

        try:
            async with self._using(), self._session.request(verb, url, **options) as response:
                if response.status >= 500:
                    raise SlackUnsure(what, f"status {response.status}")
                if response.status >= 400:
                    raise SlackRefused(what, f"status {response.status}")
                yield response
        except (ClientError, OSError, TimeoutError) as lost:
            raise SlackUnsure(what, f"{type(lost).__name__}: {lost}") from lost

    def _client(self) -> Any:
        if self._web is None or self._session.closed:
            import aiohttp  # noqa: PLC0415
            from slack_sdk.web.async_client import AsyncWebClient  # noqa: PLC0415

            self._session = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=TIMEOUT_S))
            # No retry handlers: the stock one posts again after a lost connection, and then the
            # message appears twice.
            self._web = AsyncWebClient(
                token=self._tokens.bot,
                base_url=self._settings.api_base,
                session=self._session,
                retry_handlers=[],
                logger=self._sdk_log,
            )
        return self._web

    @asynccontextmanager
    async def _using(self) -> AsyncGenerator[Any]:
        """The client for one call; the last call after `close` closes the session behind it."""
        self._active += 1
        try:
            yield self._client()
        finally:
            self._active -= 1
            if self._retired:
                await self._shut()

    async def close(self) -> None:
        """Close the session once no call uses it; later calls open their own."""
        self._retired = True
        await self._shut()

    async def _shut(self) -> None:
        if self._active == 0:
            session, self._session, self._web = self._session, None, None
            if session is not None:
                await session.close()

    # --- events ---

    def bolt_app(self, on_body: OnBody, bot: JsonObject) -> Any:
        """The AsyncApp whose middleware passes every body to `on_body` before acknowledging.

        `bot` is the answer of auth.test. Events that the bot itself caused are dropped by bolt.
        """
        from slack_bolt.async_app import AsyncApp  # noqa: PLC0415
        from slack_bolt.authorization import AuthorizeResult  # noqa: PLC0415
        from slack_bolt.response import BoltResponse  # noqa: PLC0415
        from slack_sdk.web.async_client import AsyncWebClient  # noqa: PLC0415

        async def authorize(enterprise_id: str | None, team_id: str | None) -> Any:
            return AuthorizeResult(
                enterprise_id=enterprise_id,
                team_id=team_id,
                bot_token=self._tokens.bot,
                bot_id=bot["bot_id"],
                bot_user_id=bot["user_id"],
            )

        async def inbox(body: JsonObject) -> Any:
            answer = await on_body(body)
            return BoltResponse(status=200, body=answer or "")

        self._client()
        app: Any = AsyncApp(
            name="bellhop",
            logger=self._sdk_log,
            client=AsyncWebClient(
                base_url=self._settings.api_base, session=self._session, logger=self._sdk_log
            ),
            authorize=authorize,
            signing_secret=self._tokens.signing_secret,
            process_before_response=True,
        )
        app.middleware(inbox)
        return app

    async def serve(self, on_body: OnBody, bot: JsonObject, on_gap: Callable[[], None]) -> None:
        """Take events until cancelled.

        Raises SlackTrouble when the connection can't be opened or went dead, or Slack stopped
        taking the token. `on_gap` is called at the start, and when a socket was lost without
        notice: events may be missing then.
        """
        self._retired = False
        self._heard = self._clock.monotonic()
        self._shut_out = None
        self._turned_away.clear()
        self._app = self.bolt_app(on_body, bot)
        try:
            if self._settings.mode == "socket":
                await self._serve_socket(self._app, on_gap)
            else:
                on_gap()
                await self._until_shut_out()
        finally:
            self._app = None

    async def _serve_socket(self, app: Any, on_gap: Callable[[], None]) -> None:
        from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler  # noqa: PLC0415

        # Opened here first: the client itself retries for ever, even with a wrong token.
        opened = await self.call("apps.connections.open", app_token=self._tokens.app)
        handler = AsyncSocketModeHandler(
            app, self._tokens.app, logger=self._sdk_log, ping_interval=self._ping_s
        )
        client: Any = handler.client
        frames, last = 0, ""

        async def count(frame: Any) -> None:
            nonlocal frames, last
            frames, before, last = frames + 1, last, _kind(frame.data)
            self._heard = self._clock.monotonic()
            if last == "hello" and before != "disconnect":
                on_gap()

        client.on_message_listeners.append(count)
        client.socket_mode_request_listeners[:] = [_acknowledging(handler.handle)]
        client.wss_uri = opened["url"]
        try:
            await handler.connect_async()
            await self._watch(lambda: (frames, client.last_ping_pong_time))
        finally:
            with suppress(OSError):
                # What is last here: its HTTP session.
                await closed_whole(handler.close_async(), client.aiohttp_client_session.close)

    async def _watch(self, sign_of_life: Callable[[], object]) -> None:
        """Never returns; raises SlackUnsure after long silence, SlackRefused without a token."""
        seen, silent = sign_of_life(), 0
        while silent < STALE_PINGS:
            await self._clock.sleep(self._ping_s)
            if self._shut_out is not None:
                raise self._shut_out
            now = sign_of_life()
            silent = 0 if now != seen else silent + 1
            if now != seen:
                self._heard = self._clock.monotonic()
            seen = now
        raise SlackUnsure("socket", f"nothing came for {STALE_PINGS * self._ping_s:.0f} s")

    def last_frame(self) -> float | None:
        """Seconds since the socket's last frame or pong; None in http mode."""
        return self._clock.monotonic() - self._heard if self._settings.mode == "socket" else None

    def routes(self) -> Sequence[Any]:
        """The aiohttp routes of mode http, for the server that carries them."""
        from aiohttp import web  # noqa: PLC0415

        return [web.post(PATH, self._take_request)]

    async def _take_request(self, request: Any) -> Any:
        from aiohttp import web  # noqa: PLC0415
        from slack_bolt.adapter.aiohttp import to_aiohttp_response, to_bolt_request  # noqa: PLC0415

        if self._app is None:
            return web.Response(status=503, text="Slack is not connected yet")
        body = await request.read()
        if not self._is_signed(body, request.headers):
            return web.Response(status=401, text="the signature is missing, wrong or too old")
        try:
            taken = await to_bolt_request(request)
        except Exception as error:  # noqa: BLE001 - bolt has no error of its own for a body that it can't read
            self.unreadable.skip("request", error)
            return web.Response(status=400, text="the body can't be read")
        return await to_aiohttp_response(await self._app.async_dispatch(taken))

    def _is_signed(self, body: bytes, headers: Mapping[str, str]) -> bool:
        """Whether Slack sent this recently; checked before the body is read."""
        from slack_sdk.signature import SignatureVerifier  # noqa: PLC0415

        stamp, signature = (
            headers.get("X-Slack-Request-Timestamp", ""),
            headers.get("X-Slack-Signature", ""),
        )
        if not (stamp.isascii() and stamp.isdigit() and len(stamp) < 13):
            return False
        text = body.decode("utf-8", errors="replace")
        return SignatureVerifier(self._tokens.signing_secret).is_valid(text, stamp, signature)

    async def _until_shut_out(self) -> None:
        await self._turned_away.wait()
        assert self._shut_out is not None  # noqa: S101 - set with the event
        raise self._shut_out


def _acknowledging(
    handle: Callable[[Any, Any], Awaitable[None]],
) -> Callable[[Any, Any], Awaitable[None]]:
    """The SDK's listener; it raises only if the socket is gone before the acknowledgement."""

    async def take(client: Any, request: Any) -> None:
        try:
            await handle(client, request)
        except OSError as lost:
            log.warning(
                "envelope=<%s>, error=<%s> | taken, but Slack could not be told: it will send "
                "this once more",
                request.envelope_id,
                lost,
            )

    return take


def _kind(frame: object) -> str:
    """The type of a frame; empty for an unreadable one."""
    try:
        return str(json.loads(str(frame))["type"])
    except (ValueError, TypeError, KeyError):
        return ""


async def _pieces(response: Any, most: int) -> AsyncGenerator[bytes]:
    """The body in pieces; raises SlackRefused (`too_large`) beyond `most` bytes."""
    size = 0
    async for piece in response.content.iter_chunked(PIECE_BYTES):
        size += len(piece)
        if size > most:
            raise SlackRefused("download", "too_large")
        yield piece


def _trouble(method: str, response: Any) -> SlackTrouble:
    """Sort a failed answer of the Web API; bodies that are no JSON come with a server error."""
    status = int(getattr(response, "status_code", 0) or getattr(response, "status", 0) or 0)
    data: object = getattr(response, "data", None)
    error = str(cast("JsonObject", data).get("error", "")) if isinstance(data, dict) else ""
    headers: Any = getattr(response, "headers", {})
    if status == 429:
        return SlackRefused(method, "ratelimited", _seconds(headers.get("Retry-After")))
    if status >= 500 or not error or is_unsure(error):
        return SlackUnsure(method, error or f"status {status}")
    return SlackRefused(method, error)


def _seconds(text: object) -> float:
    try:
        return max(float(str(text)), 0.0)
    except ValueError:
        return 1.0


def _calling(client: Any, method: str, arguments: dict[str, Any]) -> Awaitable[Any]:
    """The SDK's function for a method, or its general call for one that it does not know yet."""
    known = getattr(client, method.replace(".", "_"), None)
    return known(**arguments) if known is not None else client.api_call(method, json=arguments)

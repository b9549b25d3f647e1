"""The HTTP server: /health, and routes of other packages, which `build_app` passes in."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias
from urllib.parse import parse_qsl

from aiohttp import web

from bot.domain.clock import Clock
from bot.domain.json_types import JsonObject
from bot.errors import StorageError
from bot.plugin.http import Receiver
from bot.plugin.site import PageAnswer, PageRequest, SitePage

log = logging.getLogger(__name__)

AGAIN_S = 60.0
"""Wait before the next try when the port is taken."""
CLOSE_S = 2.0

_OWN_SITE = frozenset({"same-origin", "none"})
BODY_S = 10.0
"""Seconds in which a body must arrive."""
MOST_FIELDS = 200
"""Of a posted form."""

Answer: TypeAlias = Callable[[], Awaitable[tuple[int, JsonObject]]]
"""Answers a GET: the status and the JSON body."""


@dataclass(frozen=True)
class Text:
    """An answer that is not JSON; `kind` is its whole content type."""

    status: int
    kind: str
    text: str


TextAnswer: TypeAlias = Callable[[Mapping[str, str]], Awaitable[Text]]
"""Answers a GET by its headers. It finds out itself who asks."""


class HtmlPage(Protocol):
    """A page for people: what it shows, and what its form does.

    Both give the status and the HTML.
    """

    async def look(self, given: Mapping[str, str]) -> tuple[int, str]: ...

    async def press(self, given: Mapping[str, str]) -> tuple[int, str]: ...


class HttpServer:
    """Serves `answers` (by path), `receivers`, and `routes` (aiohttp's own, read at the start).

    `port` 0 takes any free one. This server authenticates nobody: answers have no secrets, and
    routes check their callers themselves.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - each is what it serves
        self,
        host: str,
        port: int,
        clock: Clock,
        answers: Mapping[str, Answer],
        routes: Callable[[], Sequence[web.AbstractRouteDef]] = list,
        receivers: Sequence[Receiver] = (),
        pages: Mapping[str, HtmlPage] | None = None,
        texts: Mapping[str, TextAnswer] | None = None,
        sites: Sequence[SitePage] = (),
    ) -> None:
        self._host = host
        self._port = port
        self._clock = clock
        self._answers = answers
        self._routes = routes
        self._receivers = receivers
        self._pages = pages or {}
        self._texts = texts or {}
        self._sites = sites
        self.port: int | None = None
        """Where it listens, once `listening` is set."""
        self.listening = asyncio.Event()

    def addresses(self) -> list[tuple[str, str]]:
        """Every method and path that it answers."""
        routes = self._application().router.routes()
        return [(one.method, one.resource.canonical) for one in routes if one.resource is not None]

    async def run(self) -> None:
        """Serve until cancelled; a taken port is retried, since chats work without this server."""
        while True:
            runner = web.AppRunner(self._application(), access_log=None, shutdown_timeout=CLOSE_S)
            try:
                await runner.setup()
                await web.TCPSite(runner, self._host, self._port).start()
                self.port = int(runner.addresses[0][1])
                self.listening.set()
                log.info("host=<%s>, port=<%d> | listening", self._host, self.port)
                await asyncio.Event().wait()
            except OSError as error:
                log.error(  # noqa: TRY400 - an address in use needs no traceback
                    "host=<%s>, port=<%d>, error=<%s> | cannot listen; set console.port to a free "
                    "port, or end what"
                    " uses it",
                    self._host,
                    self._port,
                    error.strerror or error,
                )
            finally:
                self.listening.clear()
                await runner.cleanup()
            await self._clock.sleep(AGAIN_S)

    def _application(self) -> web.Application:
        application = web.Application()
        application.on_response_prepare.append(_quiet)
        for path, answer in self._answers.items():
            application.router.add_get(path, _handler(answer))
        for path, text in self._texts.items():
            application.router.add_get(path, _telling(text))
        for receiver in self._receivers:
            application.router.add_post(receiver.path, _receiving(receiver))
        for path, page in self._pages.items():
            application.router.add_get(path, _showing(page))
            application.router.add_post(path, _pressed(page))
        for page in self._sites:
            application.router.add_route(page.method, page.path, _serving(page))
        application.add_routes(self._routes())
        return application


def _handler(answer: Answer) -> Callable[[web.Request], Awaitable[web.Response]]:
    async def handle(request: web.Request) -> web.Response:
        status, body = await answer()
        return web.json_response(body, status=status)

    return handle


def _telling(text: TextAnswer) -> Callable[[web.Request], Awaitable[web.Response]]:
    async def handle(request: web.Request) -> web.Response:
        answer = await text(request.headers)
        return web.Response(
            status=answer.status,
            body=answer.text.encode(),
            headers={"Content-Type": answer.kind, "X-Content-Type-Options": "nosniff"},
        )

    return handle


def _showing(page: HtmlPage) -> Callable[[web.Request], Awaitable[web.Response]]:
    async def handle(request: web.Request) -> web.Response:
        return _html(*await page.look({**request.query, **request.match_info}))

    return handle


def _pressed(page: HtmlPage) -> Callable[[web.Request], Awaitable[web.Response]]:
    async def handle(request: web.Request) -> web.Response:
        # Browsers say where a form was: one of another site presses no button here.
        if request.headers.get("Sec-Fetch-Site", "none") not in _OWN_SITE:
            return _html(403, "This form belongs to another site.")
        fields = dict(await _posted(request))
        return _html(*await page.press({**fields, **request.match_info}))

    return handle


async def _posted(request: web.Request) -> list[tuple[str, str]]:
    """The fields of a form as browsers send ours; of anything else none.

    Raises HTTPRequestTimeout and HTTPRequestEntityTooLarge.
    """
    if request.content_type != "application/x-www-form-urlencoded":
        return []
    try:
        async with asyncio.timeout(BODY_S):
            body = await request.read()
    except TimeoutError:
        raise web.HTTPRequestTimeout from None
    try:
        return parse_qsl(
            body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=MOST_FIELDS
        )
    except ValueError:  # more fields than that
        return []


def _serving(page: SitePage) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
    """A page of a plug-in, which knows nothing of the library that serves it."""

    async def handle(request: web.Request) -> web.StreamResponse:
        form: dict[str, str] = {}
        if page.method == "POST":
            for name, value in await _posted(request):
                form[name] = f"{form[name]} {value}" if name in form else value
        own_site = request.headers.get("Sec-Fetch-Site", "none") in _OWN_SITE
        answer = await page.answer(
            PageRequest(request.match_info, request.query, form, request.cookies, own_site)
        )
        headers = {"Content-Type": answer.kind, **answer.headers}
        if answer.events is None:
            return web.Response(status=answer.status, body=answer.body, headers=headers)
        return await _streamed(request, answer, headers)

    return handle


async def _streamed(
    request: web.Request, answer: PageAnswer, headers: Mapping[str, str]
) -> web.StreamResponse:
    response = web.StreamResponse(status=answer.status, headers=headers)
    assert answer.events is not None  # noqa: S101 - the caller looked
    try:
        await response.prepare(request)
        async for piece in answer.events:
            await response.write(piece)
    except ConnectionResetError:
        log.debug("path=<%s> | the browser went away", request.path)
    return response


def _html(status: int, text: str) -> web.Response:
    """Headers that forbid scripts and frames, and keep the address from other sites."""
    headers = {
        "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline';"
        " form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
    }
    return web.Response(status=status, text=text, content_type="text/html", headers=headers)


def _receiving(receiver: Receiver) -> Callable[[web.Request], Awaitable[web.Response]]:
    async def handle(request: web.Request) -> web.Response:
        body = b""
        try:
            async with asyncio.timeout(BODY_S):
                async for piece in request.content.iter_any():
                    body += piece
                    if len(body) > receiver.most:
                        return web.json_response(
                            {"error": f"at most {receiver.most} bytes"}, status=413
                        )
        except TimeoutError:
            return web.json_response({"error": "the body did not come in time"}, status=408)
        try:
            status, answer = await receiver.receive(
                request.match_info["ref"], request.headers, body
            )
        except StorageError as error:
            log.error(  # noqa: TRY400
                "path=<%s>, error=<%s> | could not store the request", receiver.path, error
            )
            status, answer = 503, {"error": "it could not be stored; post it again"}
        return web.json_response(answer, status=status)

    return handle


async def _quiet(request: web.Request, response: Any) -> None:
    """Headers that hide the server's software and forbid caching."""
    response.headers["Server"] = "bellhop"
    response.headers.setdefault("Cache-Control", "no-store")

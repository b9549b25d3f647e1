"""The one HTTP server: /health, and routes that the rooms beside hand over through build_app."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeAlias

from aiohttp import web

from bot.domain.clock import Clock
from bot.domain.json_types import JsonObject

log = logging.getLogger(__name__)

AGAIN_S = 60.0
"""Wait before the next try when the port is taken."""
CLOSE_S = 2.0

Answer: TypeAlias = Callable[[], Awaitable[tuple[int, JsonObject]]]
"""Answers a GET: the status and the JSON body."""


class HttpServer:
    """Serves `answers` (by path) and `routes` (aiohttp's own, asked for when it starts to listen).

    `port` 0 takes any free one. Nothing here knows who asks: answers hold no secrets, carried routes check their
    callers themselves.
    """

    def __init__(
        self,
        host: str,
        port: int,
        clock: Clock,
        answers: Mapping[str, Answer],
        routes: Callable[[], Sequence[web.AbstractRouteDef]] = list,
    ) -> None:
        self._host = host
        self._port = port
        self._clock = clock
        self._answers = answers
        self._routes = routes
        self.port: int | None = None
        """Where it listens, once `listening` is set."""
        self.listening = asyncio.Event()

    async def run(self) -> None:
        """Serve until cancelled; a taken port is tried again, since chatting goes on without this server."""
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
                    "host=<%s>, port=<%d>, error=<%s> | cannot listen; set console.port to a free port, or end what"
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
        application.add_routes(self._routes())
        return application


def _handler(answer: Answer) -> Callable[[web.Request], Awaitable[web.Response]]:
    async def handle(request: web.Request) -> web.Response:
        status, body = await answer()
        return web.json_response(body, status=status)

    return handle


async def _quiet(request: web.Request, response: Any) -> None:
    """Say nothing of what runs here, and let nobody keep an old answer."""
    response.headers["Server"] = "bellhop"
    response.headers.setdefault("Cache-Control", "no-store")

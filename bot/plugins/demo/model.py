"""The demo's model: the offline rules, with the words of the tours, and as slow as a real one."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress

from aiohttp import web

from bot.clock import SystemClock
from bot.demo.requests import NewestRequests
from bot.demo.scripts import script_of
from bot.domain.clock import Clock
from bot.domain.json_types import JsonObject
from bot.llm.offline.server import OfflineServer
from bot.llm.sse import encode, stream_events
from bot.loopback.messages_api.prefix_cache import PrefixCache

WORD_S = 0.04
"""Seconds between two words of an answer."""
_LARGEST_BODY = 32 * 2**20
_BYTES_A_TOKEN = 4


class DemoModel:
    """`POST /v1/messages` of the Messages API, without a key."""

    def __init__(self, clock: Clock | None = None, word_s: float = WORD_S) -> None:
        self._clock = clock or SystemClock()
        self._word_s = word_s
        self._server = OfflineServer(self._clock, script_of)
        self.requests = NewestRequests()
        self._cache = PrefixCache()

    def application(self) -> web.Application:
        application = web.Application(client_max_size=_LARGEST_BODY)
        application.router.add_post("/v1/messages", self._messages)
        return application

    async def _messages(self, request: web.Request) -> web.StreamResponse:
        body: JsonObject = json.loads(await request.read())
        self.requests.note(body)
        message = {**self._server.reply(body)}
        message["usage"] = {**message["usage"], **self._read(body)}
        if not body.get("stream"):
            return web.json_response(message)
        response = web.StreamResponse(headers={"content-type": "text/event-stream; charset=utf-8"})
        await response.prepare(request)
        with suppress(ConnectionResetError):  # a visitor has killed Bellhop in the middle
            for event in stream_events(message):
                await response.write(encode(event))
                if event["type"] == "content_block_delta":
                    await self._clock.sleep(self._word_s)
            await response.write_eof()
        return response

    def _read(self, body: JsonObject) -> JsonObject:
        """What a provider would count as read, by the rule of thumb for English."""
        whole, kept = self._cache.add(body)
        new = (whole - kept) // _BYTES_A_TOKEN
        return {"input_tokens": new, "cache_read_input_tokens": kept // _BYTES_A_TOKEN}


@asynccontextmanager
async def serving(application: web.Application, port: int = 0) -> AsyncGenerator[str]:
    """Serve on this machine alone until the block ends; gives the address.

    Raises OSError if the port is taken.
    """
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.2)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", port).start()
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()

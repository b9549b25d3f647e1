"""Answers that no Messages API sends: streams that break, pages of gateways, no HTTP at all."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest

from bot.domain.models import ModelDelta, ModelReply, ModelRequest
from bot.errors import ModelError
from bot.llm.anthropic_model import AnthropicModel
from bot.llm.endpoint import resolve
from bot.llm.settings import ModelSettings
from bot.testing.harness import running_app
from bot.testing.model_client import EagerClock, answer_events, ask, ignore

EVENTS = answer_events("Here you are.")
HEAD = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n"
    b"Connection: close\r\n\r\n"
)


def chunk(data: bytes) -> bytes:
    return f"{len(data):x}\r\n".encode() + data + b"\r\n"


REST = b"".join(map(chunk, EVENTS[3:])) + chunk(b"")
"""The good end of a stream."""


class Server:
    """Streams a first word, and other bytes in place of the rest once the client has shown it."""

    def __init__(self, breaks: list[bytes]) -> None:
        self._breaks = breaks
        self.shown = asyncio.Event()
        self.serving: list[asyncio.Task[None]] = []

    def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.serving.append(asyncio.create_task(self._serve(reader, writer)))

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(HEAD + b"".join(map(chunk, EVENTS[:3])))
        await self.shown.wait()
        self.shown.clear()
        writer.write(self._breaks.pop(0) if self._breaks else REST)
        with suppress(ConnectionError):
            await reader.read()  # until the client ends the connection
            writer.close()
            await writer.wait_closed()


class Watched(AnthropicModel):
    """Tells a server what was shown."""

    server: Server

    async def sample(
        self, request: ModelRequest, on_delta: Callable[[ModelDelta], None]
    ) -> ModelReply:
        def show(delta: ModelDelta) -> None:
            self.server.shown.set()
            on_delta(delta)

        return await super().sample(request, show)


@asynccontextmanager
async def breaking(*breaks: bytes, attempts: int = 1) -> AsyncGenerator[Watched]:
    server = Server([*breaks])
    async with await asyncio.start_server(server.serve, "127.0.0.1", 0) as listening:
        url = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
        wanted = ModelSettings(provider="compatible", name="m", base_url=url)
        endpoint = replace(resolve(wanted, lambda _: None), attempts=attempts)
        model = Watched(endpoint, EagerClock())
        model.server = server
        async with asyncio.timeout(60):  # a model that waits for ever fails the test
            yield model
        await model.close()
        await asyncio.gather(*server.serving)


def sent(data: str) -> bytes:
    """These bytes as a chunk, and then the good rest."""
    return chunk(data.encode(errors="surrogateescape")) + REST


@pytest.mark.parametrize(
    ("data", "kind", "told"),
    [
        (b"zz\r\nhello\r\n", "cut", "chunk size"),
        (b"3\r\nhello\r\n", "cut", "chunk data"),
        (sent('event: x\ndata: {"type": oops\n\n'), "nonsense", "it sent 'x {\"type\": oops'"),
        (sent("event: content_block_delta\n\n"), "nonsense", "came without data"),
        (chunk(EVENTS[0]) + REST, "nonsense", "began twice"),
        (chunk(EVENTS[2].replace(b'"index": 0', b'"index": 7')) + REST, "nonsense", "KeyError: 7"),
        (sent("data: \udcc3\n\n"), "nonsense", "can't decode byte 0xc3"),
        (sent("event: error\ndata: out of memory\n\n"), "cut", "out of memory"),
    ],
)
async def test_a_stream_that_breaks_in_the_middle_fails_at_once(data: bytes, kind: str, told: str):
    async with breaking(data) as model:
        with pytest.raises(ModelError) as caught:
            await model.sample(ask(), ignore)
    assert caught.value.trouble.kind == kind
    assert told in caught.value.trouble.detail


@pytest.mark.parametrize(
    "garbage",
    ["hello there\n\n", "<html>a page</html>", "data: [DONE]\n\n", "event: keepalive\n\n"],
)
async def test_what_is_no_event_does_not_take_words_away(garbage: str):
    async with breaking(sent(garbage)) as model:
        assert (await model.sample(ask(), ignore)).text == "Here you are."


async def test_events_without_names_are_read_by_their_type():
    nameless = b"".join(chunk(event.split(b"\n", 1)[1]) for event in EVENTS[3:]) + chunk(b"")
    async with breaking(nameless) as model:
        assert (await model.sample(ask(), ignore)).text == "Here you are."


async def test_a_person_gets_the_answer_of_the_next_try(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.INFO, "bot.llm.retry")
    async with breaking(b"zz\r\n", attempts=2) as model, running_app(tmp_path, model) as house:
        assert await house.ask("ann", "hello") == "Here you are."
    (record,) = (record for record in caplog.records if record.name == "bot.llm.retry")
    assert "chunk size" in record.getMessage()


async def test_a_person_is_told_when_every_try_breaks(tmp_path: Path):
    async with (
        breaking(b"zz\r\n", b"zz\r\n", attempts=2) as model,
        running_app(tmp_path, model) as house,
    ):
        told = await house.ask("ann", "hello")
    assert "(reference t1)" in told
    assert "chunk" not in told


# What comes back that no Messages API sends: pages of gateways, and no HTTP at all.


def page(status: str, body: str, kind: str = "text/html") -> bytes:
    head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n"
    return f"{head}Connection: close\r\n\r\n{body}".encode()


@asynccontextmanager
async def answering(data: bytes) -> AsyncGenerator[str]:
    """A server that reads a request, answers with these bytes, and hangs up."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(data)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


@pytest.mark.parametrize(
    ("data", "kind", "told"),
    [
        (page("502 Bad Gateway", "<h1>Bad gateway</h1>"), "overloaded", "<h1>Bad gateway</h1>"),
        (page("503 Busy", ""), "overloaded", "Error code: 503"),
        (page("404 Not Found", '{"detail": "no"}', "application/json"), "no_model", "'detail'"),
        (page("404 Not Found", "404 page not found"), "no_model", "needs LiteLLM's proxy"),
        (page("405 Not Allowed", '{"detail":"Method Not Allowed"}'), "no_model", "LiteLLM's"),
        (
            page("200 OK", '{"error":"Unexpected endpoint or method."}', "application/json"),
            "nonsense",
            "needs LiteLLM's proxy",
        ),
        (page("302 Found", "elsewhere"), "bad_request", "HTTP 302: elsewhere"),
        (page("200 OK", "[]", "application/json"), "nonsense", "KeyError"),
        (page("200 OK", "hello"), "nonsense", "no events"),
        (page("200 OK", "<h1>Log in</h1>"), "nonsense", "text/html: '<h1>Log in</h1>'; check"),
        (b"SSH-2.0-OpenSSH_9.6\r\n\r\n", "unreachable", "is it running?"),
        (b"", "unreachable", "is it running?"),
    ],
)
async def test_an_answer_that_no_messages_api_gives_is_named(data: bytes, kind: str, told: str):
    async with answering(data) as url:
        wanted = ModelSettings(provider="compatible", name="m", base_url=url)
        model = AnthropicModel(replace(resolve(wanted, lambda _: None), attempts=1), EagerClock())
        with pytest.raises(ModelError) as caught:
            await model.sample(ask(), ignore)
        await model.close()
    assert caught.value.trouble.kind == kind
    assert told in caught.value.trouble.detail


async def test_an_unknown_model_is_no_missing_api():
    told = '{"type":"error","error":{"type":"not_found_error","message":"\'m\' not found"}}'
    async with answering(page("404 Not Found", told, "application/json")) as url:
        wanted = ModelSettings(provider="compatible", name="m", base_url=url)
        model = AnthropicModel(replace(resolve(wanted, lambda _: None), attempts=1), EagerClock())
        with pytest.raises(ModelError, match=r"check model\.name") as caught:
            await model.sample(ask(), ignore)
        await model.close()
    assert "LiteLLM" not in caught.value.trouble.detail

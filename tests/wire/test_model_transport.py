"""Requests and streams on other ways than a plain connection, and streams that stall."""

import asyncio
import base64
import gzip
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import TypeAlias

import pytest

from bot.domain.models import DeltaText, ModelDelta, ModelReply, ModelRequest
from bot.errors import ModelError
from bot.llm.anthropic_model import AnthropicModel
from bot.llm.endpoint import resolve
from bot.llm.settings import ModelSettings
from bot.loopback.messages_api import IgnoreStream, MessagesApi, OnlyPings
from bot.testing.fake_clock import FakeClock
from bot.testing.model_client import answer_events, ask, ignore
from bot.testing.scripted_model import call, say

EVENTS = b"".join(answer_events("Here you are."))


def streamed(body: bytes, *headers: str) -> bytes:
    lines = ["HTTP/1.1 200 OK", "Content-Type: text/event-stream", f"Content-Length: {len(body)}"]
    return "\r\n".join([*lines, *headers, "", ""]).encode() + body


@asynccontextmanager
async def answering(answer: bytes) -> AsyncGenerator[tuple[str, list[str]]]:
    """A server with this answer for every request; its address, and the heads of the requests."""
    heads: list[str] = []
    serving: list[asyncio.Task[None]] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heads.append((await reader.readuntil(b"\r\n\r\n")).decode())
        writer.write(answer)
        with suppress(ConnectionError):
            await reader.read()  # until the client goes
            writer.close()
            await writer.wait_closed()

    def serve_one(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        serving.append(asyncio.create_task(serve(reader, writer)))

    server = await asyncio.start_server(serve_one, "127.0.0.1", 0)
    async with server:
        yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}", heads
    await asyncio.gather(*serving)


@asynccontextmanager
async def model_at(url: str, timeout_s: float = 300.0) -> AsyncGenerator[AnthropicModel]:
    wanted = ModelSettings(provider="compatible", name="m", base_url=url, timeout_s=timeout_s)
    model = AnthropicModel(replace(resolve(wanted, lambda _: None), attempts=1), FakeClock())
    yield model
    await model.close()


# The code of the SDK for proxies uses what aiohttp will drop in version 4.
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
async def test_a_proxy_of_the_environment_is_used_with_its_password(
    monkeypatch: pytest.MonkeyPatch,
):
    async with answering(streamed(EVENTS)) as (proxy, heads):
        monkeypatch.setenv("HTTP_PROXY", f"http://ann:secret@{proxy}")
        async with model_at("http://model.invalid:8000") as model:
            reply = await model.sample(ask(), ignore)
    assert reply.text == "Here you are."
    assert heads[0].startswith("POST http://model.invalid:8000/v1/messages HTTP/1.1\r\n")
    login = base64.b64encode(b"ann:secret").decode()
    assert f"Proxy-Authorization: Basic {login}" in heads[0]


async def test_a_compressed_stream_is_read():
    packed = streamed(gzip.compress(EVENTS), "Content-Encoding: gzip")
    async with answering(packed) as (server, heads), model_at(f"http://{server}") as model:
        reply = await model.sample(ask(), ignore)
    assert reply.text == "Here you are."
    assert "gzip" in heads[0]


async def test_a_compressed_refusal_is_read():
    body = b'{"type": "error", "error": {"type": "invalid_request_error", "message": "too long"}}'
    packed = streamed(gzip.compress(body), "Content-Encoding: gzip")
    refused = packed.replace(b"200 OK", b"400 Bad Request")
    async with answering(refused) as (server, _), model_at(f"http://{server}") as model:
        with pytest.raises(ModelError) as caught:
            await model.sample(ask(), ignore)
    assert "too long" in caught.value.trouble.detail


async def test_a_compressed_answer_to_a_look_up_is_read():
    packed = streamed(gzip.compress(b'{"models": []}'), "Content-Encoding: gzip")
    async with answering(packed) as (server, _), model_at(f"http://{server}") as model:
        assert await model.look_up("/api/ps") == {"models": []}


@pytest.mark.parametrize("sent", [b"", streamed(EVENTS)[:-40]])
async def test_a_server_that_falls_silent_is_named_as_silent(sent: bytes):
    async with (
        answering(sent) as (server, _),
        model_at(f"http://{server}", timeout_s=0.05) as model,
    ):
        with pytest.raises(ModelError) as caught:
            await model.sample(ask(), ignore)
    assert caught.value.trouble.kind == "timeout"
    assert f"no answer from http://{server} in 0.05 s" in caught.value.trouble.detail


async def test_a_redirect_is_followed_with_the_body():
    async with answering(streamed(EVENTS)) as (server, heads):
        there = (
            f"HTTP/1.1 307 Moved\r\nLocation: http://{server}/there\r\nContent-Length: 0\r\n\r\n"
        )
        async with answering(there.encode()) as (first, _), model_at(f"http://{first}") as model:
            reply = await model.sample(ask(), ignore)
    assert reply.text == "Here you are."
    assert heads[0].startswith("POST /there HTTP/1.1\r\n")


# Streams that stall while they look alive, and servers that don't stream at all.


REQUEST = ModelRequest(
    (), (), ({"role": "user", "content": [{"type": "text", "text": "hello"}]},), 1000
)
Connect: TypeAlias = Callable[..., AnthropicModel]


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
async def api() -> AsyncIterator[MessagesApi]:
    async with MessagesApi(strict=False) as server:
        yield server


@pytest.fixture
async def connect(api: MessagesApi, clock: FakeClock) -> AsyncIterator[Connect]:
    models: list[AnthropicModel] = []

    def make(attempts: int = 3, **settings: object) -> AnthropicModel:
        wanted = ModelSettings.model_validate(
            {"provider": "compatible", "name": "m", "base_url": api.base_url, **settings}
        )
        models.append(
            AnthropicModel(replace(resolve(wanted, lambda _: None), attempts=attempts), clock)
        )
        return models[-1]

    yield make
    for model in models:
        await model.close()


async def sampled(model: AnthropicModel, api: MessagesApi, clock: FakeClock) -> ModelReply:
    """One sample, with time passing as fast as it can."""
    task = asyncio.create_task(model.sample(REQUEST, lambda _delta: None))
    await api.asked(1)
    while not task.done():
        await clock.advance(150)
        await asyncio.sleep(0)
    return await task


async def test_pings_are_no_life_and_the_next_try_is_given_its_chance(
    api: MessagesApi, connect: Connect, clock: FakeClock
):
    stalled = asyncio.Event()
    api.add(OnlyPings(stalled))
    model = connect(attempts=2)
    task = asyncio.create_task(model.sample(REQUEST, lambda _delta: None))
    await api.asked(1)
    api.add(say("There you are."))
    while len(api.requests) < 2:
        await clock.advance(150)
        await asyncio.sleep(0)
    stalled.set()
    reply = await task
    assert (reply.text, reply.attempts) == ("There you are.", 2)


async def test_a_stream_without_progress_is_named_as_silence(
    api: MessagesApi, connect: Connect, clock: FakeClock
):
    stalled = asyncio.Event()
    api.add(OnlyPings(stalled))
    with pytest.raises(ModelError) as caught:
        await sampled(connect(attempts=1), api, clock)
    stalled.set()
    assert caught.value.trouble.kind == "timeout"
    assert "next to nothing for 300 s" in caught.value.trouble.detail


async def test_a_message_in_one_piece_is_read_like_a_stream(api: MessagesApi, connect: Connect):
    api.add(IgnoreStream(say("All at once.")), IgnoreStream(call("echo", {"text": "hi"})))
    model = connect()
    deltas: list[ModelDelta] = []
    reply = await model.sample(REQUEST, deltas.append)
    assert (reply.text, reply.stop_reason, reply.usage.output_tokens) == (
        "All at once.",
        "end_turn",
        10,
    )
    assert deltas == [DeltaText("All at once.")]
    reply = await model.sample(REQUEST, deltas.append)
    assert [block["input"] for block in reply.content if block["type"] == "tool_use"] == [
        {"text": "hi"}
    ]

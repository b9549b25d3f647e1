"""What comes back that no Messages API sends: pages of gateways, and no HTTP at all."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from bot.errors import ModelError
from bot.llm.anthropic_model import AnthropicModel
from bot.llm.endpoint import resolve
from bot.llm.settings import ModelSettings
from bot.testing.model_client import EagerClock, ask, ignore


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

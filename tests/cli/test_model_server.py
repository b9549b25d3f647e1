"""The address of a model server: what people type, and what answers there."""

import asyncio
import re

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.cli.guide import address_of, look_at
from bot.loopback.messages_api import MessagesApi
from tests.thoroughness import examples


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("localhost:11434", "http://localhost:11434"),
        (" http://localhost:11434/v1/ ", "http://localhost:11434"),
        ("http://localhost:1/v1/messages", "http://localhost:1"),
        ("192.168.1.7:8000/v1/chat/completions", "http://192.168.1.7:8000"),
        ("gpu:8000", "http://gpu:8000"),
        ("models.example.org", "https://models.example.org"),
        ("<https://models.example.org/llm/>", "https://models.example.org/llm"),
    ],
)
def test_an_address_is_what_its_person_means(said: str, meant: str):
    assert address_of(said) == meant


@pytest.mark.parametrize(
    "said",
    ["", "my server", "localhost:99999", "localhost:port", "ftp://x", "http://", ":11434", "11434"],
)
def test_everything_else_is_refused_in_a_sentence(said: str):
    with pytest.raises(ValueError, match=r"[A-Za-z].*[.;]") as refused:
        address_of(said)
    assert "Error" not in str(refused.value)


@settings(max_examples=examples(200))
@given(st.text(max_size=40))
def test_any_text_gives_an_address_or_a_sentence(said: str):
    try:
        found = address_of(said)
    except ValueError as error:
        found = f"refused: {error}"
    assert found.startswith(("http://", "https://", "refused: "))
    assert "Error" not in found or "Error" in said


def chat_only() -> web.Application:
    """A server that has only /v1/chat/completions."""

    async def answer(request: web.Request) -> web.Response:
        return web.json_response({"choices": []})

    async def models(request: web.Request) -> web.Response:
        return web.json_response({"data": [{"id": "qwen3"}, {"no": 1}, 7]})

    app = web.Application()
    app.router.add_post("/v1/chat/completions", answer)
    app.router.add_get("/v1/models", models)
    return app


async def test_a_server_of_the_other_api_is_told_from_ours():
    async with TestServer(chat_only()) as server:
        found = await asyncio.to_thread(look_at, f"http://127.0.0.1:{server.make_url('/').port}")
    assert "speaks only /v1/chat/completions" in found.problem
    assert "LiteLLM" in found.problem
    assert found.models == ("qwen3",)
    async with MessagesApi([]) as api:
        assert (await asyncio.to_thread(look_at, api.base_url)).problem == ""
    async with TestServer(web.Application()) as server:
        nothing = await asyncio.to_thread(look_at, f"http://127.0.0.1:{server.make_url('/').port}")
    assert "no /v1/messages" in nothing.problem


async def test_what_does_not_answer_is_said_without_python():
    async def babble(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"\x16\x03 no http\r\n\r\n")
        writer.close()

    server = await asyncio.start_server(babble, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        babbling = await asyncio.to_thread(look_at, f"http://127.0.0.1:{port}")
    closed = await asyncio.to_thread(look_at, f"http://127.0.0.1:{port}")
    assert "doesn't answer as http" in babbling.problem
    assert closed.problem == (
        f"Nothing listens at 127.0.0.1 on port {port}. Is the server running?"
    )
    for one in (babbling, closed):
        assert not re.search(r"Error|Errno|Exception|\[|<|b'", one.problem)

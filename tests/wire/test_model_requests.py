"""Requests of the real client: keys, breakpoints, prefixes, and histories refused."""

import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import aiohttp
import pytest
from aiohttp import web

from bot.domain.json_types import JsonObject
from bot.domain.models import ModelReply, ModelSize
from bot.errors import ModelError
from bot.llm.anthropic_model import AnthropicModel
from bot.llm.requests import BLOCK_BYTES
from bot.llm.unlocking import tool_addition
from bot.loopback.messages_api import ErrorStatus, MessagesApi, StreamError
from bot.plugins.offline_model.answering import answer, request_of
from bot.testing.fake_clock import settle
from bot.testing.model_client import (
    KEY,
    TOOL,
    Connect,
    EagerClock,
    ask,
    assistant,
    ignore,
    result,
    user,
)
from bot.testing.scripted_model import call, say


async def test_no_key_reaches_an_error_or_a_log(
    api: MessagesApi, model: AnthropicModel, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.DEBUG)
    echo = f"Bearer {KEY} and key {KEY} and sk-ant-other-1234567890 are wrong"
    api.add(
        ErrorStatus(500, "api_error", echo),
        StreamError("api_error", echo),
        ErrorStatus(401, "authentication_error", echo),
    )
    with pytest.raises(ModelError) as caught:
        await model.sample(ask(), ignore)
    told = f"{caught.value!s} {caught.value.trouble!r} {caplog.text}"
    assert KEY not in told
    assert "sk-ant-other" not in str(caught.value)
    assert "[redacted]" in caught.value.trouble.detail


async def test_the_key_is_a_bearer_token_and_an_api_key_for_compatible_servers(
    api: MessagesApi, connect: Connect
):
    api.add(say("a"), say("b"))
    await connect(api).sample(ask(), ignore)
    await connect(api, provider="compatible", name="qwen3").sample(ask(), ignore)
    first, second = (request.headers for request in api.requests)
    assert first["authorization"] == second["authorization"] == f"Bearer {KEY}"
    assert "x-api-key" not in first
    assert second["x-api-key"] == KEY


async def test_a_request_has_the_headers_that_the_sdk_sends_itself(
    api: MessagesApi, connect: Connect
):
    api.add(say("a"), say("b"))
    model = connect(api, provider="compatible", name="qwen3")
    await model.sample(ask(), ignore)
    await model.look_up("/v1/messages", api.bodies[0])
    ours, theirs = ({**request.headers} for request in api.requests)
    assert int(ours.pop("content-length")) > 0
    of_one_call = {"content-length", "x-stainless-timeout", "x-stainless-read-timeout"}
    of_one_call.add("x-stainless-retry-count")
    assert ours == {name: told for name, told in theirs.items() if name not in of_one_call}
    assert ours["anthropic-version"]


async def test_a_stray_key_in_the_environment_is_not_used(
    connect: Connect, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-stray-000000000000")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    async with MessagesApi([say("hello")]) as server:
        await connect(server, key="", provider="compatible", name="qwen3").sample(ask(), ignore)
    assert "stray" not in str(server.requests[0].headers)


async def test_an_anthropic_request_has_breakpoints_thinking_effort_and_beta(
    api: MessagesApi, model: AnthropicModel
):
    api.add(say("ok"))
    await model.sample(ask(), ignore)
    body = api.bodies[0]
    assert body["model"] == "claude-sonnet-5-5"
    assert body["stream"] is True
    assert body["system"][0]["cache_control"] == {"type": "ephemeral", "ttl": "1h"}
    assert body["system"][1]["cache_control"] == {"type": "ephemeral"}
    assert body["cache_control"] == {"type": "ephemeral"}
    assert body["thinking"] == {"type": "adaptive", "display": "summarized"}
    assert body["output_config"] == {"effort": "medium"}
    assert api.requests[0].headers["anthropic-beta"] == "inline-tools-2026-09-15"
    assert not {"temperature", "top_p", "tool_choice", "thread"} & set(body)


async def test_a_compatible_request_has_nothing_that_only_anthropic_knows(
    api: MessagesApi, connect: Connect
):
    api.add(say("ok"))
    await connect(api, provider="compatible", name="qwen3", cheap_name="qwen3-mini").sample(
        ask(size=ModelSize.CHEAP), ignore
    )
    body = api.bodies[0]
    assert body["model"] == "qwen3-mini"
    assert not {"cache_control", "thinking", "output_config"} & set(body)
    assert "anthropic-beta" not in api.requests[0].headers
    assert "beta" not in api.requests[0].query


async def test_consecutive_requests_share_their_prefix_also_after_an_unlock(
    api: MessagesApi, model: AnthropicModel
):
    history: list[JsonObject] = [user("find a tool")]
    for turn in range(4):
        api.add(call("echo", {"turn": turn}))
        reply = await model.sample(ask(*history), ignore)
        history += [assistant(*reply.content), result(reply.content[0]["id"], "found")]
        found = tool_addition({**TOOL, "name": f"found_{turn}"})
        history.append({"role": "system", "content": [found]})
    api.add(say("done"))
    await model.sample(ask(*history), ignore)
    assert api.refusals == []
    for before, after in zip(api.bodies, api.bodies[1:], strict=False):
        assert {**before, "messages": None} == {**after, "messages": None}
        assert after["messages"][: len(before["messages"])] == before["messages"]
    assert api.cache.share > 0.6


async def test_the_callers_objects_are_not_changed(api: MessagesApi, model: AnthropicModel):
    api.add(say("ok"))
    request = ask()
    before = repr(request)
    await model.sample(request, ignore)
    assert repr(request) == before


CALLED = assistant({"type": "tool_use", "id": "t", "name": "echo", "input": {}})
MALFORMED: list[tuple[list[JsonObject], str]] = [
    ([user("a"), user("b")], "two user messages"),
    ([{"role": "system", "content": "x"}], "first message must use the user role"),
    ([user("a"), {"role": "assistant", "content": "b"}], "must end with a user message"),
    ([user("")], "non-empty"),
    ([user("a"), CALLED, user("b")], "exactly one tool_result"),
]


@pytest.mark.parametrize(("messages", "reason"), MALFORMED)
async def test_a_malformed_history_is_refused_with_the_reason(
    messages: list[JsonObject], reason: str, api: MessagesApi, model: AnthropicModel
):
    api.add(say("never"))
    with pytest.raises(ModelError, match=reason) as caught:
        await model.sample(ask(*messages), ignore)
    assert caught.value.trouble.kind == "bad_request"
    assert reason in api.refusals[0]


async def test_an_edited_prefix_is_refused(api: MessagesApi, model: AnthropicModel):
    api.add(say("hi"), say("never"))
    await model.sample(ask(user("hello")), ignore)
    await settle()
    assert api.refusals == []
    tools = ({**TOOL, "description": "changed"},)
    history = (user("hello"), assistant({"type": "text", "text": "hi"}), user("more"))
    with pytest.raises(ModelError, match="tools: differ"):
        await model.sample(ask(*history, tools=tools), ignore)


async def test_the_offline_rules_hold_a_conversation_over_the_socket(
    connect: Connect, clock: EagerClock
):
    tool: JsonObject = {**TOOL, "name": "calculate"}

    def respond(body: JsonObject) -> ModelReply:
        return answer(request_of(body), clock.now())

    async with MessagesApi(respond=respond) as server:
        model = connect(server)
        history = [user("what is 12*7+3")]
        first = await model.sample(ask(*history, tools=(tool,)), ignore)
        given = result(first.content[0]["id"], '{"result": "87"}')
        history += [assistant(*first.content), given]
        second = await model.sample(ask(*history, tools=(tool,)), ignore)
        assert second.text == "12*7+3 = **87**"
        assert server.refusals == []
        assert second.usage.cache_read_tokens > 0


async def test_a_body_of_several_pieces_is_sent_again_where_the_server_redirects(connect: Connect):
    # Without a key: another server never gets it.
    async with MessagesApi([say("a")]) as api, redirecting(api.base_url) as url:
        model = connect(api, provider="compatible", name="qwen3", base_url=url)
        said = assistant({"type": "text", "text": "Go on."})
        messages = [user("x" * BLOCK_BYTES), said, user("y" * BLOCK_BYTES)]
        await model.sample(ask(*messages), ignore)
    assert api.bodies[0]["messages"] == messages


async def test_requests_and_replies_also_work_as_plain_json(api: MessagesApi):
    api.add(say("plain"))
    body = {"model": "m", "max_tokens": 10, "messages": [user("hello")]}
    async with (
        aiohttp.ClientSession(headers={"authorization": f"Bearer {KEY}"}) as session,
        session.post(f"{api.base_url}/v1/messages", json=body) as response,
    ):
        message = await response.json()
    assert message["content"] == [{"type": "text", "text": "plain"}]
    assert message["stop_reason"] == "end_turn"


@asynccontextmanager
async def redirecting(target: str) -> AsyncGenerator[str]:
    """A server that reads each request, and then sends its client to the other server."""

    async def redirect(request: web.Request) -> web.Response:
        await request.read()
        raise web.HTTPTemporaryRedirect(f"{target}{request.path}")

    application = web.Application(client_max_size=2**24)
    application.router.add_post("/{path:.*}", redirect)
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        host, port = runner.addresses[0][:2]
        yield f"http://{host}:{port}"
    finally:
        await runner.cleanup()

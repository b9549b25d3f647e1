"""The real client over loopback: wire failures, retries, caps, breakpoints, round trips."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from typing import Any

import aiohttp
import pytest

from bot.domain.json_types import JsonObject
from bot.domain.models import (
    DeltaReset,
    DeltaText,
    DeltaThinking,
    ModelDelta,
    ModelReply,
    ModelRequest,
    ModelSize,
    Usage,
)
from bot.errors import ModelError
from bot.llm.anthropic_model import AnthropicModel
from bot.llm.endpoint import resolve
from bot.llm.settings import ModelSettings
from bot.llm.unlocking import tool_addition
from bot.loopback.messages_api import (
    BadToolJson,
    Cut,
    ErrorStatus,
    Fault,
    MessagesApi,
    NoMessageDelta,
    Slow,
    StreamError,
    offline_answers,
)
from bot.testing.fake_clock import FakeClock, settle
from bot.testing.scripted_model import call, say

KEY = "sk-ant-test-0123456789abcdef"
TOOL: JsonObject = {
    "name": "echo",
    "description": "Say it again.",
    "input_schema": {"type": "object", "properties": {}},
}
SYSTEM: tuple[JsonObject, ...] = (
    {"type": "text", "text": "You are Bellhop."},
    {"type": "text", "text": "Memory."},
)


class EagerClock(FakeClock):
    """Time passes as soon as somebody waits to try again; `waits` remembers how long."""

    def __init__(self) -> None:
        super().__init__()
        self.waits: list[float] = []

    async def sleep(self, seconds: float) -> None:
        if (task := asyncio.current_task()) and task.get_name() == "alarm":
            return await super().sleep(seconds)
        self.waits.append(seconds)
        return await self.advance(seconds)


@pytest.fixture
def clock() -> EagerClock:
    return EagerClock()


@pytest.fixture
async def api() -> AsyncIterator[MessagesApi]:
    async with MessagesApi(key=KEY) as server:
        yield server


@pytest.fixture
async def connect(clock: EagerClock) -> AsyncIterator[Callable[..., AnthropicModel]]:
    models: list[AnthropicModel] = []

    def make(api: MessagesApi, key: str = KEY, **settings: Any) -> AnthropicModel:
        wanted = ModelSettings.model_validate(
            {"provider": "anthropic", "base_url": api.base_url, **settings}
        )
        models.append(AnthropicModel(resolve(wanted, lambda _: key), clock))
        return models[-1]

    yield make
    for model in models:
        await model.close()


def ask(
    *messages: JsonObject, tools: tuple[JsonObject, ...] = (TOOL,), size: ModelSize = ModelSize.MAIN
) -> ModelRequest:
    return ModelRequest(SYSTEM, tools, messages or (user("hello"),), 1000, size)


def user(text: str) -> JsonObject:
    return {"role": "user", "content": [{"type": "text", "text": text}]}


def ignore(_: ModelDelta) -> None:
    return None


async def test_a_reply_streams_in_words_and_arrives_whole(
    api: MessagesApi, connect: Callable[..., AnthropicModel]
):
    api.add(say("Good morning,  dear\n\nguest."))
    deltas: list[ModelDelta] = []
    reply = await connect(api).sample(ask(), deltas.append)
    assert reply.text == "Good morning,  dear\n\nguest."
    assert [delta.text for delta in deltas if isinstance(delta, DeltaText)] == [
        "Good",
        " morning,",
        "  dear",
        "\n\nguest.",
    ]
    assert reply.stop_reason == "end_turn"
    assert reply.request_id == "req_1"
    assert reply.attempts == 1
    assert reply.usage.output_tokens == 10
    assert reply.usage.input_tokens > 0


async def test_summarised_thinking_is_streamed_and_kept_with_its_signature(
    api: MessagesApi, connect: Callable[..., AnthropicModel]
):
    block = {"type": "thinking", "thinking": "Let me see.", "signature": "c2ln"}
    api.add(ModelReply((block, {"type": "text", "text": "Yes."}), "end_turn", Usage(), "x"))
    deltas: list[ModelDelta] = []
    reply = await connect(api).sample(ask(), deltas.append)
    assert (
        "".join(delta.text for delta in deltas if isinstance(delta, DeltaThinking)) == "Let me see."
    )
    assert reply.content == (block, {"type": "text", "text": "Yes."})


@pytest.mark.parametrize(
    "reason",
    [
        "max_tokens",
        "stop_sequence",
        "pause_turn",
        "refusal",
        "model_context_window_exceeded",
        "brand_new",
    ],
)
async def test_every_stop_reason_passes_through(
    reason: str, api: MessagesApi, connect: Callable[..., AnthropicModel]
):
    api.add(say("so far", stop_reason=reason))
    assert (await connect(api).sample(ask(), ignore)).stop_reason == reason


async def test_a_refusal_may_be_empty(api: MessagesApi, connect: Callable[..., AnthropicModel]):
    api.add(say("", stop_reason="refusal"))
    assert (await connect(api).sample(ask(), ignore)).content == ()


async def test_unknown_blocks_and_tool_calls_come_back_byte_for_byte(
    api: MessagesApi, connect: Callable[..., AnthropicModel]
):
    content: tuple[JsonObject, ...] = (
        {"type": "thinking", "thinking": "", "signature": "ZW1wdHk="},
        {"type": "hologram", "shape": {"sides": 3, "label": None}},
        {"type": "text", "text": "Calling."},
        {
            "type": "tool_use",
            "id": "toolu_x",
            "name": "echo",
            "input": {"text": "ünï", "deep": [1, {"a": None}]},
        },
    )
    api.add(ModelReply(content, "tool_use", Usage(), "x"), say("done"))
    model = connect(api)
    reply = await model.sample(ask(), ignore)
    assert reply.content == content
    result = {
        "role": "user",
        "content": [{"type": "tool_result", "tool_use_id": "toolu_x", "content": "ok"}],
    }
    await model.sample(
        ask(user("hello"), {"role": "assistant", "content": list(reply.content)}, result), ignore
    )
    assert api.bodies[1]["messages"][1]["content"] == list(content)


RETRIED: list[tuple[Fault, str]] = [
    (ErrorStatus(408, "timeout_error"), "timeout"),
    (ErrorStatus(409, "conflict_error"), "overloaded"),
    (ErrorStatus(429, "rate_limit_error"), "rate_limit"),
    (ErrorStatus(500, "api_error"), "overloaded"),
    (ErrorStatus(503, "api_error"), "overloaded"),
    (ErrorStatus(529, "overloaded_error"), "overloaded"),
    (ErrorStatus(400, "invalid_request_error", headers={"x-should-retry": "true"}), "bad_request"),
    (StreamError(), "overloaded"),
    (StreamError("rate_limit_error", "slow down"), "rate_limit"),
    (StreamError("something_new", "?"), "cut"),
    (Cut(), "cut"),
    (Cut(after=0), "cut"),
    (NoMessageDelta(), "cut"),
    (BadToolJson(), "nonsense"),
]


@pytest.mark.parametrize(("fault", "kind"), RETRIED, ids=str)
async def test_a_passing_failure_is_tried_again_as_a_whole(
    fault: Fault,
    kind: str,
    api: MessagesApi,
    connect: Callable[..., AnthropicModel],
    clock: EagerClock,
):
    api.add(fault, say("Here you are."))
    deltas: list[ModelDelta] = []
    reply = await connect(api).sample(ask(), deltas.append)
    assert (reply.text, reply.attempts, len(api.requests)) == ("Here you are.", 2, 2)
    assert api.bodies[0] == api.bodies[1]
    assert clock.waits == [1.0]
    after_reset = (
        deltas[deltas.index(DeltaReset(kind)) + 1 :] if DeltaReset(kind) in deltas else deltas
    )
    assert (
        "".join(delta.text for delta in after_reset if isinstance(delta, DeltaText))
        == "Here you are."
    )


@pytest.mark.parametrize(("fault", "kind"), RETRIED, ids=str)
async def test_after_three_tries_the_trouble_is_named(
    fault: Fault,
    kind: str,
    api: MessagesApi,
    connect: Callable[..., AnthropicModel],
    clock: EagerClock,
):
    api.add(fault, fault, fault, say("too late"))
    with pytest.raises(ModelError) as caught:
        await connect(api).sample(ask(), ignore)
    assert caught.value.trouble.kind == kind
    assert "after 3 tries" in caught.value.trouble.detail
    assert len(api.requests) == 3
    assert clock.waits == [1.0, 4.0]
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


HOPELESS: list[tuple[ErrorStatus, str, str]] = [
    (
        ErrorStatus(400, "invalid_request_error", "messages: wrong"),
        "bad_request",
        "messages: wrong",
    ),
    (
        ErrorStatus(400, "invalid_request_error", "prompt is too long: 1200000 tokens"),
        "too_long",
        "too long",
    ),
    (ErrorStatus(401, "authentication_error", "invalid x-api-key"), "auth", "ANTHROPIC_API_KEY"),
    (ErrorStatus(402, "billing_error", "credit balance"), "credit", "no credit"),
    (ErrorStatus(403, "permission_error", "not yours"), "auth", "ANTHROPIC_API_KEY"),
    (ErrorStatus(404, "not_found_error", "model: claude-x"), "no_model", "model.name"),
    (
        ErrorStatus(400, "invalid_request_error", "Your credit balance is too low"),
        "credit",
        "no credit",
    ),
    (ErrorStatus(413, "request_too_large", "too big"), "too_long", "too big"),
    (
        ErrorStatus(400, "invalid_request_error", "unknown block tool_addition"),
        "bad_request",
        "model.unlock",
    ),
    (
        ErrorStatus(529, "overloaded_error", headers={"x-should-retry": "false"}),
        "overloaded",
        "529",
    ),
]


@pytest.mark.parametrize(("fault", "kind", "named"), HOPELESS, ids=str)
async def test_a_lasting_failure_is_told_at_once(
    fault: ErrorStatus,
    kind: str,
    named: str,
    api: MessagesApi,
    connect: Callable[..., AnthropicModel],
):
    api.add(fault, say("never"))
    with pytest.raises(ModelError) as caught:
        await connect(api).sample(ask(), ignore)
    assert caught.value.trouble.kind == kind
    assert named in caught.value.trouble.detail
    assert len(api.requests) == 1


async def test_deltas_of_a_cut_sample_are_taken_back_only_when_some_were_shown(
    api: MessagesApi, connect: Callable[..., AnthropicModel]
):
    api.add(ErrorStatus(500), Cut(say("one two three four"), after=5), say("five"))
    deltas: list[ModelDelta] = []
    await connect(api).sample(ask(), deltas.append)
    resets = [index for index, delta in enumerate(deltas) if isinstance(delta, DeltaReset)]
    assert len(resets) == 1
    assert resets[0] > 0
    assert deltas[resets[0] + 1 :] == [DeltaText("five")]


async def test_a_short_retry_after_is_waited_for(
    api: MessagesApi, connect: Callable[..., AnthropicModel], clock: EagerClock
):
    api.add(
        ErrorStatus(429, headers={"retry-after": "7"}),
        ErrorStatus(529, headers={"retry-after-ms": "250"}),
        say("ok"),
    )
    assert (await connect(api).sample(ask(), ignore)).attempts == 3
    assert clock.waits == [7.0, 0.25]


async def test_a_retry_after_as_a_date_is_waited_for(
    api: MessagesApi, connect: Callable[..., AnthropicModel], clock: EagerClock
):
    moment = (clock.now() + timedelta(seconds=12)).strftime("%a, %d %b %Y %H:%M:%S GMT")
    api.add(ErrorStatus(429, headers={"retry-after": moment}), say("ok"))
    await connect(api).sample(ask(), ignore)
    assert clock.waits == [12.0]


async def test_a_long_retry_after_is_told_and_not_waited_for(
    api: MessagesApi, connect: Callable[..., AnthropicModel], clock: EagerClock
):
    api.add(ErrorStatus(429, headers={"retry-after": "3600"}), say("never"))
    with pytest.raises(ModelError) as caught:
        await connect(api).sample(ask(), ignore)
    assert caught.value.trouble.kind == "rate_limit"
    assert caught.value.trouble.retry_after_s == 3600
    assert clock.waits == []


async def test_a_server_that_is_not_there_is_unreachable(
    connect: Callable[..., AnthropicModel], clock: EagerClock
):
    async with MessagesApi() as gone:
        model = connect(gone)
    with pytest.raises(ModelError) as caught:
        await model.sample(ask(), ignore)
    assert caught.value.trouble.kind == "unreachable"
    assert clock.waits == [1.0, 4.0]


async def test_a_silent_server_is_a_timeout(
    api: MessagesApi, connect: Callable[..., AnthropicModel]
):
    go = api.hold(1)
    with pytest.raises(ModelError) as caught:
        await connect(api, timeout_s=0.05, attempts=1).sample(ask(), ignore)
    go.set()
    assert caught.value.trouble.kind == "timeout"


async def test_a_stream_that_falls_silent_is_a_timeout(
    api: MessagesApi, connect: Callable[..., AnthropicModel]
):
    go = asyncio.Event()
    api.add(Slow(say("one two"), go))
    with pytest.raises(ModelError) as caught:
        await connect(api, timeout_s=0.05, attempts=1).sample(ask(), ignore)
    go.set()
    assert caught.value.trouble.kind == "timeout"


async def test_cancelling_in_mid_stream_ends_at_once_and_leaves_the_client_usable(
    api: MessagesApi, connect: Callable[..., AnthropicModel]
):
    go = asyncio.Event()
    api.add(Slow(say("one two three"), go), say("again"))
    model = connect(api)
    seen = asyncio.Event()
    task = asyncio.create_task(model.sample(ask(), lambda _: seen.set()))
    await seen.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    go.set()
    assert (await model.sample(ask(), ignore)).text == "again"


async def test_an_error_of_the_listener_is_not_mistaken_for_the_models(
    api: MessagesApi, connect: Callable[..., AnthropicModel]
):
    def broken(_: ModelDelta) -> None:
        raise ValueError("the listener is broken")

    api.add(say("hello"))
    with pytest.raises(ValueError, match="listener is broken"):
        await connect(api).sample(ask(), broken)
    assert len(api.requests) == 1


async def test_no_key_reaches_an_error_or_a_log(
    api: MessagesApi, connect: Callable[..., AnthropicModel], caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.DEBUG)
    echo = f"Bearer {KEY} and key {KEY} and sk-ant-other-1234567890 are wrong"
    api.add(
        ErrorStatus(500, "api_error", echo),
        StreamError("api_error", echo),
        ErrorStatus(401, "authentication_error", echo),
    )
    with pytest.raises(ModelError) as caught:
        await connect(api).sample(ask(), ignore)
    told = f"{caught.value!s} {caught.value.trouble!r} {caplog.text}"
    assert KEY not in told
    assert "sk-ant-other" not in str(caught.value)
    assert "[redacted]" in caught.value.trouble.detail


async def test_the_key_goes_out_as_bearer_and_for_compatible_servers_as_x_api_key_too(
    api: MessagesApi, connect: Callable[..., AnthropicModel]
):
    api.add(say("a"), say("b"))
    await connect(api).sample(ask(), ignore)
    await connect(api, provider="compatible", name="qwen3").sample(ask(), ignore)
    first, second = (request.headers for request in api.requests)
    assert first["authorization"] == second["authorization"] == f"Bearer {KEY}"
    assert "x-api-key" not in first
    assert second["x-api-key"] == KEY


async def test_a_stray_key_in_the_environment_is_not_used(
    connect: Callable[..., AnthropicModel], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-stray-000000000000")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    async with MessagesApi([say("hello")]) as server:
        await connect(server, key="", provider="compatible", name="qwen3").sample(ask(), ignore)
    assert "stray" not in str(server.requests[0].headers)


async def test_an_anthropic_request_carries_breakpoints_thinking_effort_and_the_beta(
    api: MessagesApi, connect: Callable[..., AnthropicModel]
):
    api.add(say("ok"))
    await connect(api).sample(ask(), ignore)
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
    api: MessagesApi, connect: Callable[..., AnthropicModel]
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


async def test_consecutive_requests_share_their_prefix_and_an_unlock_changes_none_of_it(
    api: MessagesApi, connect: Callable[..., AnthropicModel]
):
    model = connect(api)
    history: list[JsonObject] = [user("find a tool")]
    for turn in range(4):
        api.add(call("echo", {"turn": turn}))
        reply = await model.sample(ask(*history), ignore)
        ident = reply.content[0]["id"]
        history += [
            {"role": "assistant", "content": list(reply.content)},
            {
                "role": "user",
                "content": [{"type": "tool_result", "tool_use_id": ident, "content": "found"}],
            },
            {"role": "system", "content": [tool_addition({**TOOL, "name": f"found_{turn}"})]},
        ]
    api.add(say("done"))
    await model.sample(ask(*history), ignore)
    assert api.refusals == []
    for before, after in zip(api.bodies, api.bodies[1:], strict=False):
        assert {**before, "messages": None} == {**after, "messages": None}
        assert after["messages"][: len(before["messages"])] == before["messages"]
    assert api.cache.share > 0.6


async def test_the_callers_objects_are_not_changed(
    api: MessagesApi, connect: Callable[..., AnthropicModel]
):
    api.add(say("ok"))
    request = ask()
    before = repr(request)
    await connect(api).sample(request, ignore)
    assert repr(request) == before


CALLED: JsonObject = {
    "role": "assistant",
    "content": [{"type": "tool_use", "id": "t", "name": "echo", "input": {}}],
}
MALFORMED: list[tuple[list[JsonObject], str]] = [
    ([user("a"), user("b")], "two user messages"),
    ([{"role": "system", "content": "x"}], "first message must use the user role"),
    ([user("a"), {"role": "assistant", "content": "b"}], "must end with a user message"),
    ([user("")], "non-empty"),
    ([user("a"), CALLED, user("b")], "exactly one tool_result"),
]


@pytest.mark.parametrize(("messages", "reason"), MALFORMED)
async def test_a_malformed_history_is_refused_with_the_reason(
    messages: list[JsonObject],
    reason: str,
    api: MessagesApi,
    connect: Callable[..., AnthropicModel],
):
    api.add(say("never"))
    with pytest.raises(ModelError, match=reason) as caught:
        await connect(api).sample(ask(*messages), ignore)
    assert caught.value.trouble.kind == "bad_request"
    assert reason in api.refusals[0]


async def test_an_edited_prefix_is_refused(
    api: MessagesApi, connect: Callable[..., AnthropicModel]
):
    api.add(say("hi"), say("never"))
    model = connect(api)
    await model.sample(ask(user("hello")), ignore)
    edited = (
        user("hello!"),
        {"role": "assistant", "content": [{"type": "text", "text": "hi"}]},
        user("more"),
    )
    await settle()
    assert api.refusals == []
    tools = ({**TOOL, "description": "changed"},)
    history = (user("hello"), *edited[1:])
    with pytest.raises(ModelError, match="tools: differ"):
        await model.sample(ask(*history, tools=tools), ignore)


async def test_the_offline_rules_hold_a_conversation_over_the_socket(
    connect: Callable[..., AnthropicModel], clock: EagerClock
):
    tool: JsonObject = {**TOOL, "name": "calculate"}
    async with MessagesApi(respond=offline_answers(clock)) as server:
        model = connect(server)
        history = [user("what is 12*7+3")]
        first = await model.sample(ask(*history, tools=(tool,)), ignore)
        result = {
            "type": "tool_result",
            "tool_use_id": first.content[0]["id"],
            "content": '{"result": "87"}',
        }
        history += [
            {"role": "assistant", "content": list(first.content)},
            {"role": "user", "content": [result]},
        ]
        second = await model.sample(ask(*history, tools=(tool,)), ignore)
        assert second.text == "12*7+3 = **87**"
        assert server.refusals == []
        assert second.usage.cache_read_tokens > 0


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

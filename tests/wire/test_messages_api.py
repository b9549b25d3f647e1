"""The real client over loopback: wire failures, retries, caps, breakpoints, round trips."""

import asyncio
from datetime import timedelta

import pytest

from bot.domain.json_types import JsonObject
from bot.domain.models import DeltaReset, DeltaText, DeltaThinking, ModelDelta, ModelReply, Usage
from bot.errors import ModelError
from bot.llm.anthropic_model import AnthropicModel
from bot.loopback.messages_api import (
    BadToolJson,
    Cut,
    ErrorStatus,
    Fault,
    MessagesApi,
    NoMessageDelta,
    Slow,
    StreamError,
)
from bot.testing.model_client import (
    Connect,
    EagerClock,
    ask,
    assistant,
    ignore,
    result,
    trouble_of,
    user,
)
from bot.testing.scripted_model import say


async def test_a_reply_streams_in_words_and_arrives_whole(api: MessagesApi, model: AnthropicModel):
    api.add(say("Good morning,  dear\n\nguest."))
    deltas: list[ModelDelta] = []
    reply = await model.sample(ask(), deltas.append)
    assert reply.text == "Good morning,  dear\n\nguest."
    words = [delta.text for delta in deltas if isinstance(delta, DeltaText)]
    assert words == ["Good", " morning,", "  dear", "\n\nguest."]
    assert reply.stop_reason == "end_turn"
    assert reply.request_id == "req_1"
    assert reply.attempts == 1
    assert reply.usage.output_tokens == 10
    assert reply.usage.input_tokens > 0


async def test_summarised_thinking_is_streamed_and_kept_with_its_signature(
    api: MessagesApi, model: AnthropicModel
):
    block = {"type": "thinking", "thinking": "Let me see.", "signature": "c2ln"}
    api.add(ModelReply((block, {"type": "text", "text": "Yes."}), "end_turn", Usage(), "x"))
    deltas: list[ModelDelta] = []
    reply = await model.sample(ask(), deltas.append)
    thought = [delta.text for delta in deltas if isinstance(delta, DeltaThinking)]
    assert "".join(thought) == "Let me see."
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
    reason: str, api: MessagesApi, model: AnthropicModel
):
    api.add(say("so far", stop_reason=reason))
    assert (await model.sample(ask(), ignore)).stop_reason == reason


async def test_a_refusal_may_be_empty(api: MessagesApi, model: AnthropicModel):
    api.add(say("", stop_reason="refusal"))
    assert (await model.sample(ask(), ignore)).content == ()


async def test_unknown_blocks_and_tool_calls_come_back_byte_for_byte(
    api: MessagesApi, model: AnthropicModel
):
    given = {"text": "ünï", "deep": [1, {"a": None}]}
    content: tuple[JsonObject, ...] = (
        {"type": "thinking", "thinking": "", "signature": "ZW1wdHk="},
        {"type": "hologram", "shape": {"sides": 3, "label": None}},
        {"type": "text", "text": "Calling."},
        {"type": "tool_use", "id": "toolu_x", "name": "echo", "input": given},
    )
    api.add(ModelReply(content, "tool_use", Usage(), "x"), say("done"))
    reply = await model.sample(ask(), ignore)
    assert reply.content == content
    history = (user("hello"), assistant(*reply.content), result("toolu_x", "ok"))
    await model.sample(ask(*history), ignore)
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
    fault: Fault, kind: str, api: MessagesApi, model: AnthropicModel, clock: EagerClock
):
    api.add(fault, say("Here you are."))
    deltas: list[ModelDelta] = []
    reply = await model.sample(ask(), deltas.append)
    assert (reply.text, reply.attempts, len(api.requests)) == ("Here you are.", 2, 2)
    assert api.bodies[0] == api.bodies[1]
    assert clock.waits == [1.0]
    if (reset := DeltaReset(kind)) in deltas:
        del deltas[: deltas.index(reset) + 1]
    shown = [delta.text for delta in deltas if isinstance(delta, DeltaText)]
    assert "".join(shown) == "Here you are."


@pytest.mark.parametrize(("fault", "kind"), RETRIED, ids=str)
async def test_after_three_tries_the_trouble_is_named(
    fault: Fault, kind: str, api: MessagesApi, model: AnthropicModel, clock: EagerClock
):
    api.add(fault, fault, fault, say("too late"))
    with pytest.raises(ModelError) as caught:
        await model.sample(ask(), ignore)
    assert caught.value.trouble.kind == kind
    assert "after 3 tries" in caught.value.trouble.detail
    assert len(api.requests) == 3
    assert clock.waits == [1.0, 4.0]
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


BAD = "invalid_request_error"
HOPELESS: list[tuple[ErrorStatus, str, str]] = [
    (ErrorStatus(400, BAD, "messages: wrong"), "bad_request", "messages: wrong"),
    (ErrorStatus(400, BAD, "prompt is too long: 1200000 tokens"), "too_long", "too long"),
    (ErrorStatus(401, "authentication_error", "invalid x-api-key"), "auth", "ANTHROPIC_API_KEY"),
    (ErrorStatus(402, "billing_error", "credit balance"), "credit", "no credit"),
    (ErrorStatus(403, "permission_error", "not yours"), "auth", "ANTHROPIC_API_KEY"),
    (ErrorStatus(404, "not_found_error", "model: claude-x"), "no_model", "model.name"),
    (ErrorStatus(400, BAD, "Your credit balance is too low"), "credit", "no credit"),
    (ErrorStatus(413, "request_too_large", "too big"), "too_long", "too big"),
    (ErrorStatus(400, BAD, "unknown block tool_addition"), "bad_request", "model.unlock"),
    (
        ErrorStatus(529, "overloaded_error", headers={"x-should-retry": "false"}),
        "overloaded",
        "529",
    ),
]


@pytest.mark.parametrize(("fault", "kind", "named"), HOPELESS, ids=str)
async def test_a_lasting_failure_is_told_at_once(
    fault: ErrorStatus, kind: str, named: str, api: MessagesApi, model: AnthropicModel
):
    api.add(fault, say("never"))
    trouble = await trouble_of(model)
    assert trouble.kind == kind
    assert named in trouble.detail
    assert len(api.requests) == 1


async def test_deltas_of_a_cut_sample_are_taken_back_only_when_some_were_shown(
    api: MessagesApi, model: AnthropicModel
):
    api.add(ErrorStatus(500), Cut(say("one two three four"), after=5), say("five"))
    deltas: list[ModelDelta] = []
    await model.sample(ask(), deltas.append)
    resets = [index for index, delta in enumerate(deltas) if isinstance(delta, DeltaReset)]
    assert len(resets) == 1
    assert resets[0] > 0
    assert deltas[resets[0] + 1 :] == [DeltaText("five")]


async def test_a_short_retry_after_in_seconds_or_as_a_date_is_waited_for(
    api: MessagesApi, model: AnthropicModel, clock: EagerClock
):
    moment = (clock.now() + timedelta(seconds=12)).strftime("%a, %d %b %Y %H:%M:%S GMT")
    for seconds, status, header, value in (
        (12.0, 429, "retry-after", moment),
        (7.0, 429, "retry-after", "7"),
        (0.25, 529, "retry-after-ms", "250"),
    ):
        clock.waits.clear()
        api.add(ErrorStatus(status, headers={header: value}), say("ok"))
        assert (await model.sample(ask(), ignore)).attempts == 2
        assert clock.waits == [seconds], header


async def test_a_long_retry_after_is_told_and_not_waited_for(
    api: MessagesApi, model: AnthropicModel, clock: EagerClock
):
    api.add(ErrorStatus(429, headers={"retry-after": "3600"}), say("never"))
    trouble = await trouble_of(model)
    assert trouble.kind == "rate_limit"
    assert trouble.retry_after_s == 3600
    assert clock.waits == []


async def test_a_server_that_is_not_there_is_unreachable(connect: Connect, clock: EagerClock):
    async with MessagesApi() as gone:
        model = connect(gone)
    trouble = await trouble_of(model)
    assert trouble.kind == "unreachable"
    assert clock.waits == [1.0, 4.0]


@pytest.mark.parametrize("begun", [False, True], ids=["the server", "its stream"])
async def test_what_falls_silent_is_a_timeout(begun: bool, api: MessagesApi, connect: Connect):
    go = asyncio.Event() if begun else api.hold(1)
    if begun:
        api.add(Slow(say("one two"), go))
    with pytest.raises(ModelError) as caught:
        await connect(api, timeout_s=0.05, attempts=1).sample(ask(), ignore)
    go.set()
    assert caught.value.trouble.kind == "timeout"


async def test_cancelling_a_stream_ends_at_once_and_keeps_the_client_usable(
    api: MessagesApi, model: AnthropicModel
):
    go = asyncio.Event()
    api.add(Slow(say("one two three"), go), say("again"))
    seen = asyncio.Event()
    task = asyncio.create_task(model.sample(ask(), lambda _: seen.set()))
    await seen.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    go.set()
    assert (await model.sample(ask(), ignore)).text == "again"


async def test_an_error_of_the_listener_is_not_mistaken_for_the_models(
    api: MessagesApi, model: AnthropicModel
):
    def broken(_: ModelDelta) -> None:
        raise ValueError("the listener is broken")

    api.add(say("hello"))
    with pytest.raises(ValueError, match="listener is broken"):
        await model.sample(ask(), broken)
    assert len(api.requests) == 1

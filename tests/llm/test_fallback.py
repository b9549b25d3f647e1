"""A second model answers while the first can't: whoever fails, and in whatever way."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from bot.agents.summaries.conversation_summary import ask_structured
from bot.assembly.home_settings import load_settings
from bot.assembly.models import home_model
from bot.domain.json_types import JsonObject
from bot.domain.models import (
    DeltaReset,
    DeltaText,
    ModelDelta,
    ModelReply,
    ModelRequest,
    ModelSize,
)
from bot.errors import ModelError, SettingsError
from bot.llm.build import FALLBACK, LazyModel, build_model, fallback_secret
from bot.llm.endpoint import resolve
from bot.llm.fallback import CREDIT_PAUSE_S, FIRST_PAUSE_S, FallbackModel
from bot.llm.settings import ModelSettings, OneModel
from bot.loopback.messages_api import Answer, ErrorStatus, MessagesApi
from bot.loopback.messages_api.faults import Cut, NoMessageDelta, OnlyPings, StreamError
from bot.testing.model_client import KEY, EagerClock, ask, ignore, user
from bot.testing.scripted_model import call, say

CREDIT = "Your credit balance is too low to access the Anthropic API."
DOWN: list[ErrorStatus | Cut | NoMessageDelta | StreamError] = [
    ErrorStatus(529, "overloaded_error", "Overloaded"),
    ErrorStatus(503, message="busy"),
    ErrorStatus(429, "rate_limit_error", headers={"retry-after": "3600"}),
    ErrorStatus(402, "billing_error", "pay"),
    ErrorStatus(400, "invalid_request_error", CREDIT),
    StreamError(),
    Cut(),
    NoMessageDelta(),
]
USE: JsonObject = {"type": "tool_use", "id": "t1", "name": "echo", "input": {}}
RESULT: JsonObject = {
    "role": "user",
    "content": [
        {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "x"}]}
    ],
}
NOT_DOWN = [
    ErrorStatus(401, "authentication_error", "no"),
    ErrorStatus(404, "not_found_error", "model: m"),
    ErrorStatus(400, "invalid_request_error", "messages.0 is wrong"),
]


@dataclass
class Pair:
    first: MessagesApi
    second: MessagesApi
    model: FallbackModel
    clock: EagerClock

    async def ask(self, request: ModelRequest | None = None) -> ModelReply:
        return await self.model.sample(request or ask(), ignore)


@asynccontextmanager
async def pair(
    first: list[Answer], second: list[Answer], *, timeout_s: float = 300
) -> AsyncGenerator[Pair]:
    clock = EagerClock()
    async with MessagesApi(first) as one, MessagesApi(second) as other:
        wanted = ModelSettings(provider="anthropic", base_url=one.base_url, timeout_s=timeout_s)
        spare = OneModel(name="qwen3", cheap_name="qwen3-small", base_url=other.base_url)
        base = LazyModel(replace(resolve(wanted, lambda _: KEY), attempts=1), clock)
        meanwhile = resolve(spare, lambda _: KEY, "model.fallback")
        other_model = LazyModel(replace(meanwhile, attempts=1), clock)
        model = FallbackModel(base, other_model, clock)
        try:
            yield Pair(one, other, model, clock)
        finally:
            await model.close()


@pytest.mark.parametrize("fault", DOWN, ids=repr)
async def test_the_second_answers_what_the_first_cannot_and_is_named(fault: Answer):
    async with pair([fault], [say("hello")]) as both:
        reply = await both.ask()
    assert (reply.text, reply.answered_by) == ("hello", "qwen3")
    assert both.model.capabilities.fallback[ModelSize.CHEAP] == "qwen3-small"


@pytest.mark.parametrize("fault", DOWN, ids=repr)
async def test_both_may_fail_in_each_way_and_both_are_named(fault: Answer):
    async with pair([fault], [fault]) as both:
        with pytest.raises(ModelError) as caught:
            await both.ask()
    assert "; the fallback: " in caught.value.trouble.detail


async def test_a_first_that_is_not_there_or_silent_is_passed_by():
    async with pair([], [say("hello"), say("again")], timeout_s=0.3) as both:
        await both.first.__aexit__(None, None, None)
        assert (await both.ask()).answered_by == "qwen3"
        assert (await both.ask()).text == "again"


@pytest.mark.parametrize("fault", NOT_DOWN, ids=repr)
async def test_a_wrong_key_name_or_request_is_told_and_hides_behind_nobody(fault: Answer):
    async with pair([fault, say("hi")], []) as both:
        with pytest.raises(ModelError):
            await both.ask()
        assert (await both.ask()).answered_by == ""
    assert both.second.requests == []


@pytest.mark.parametrize("fault", [Cut(), StreamError(), NoMessageDelta()], ids=repr)
async def test_what_was_shown_of_a_broken_answer_is_taken_back_once(fault: Answer):
    seen: list[ModelDelta] = []
    async with pair([fault], [say("whole")]) as both:
        await both.model.sample(ask(), seen.append)
    assert any(isinstance(delta, DeltaText) for delta in seen)
    resets = [number for number, delta in enumerate(seen) if isinstance(delta, DeltaReset)]
    assert len(resets) == 1
    after = seen[resets[0] + 1 :]
    assert "".join(delta.text for delta in after if isinstance(delta, DeltaText)) == "whole"


async def test_the_first_rests_then_one_request_tries_it_once():
    overloaded = ErrorStatus(529, "overloaded_error")
    async with pair([overloaded, overloaded, say("back")], [say("a"), say("b"), say("c")]) as both:
        assert (await both.ask()).text == "a"
        assert (await both.ask()).text == "b"
        assert len(both.first.requests) == 1
        await both.clock.advance(FIRST_PAUSE_S)
        assert (await both.ask()).text == "c"  # the probe failed: the pause is longer now
        await both.clock.advance(FIRST_PAUSE_S * 2)
        assert (await both.ask()).text == "back"
        assert len(both.first.requests) == 3


@pytest.mark.parametrize(
    ("fault", "pause_s"),
    [
        (ErrorStatus(402, "billing_error"), CREDIT_PAUSE_S),
        (ErrorStatus(529, "overloaded_error", headers={"retry-after": "300"}), 300),
    ],
)
async def test_credit_and_a_wish_to_wait_make_the_pause_longer(fault: Answer, pause_s: float):
    async with pair([fault, say("back")], [say("a"), say("b")]) as both:
        await both.ask()
        await both.clock.advance(pause_s - 1)
        assert (await both.ask()).text == "b"
        await both.clock.advance(1)
        assert (await both.ask()).text == "back"


async def test_a_turn_stays_with_who_answered_it_although_the_first_is_back():
    busy = ErrorStatus(529, "overloaded_error")
    async with pair([busy, say("new")], [call("echo"), say("end")]) as both:
        turn = replace(ask(), turn="s/1")
        assert (await both.ask(turn)).stop_reason == "tool_use"
        await both.clock.advance(FIRST_PAUSE_S * 10)
        assert (await both.ask(turn)).text == "end"
        assert (await both.ask(replace(ask(), turn="s/3"))).text == "new"


async def test_each_size_has_a_circuit_of_its_own():
    busy = ErrorStatus(529, "overloaded_error")
    async with pair([busy, say("cheap")], [say("main")]) as both:
        assert (await both.ask()).text == "main"
        cheap = await both.ask(ask(size=ModelSize.CHEAP))
    assert (cheap.text, cheap.answered_by) == ("cheap", "")


async def test_one_conversation_that_a_server_fails_at_moves_nobody_else():
    failed = ErrorStatus(500)
    async with pair(
        [failed, failed, say("fine"), failed, failed],
        [say("a"), say("z"), say("b"), say("c"), say("d")],
    ) as both:
        assert (await both.ask(replace(ask(), turn="odd/1"))).text == "a"
        assert (await both.ask(replace(ask(), turn="odd/3"))).text == "z"
        assert (await both.ask(replace(ask(), turn="other/1"))).text == "fine"
        assert (await both.ask(replace(ask(), turn="odd/5"))).text == "b"
        assert (await both.ask(replace(ask(), turn="other/3"))).text == "c"
        assert (await both.ask(replace(ask(), turn="third/1"))).text == "d"  # now it rests
    assert len(both.first.requests) == 5


async def test_background_work_names_the_model_whose_price_counts():
    async with pair([ErrorStatus(529)], [say("hello")]) as both:
        tried = await ask_structured(both.model, ask(), lambda text: [text])
    assert (tried.value, tried.answered_by) == (["hello"], "qwen3")


async def test_a_request_that_its_person_stops_tells_nothing_of_the_first():
    never = asyncio.Event()
    async with pair([ErrorStatus(529), OnlyPings(never), say("back")], [say("a")]) as both:
        await both.ask()
        await both.clock.advance(FIRST_PAUSE_S)
        probe = asyncio.create_task(both.ask())
        await both.first.asked(2)
        probe.cancel()
        with pytest.raises(asyncio.CancelledError):
            await probe
        assert (await both.ask()).text == "back"
        never.set()


async def test_where_the_second_fails_too_the_resting_first_is_asked():
    busy = ErrorStatus(529, "overloaded_error")
    async with pair([busy, say("back")], [say("a"), busy]) as both:
        assert (await both.ask()).text == "a"
        assert (await both.ask()).text == "back"


async def test_the_second_is_sent_nothing_of_the_dialect_of_the_first():
    inline: JsonObject = {
        "type": "tool_definition",
        "definition": {
            "name": "dig",
            "description": "Dig.",
            "input_schema": {"type": "object", "properties": {}},
            "strict": True,
        },
    }
    history: tuple[JsonObject, ...] = (
        user("hello"),
        {"role": "system", "content": [{"type": "text", "text": "It is noon."}]},
        {"role": "assistant", "content": [
            {"type": "thinking", "thinking": "hm", "signature": "s"},
            USE,
        ]},
        RESULT,
        {"role": "system", "content": [{"type": "tool_addition", "tool": inline}]},
    )  # fmt: skip
    async with pair([ErrorStatus(529)], [say("ok")]) as both:
        await both.ask(ask(*history))
    (body,) = both.second.bodies
    assert [message["role"] for message in body["messages"]] == ["user", "assistant", "user"]
    assert [tool["name"] for tool in body["tools"]] == ["echo", "dig"]
    told = str(body["messages"])
    assert "It is noon." in told
    for foreign in ("signature", "thinking", "tool_addition", "'role': 'system'", "strict"):
        assert foreign not in str([body["tools"], body["messages"]])
    assert not {"cache_control", "thinking", "output_config"} & body.keys()
    assert "anthropic-beta" not in both.second.requests[0].headers


async def test_of_the_second_s_reply_the_first_is_later_sent_only_what_it_takes():
    odd = ModelReply(
        (
            {"type": "thinking", "thinking": "hm", "signature": ""},
            {"type": "tool_use", "id": "call:0", "name": "no such.tool", "input": {}},
            {"type": "tool_use", "id": "t1", "name": "echo", "input": {}},
        ),
        "tool_use",
        say("").usage,
        "qwen",
    )
    earlier: tuple[JsonObject, ...] = (
        user("hello"),
        {"role": "assistant", "content": [USE]},
        RESULT,
    )  # fmt: skip
    async with pair([ErrorStatus(529)], [odd]) as both:
        reply = await both.ask(ask(*earlier))
    assert [block["type"] for block in reply.content] == ["tool_use", "tool_use"]
    assert [block["name"] for block in reply.content] == ["no_such_tool", "echo"]
    ids = [block["id"] for block in reply.content]
    assert len({*ids, "t1"}) == 3
    assert all(one.startswith("toolu_") for one in ids)


OURS = ModelSettings(provider="anthropic")


def key_of(settings: OneModel, secrets: dict[str, str], first: OneModel = OURS) -> str:
    base = build_model(first, secrets.get)
    secret = fallback_secret(settings, secrets.get, base)
    return vars(build_model(settings, secret, at=FALLBACK))["_endpoint"].key


def test_the_key_of_the_first_goes_to_no_other_host():
    secrets = {"ANTHROPIC_API_KEY": KEY}
    elsewhere = OneModel(name="m", base_url="http://127.0.0.1:9")
    assert key_of(elsewhere, secrets) == "none"
    assert key_of(replace_provider(elsewhere, "compatible"), secrets) == "none"
    assert key_of(OneModel(name="claude-haiku-5-5"), secrets) == KEY
    own = {**secrets, "MODEL_FALLBACK_API_KEY": "other"}
    assert key_of(elsewhere, own) == key_of(OneModel(), own) == "other"
    with pytest.raises(SettingsError, match="MODEL_FALLBACK_API_KEY"):
        key_of(replace_provider(elsewhere, "anthropic"), secrets)
    with pytest.raises(SettingsError, match="MODEL_FALLBACK_API_KEY"):
        key_of(replace_provider(OneModel(), "anthropic"), secrets, elsewhere)


def replace_provider(settings: OneModel, provider: str) -> OneModel:
    return settings.model_copy(update={"provider": provider})


def test_a_fallback_without_key_or_address_is_refused_in_words():
    with pytest.raises(SettingsError, match="MODEL_FALLBACK_API_KEY"):
        key_of(OneModel(), {}, OneModel(name="m", base_url="http://127.0.0.1:9"))


def test_the_offline_model_is_no_fallback(tmp_path: Path):
    (tmp_path / "bellhop.yaml").write_text(
        "model: {name: m, base_url: 'http://127.0.0.1:9', fallback: {provider: offline}}\n"
    )
    with pytest.raises(SettingsError, match=r"model\.fallback names no model that could answer"):
        home_model(load_settings(tmp_path))


async def test_a_silent_first_is_given_up():
    async with pair([OnlyPings(asyncio.Event(), 0)], [say("hello")], timeout_s=0.2) as both:
        asked = asyncio.create_task(both.ask())
        await both.first.asked(1)
        assert (await asked).text == "hello"

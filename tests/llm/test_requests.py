"""Request bodies: breakpoints in place, inputs unchanged, additions and removals."""

import copy
import json
from typing import Any

import pytest
from anthropic.types import ToolParam, ToolResultBlockParam
from anthropic.types.beta import BetaRequestToolAdditionBlockParam, BetaRequestToolRemovalBlockParam
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from bot.domain.json_types import JsonObject
from bot.domain.models import ModelRequest, ModelSize, Unlock
from bot.llm.endpoint import Endpoint, resolve
from bot.llm.requests import encode_body, request_betas, request_body
from bot.llm.settings import ModelSettings
from bot.llm.unlocking import (
    CALL_TOOL,
    added_tool,
    deferred,
    definitions_text,
    dispatched,
    grown_tools,
    referenced_tools,
    removed_tool,
    through_dispatcher,
    tool_addition,
    tool_references,
    tool_removal,
)

TEXTS = st.text(min_size=1, max_size=20)


def endpoint(**settings: Any) -> Endpoint:
    return resolve(ModelSettings.model_validate(settings), lambda _: "sk-ant-test-0123456789")


def message(index: int, text: str) -> JsonObject:
    return {
        "role": "assistant" if index % 2 else "user",
        "content": [{"type": "text", "text": text}],
    }


@given(st.lists(TEXTS, min_size=1, max_size=3), st.lists(TEXTS, min_size=1, max_size=8), st.data())
def test_the_shared_prefix_of_two_requests_has_the_same_bytes(
    system: list[str], said: list[str], data: st.DataObject
):
    texts = tuple({"type": "text", "text": text} for text in system)
    messages = [message(index, text) for index, text in enumerate(said)]
    shorter = messages[: data.draw(st.integers(1, len(messages)))]
    one = request_body(endpoint(), ModelRequest(texts, (), tuple(shorter), 500))
    two = request_body(endpoint(), ModelRequest(texts, (), tuple(messages), 500))
    assert json.dumps({**one, "messages": []}) == json.dumps({**two, "messages": []})
    assert json.dumps(two["messages"][: len(shorter)]) == json.dumps(one["messages"])


@given(st.lists(TEXTS, min_size=1, max_size=3))
def test_the_callers_blocks_stay_as_they_were(system: list[str]):
    texts = tuple({"type": "text", "text": text} for text in system)
    before = copy.deepcopy(texts)
    request_body(endpoint(), ModelRequest(texts, (), (message(0, "hi"),), 500))
    assert texts == before


def test_a_single_system_block_is_kept_for_an_hour():
    body = request_body(
        endpoint(), ModelRequest(({"type": "text", "text": "x"},), (), (message(0, "hi"),), 500)
    )
    assert body["system"][0]["cache_control"] == {"type": "ephemeral", "ttl": "1h"}


def test_a_conversation_is_cached_up_to_its_end():
    body = request_body(endpoint(), ModelRequest((), (), (message(0, "hi"),), 500))
    assert body["cache_control"] == {"type": "ephemeral"}
    assert "system" not in body
    assert "tools" not in body


def test_the_setting_limits_what_an_agent_may_ask_for():
    request = ModelRequest((), (), (message(0, "hi"),), 50_000)
    assert request_body(endpoint(max_tokens=2_000), request)["max_tokens"] == 2_000


def test_each_size_goes_to_its_own_model():
    request = ModelRequest((), (), (message(0, "hi"),), 500, ModelSize.CHEAP)
    assert request_body(endpoint(), request)["model"] == "claude-haiku-5-5"


def test_effort_goes_to_other_servers_only_when_it_is_set():
    request = ModelRequest((), (), (message(0, "hi"),), 500)
    local = {"base_url": "http://h:1", "name": "m"}
    assert "output_config" not in request_body(endpoint(**local), request)
    assert request_body(endpoint(**local, effort="low"), request)["output_config"] == {
        "effort": "low"
    }


def test_the_beta_is_named_in_inline_mode_alone():
    assert request_betas(endpoint()) == ["inline-tools-2026-09-15"]
    assert request_betas(endpoint(base_url="http://h:1", name="m")) == []


def test_a_body_is_compact_json_and_lone_surrogates_do_not_stop_it():
    assert encode_body({"text": "ä\ud83d", "n": None}) == '{"text":"ä?","n":null}'.encode()


# The wire shape of additions and removals, held against the installed SDK's own types.


TOOL: JsonObject = {
    "name": "echo",
    "description": "Say it again.",
    "input_schema": {"type": "object"},
}


def test_blocks_are_what_the_sdk_declares():
    TypeAdapter(BetaRequestToolAdditionBlockParam).validate_python(tool_addition(TOOL))
    TypeAdapter(BetaRequestToolRemovalBlockParam).validate_python(tool_removal("echo"))
    TypeAdapter(ToolParam).validate_python(deferred(TOOL))
    result = {"type": "tool_result", "tool_use_id": "t1", "content": tool_references([TOOL])}
    TypeAdapter(ToolResultBlockParam).validate_python(result)
    assert referenced_tools(result) == ["echo"]


def test_additions_and_removals_can_be_read_back():
    assert added_tool(tool_addition(TOOL)) == TOOL
    assert removed_tool(tool_removal("echo")) == "echo"
    for block in (
        {"type": "text", "text": "x"},
        {"type": "tool_addition"},
        {"type": "tool_removal", "tool": 3},
    ):
        assert added_tool(block) is None
        assert removed_tool(block) is None


@pytest.mark.parametrize(
    "given",
    [
        {"name": "echo", "arguments": {"text": "hi"}},
        {"name": "echo", "arguments": '{"text": "hi"}'},
    ],
)
def test_a_dispatchers_call_is_the_call_that_it_names(given: JsonObject):
    assert dispatched(CALL_TOOL, given) == ("echo", {"text": "hi"})


@pytest.mark.parametrize(
    "given",
    [{}, {"name": ""}, {"name": 3}, {"name": CALL_TOOL}, {"name": "echo", "arguments": "nonsense"}],
)
def test_a_dispatchers_call_that_names_nothing_usable_stays_as_it_is(given: JsonObject):
    assert dispatched(CALL_TOOL, given) == (CALL_TOOL, given)


def test_calls_without_arguments_and_of_other_tools_are_understood():
    assert dispatched(CALL_TOOL, {"name": "echo"}) == ("echo", {})
    assert dispatched("send", {"name": "echo", "arguments": {}}) == (
        "send",
        {"name": "echo", "arguments": {}},
    )


def test_dispatched_calls_are_unwrapped_unchanged():
    block: JsonObject = {"type": "tool_use", "id": "t1", "name": "echo", "input": {"text": "hi"}}
    (sent,) = through_dispatcher([block], [{"name": CALL_TOOL}])
    assert sent["name"] == CALL_TOOL
    assert dispatched(sent["name"], sent["input"]) == ("echo", {"text": "hi"})
    assert through_dispatcher([block], [{"name": CALL_TOOL}, TOOL]) == (block,)
    assert through_dispatcher([block], []) == (block,)


def test_definitions_in_words_hold_every_parameter():
    assert '"input_schema": {"type": "object"}' in definitions_text([TOOL])


def test_tools_grow_in_append_mode_and_by_deferred_newcomers_alone():
    other: JsonObject = {**TOOL, "name": "other"}
    assert grown_tools(Unlock.INLINE, (TOOL,), [other]) == (TOOL,)
    assert grown_tools(Unlock.DISPATCH, (TOOL,), [other]) == (TOOL,)
    assert grown_tools(Unlock.APPEND, (TOOL,), [other]) == (TOOL, other)
    assert grown_tools(Unlock.REFERENCE, (deferred(TOOL),), [TOOL, other]) == (
        deferred(TOOL),
        deferred(other),
    )

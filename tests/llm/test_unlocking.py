"""The wire shape of additions and removals, held against the installed SDK's own types."""

import pytest
from anthropic.types import ToolParam, ToolResultBlockParam
from anthropic.types.beta import BetaRequestToolAdditionBlockParam, BetaRequestToolRemovalBlockParam
from pydantic import TypeAdapter

from bot.domain.json_types import JsonObject
from bot.domain.models import Unlock
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

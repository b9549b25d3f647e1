"""The wire shape of additions and removals, held against the installed SDK's own types."""

from anthropic.types.beta import BetaRequestToolAdditionBlockParam, BetaRequestToolRemovalBlockParam
from pydantic import TypeAdapter

from bot.domain.json_types import JsonObject
from bot.llm.unlocking import added_tool, removed_tool, render_note, tool_addition, tool_removal

TOOL: JsonObject = {"name": "echo", "description": "Say it again.", "input_schema": {"type": "object"}}


def test_blocks_are_what_the_sdk_declares():
    TypeAdapter(BetaRequestToolAdditionBlockParam).validate_python(tool_addition(TOOL))
    TypeAdapter(BetaRequestToolRemovalBlockParam).validate_python(tool_removal("echo"))


def test_what_was_added_or_removed_can_be_read_back():
    assert added_tool(tool_addition(TOOL)) == TOOL
    assert removed_tool(tool_removal("echo")) == "echo"
    for block in (render_note("x"), {"type": "tool_addition"}, {"type": "tool_removal", "tool": 3}):
        assert added_tool(block) is None
        assert removed_tool(block) is None

"""The wire forms in which found tools reach a model: inline, by reference, or by dispatcher.

See docs/rules.md#finding-tools.
"""

import json
from collections.abc import Sequence
from typing import Any, cast

from bot.domain.json_types import JsonObject, as_object, as_objects
from bot.domain.models import Unlock

INLINE_TOOLS_BETA = "inline-tools-2026-09-15"
CALL_TOOL = "call_tool"
"""The dispatcher of `Unlock.DISPATCH`: declared there in every request, and nowhere else."""


def tool_addition(declaration: JsonObject) -> JsonObject:
    """Declare a tool from here on: the prefix stays the same, and hidden tools stay unsent."""
    return {"type": "tool_addition", "tool": {"type": "tool_definition", "definition": declaration}}


def tool_removal(name: str) -> JsonObject:
    """Withdraw a tool from here on, whether `tools` or an earlier addition declared it."""
    return {"type": "tool_removal", "tool": {"type": "tool_reference", "name": name}}


def added_tool(block: JsonObject) -> JsonObject | None:
    """The declaration that a `tool_addition` by value carries; None for any other block."""
    if block.get("type") != "tool_addition":
        return None
    return as_object(as_object(block.get("tool")).get("definition")) or None


def removed_tool(block: JsonObject) -> str | None:
    """The name that a `tool_removal` withdraws; None for any other block."""
    if block.get("type") != "tool_removal":
        return None
    return str(as_object(block.get("tool")).get("name") or "") or None


# --- by reference ---


def deferred(declaration: JsonObject) -> JsonObject:
    """A declaration hidden from the model until a reference to it; not in the cached prefix."""
    return {**declaration, "defer_loading": True}


def tool_references(declarations: Sequence[JsonObject]) -> list[JsonObject]:
    """The whole content of an unlocking tool_result: the provider expands the definitions."""
    return [
        {"type": "tool_reference", "tool_name": declaration["name"]} for declaration in declarations
    ]


def referenced_tools(result: JsonObject) -> list[str]:
    """Names that a tool_result block refers to."""
    blocks = [
        block
        for block in as_objects(result.get("content"))
        if block.get("type") == "tool_reference"
    ]
    return [str(block.get("tool_name")) for block in blocks]


# --- through the dispatcher ---


def definitions_text(declarations: Sequence[JsonObject]) -> str:
    """Unlocked tools as text for a tool_result: their schemas, and calls through the dispatcher."""
    lines = [json.dumps(declaration, ensure_ascii=False) for declaration in declarations]
    return "\n".join([f"Unlocked; call each as {CALL_TOOL}(name, arguments):", *lines])


def dispatched(name: str, arguments: JsonObject) -> tuple[str, JsonObject]:
    """The call inside a dispatcher's call; itself if it names no other tool or has bad arguments.

    Small models write the arguments as a string of JSON, or leave them out; both are understood.
    """
    wanted, given = arguments.get("name"), arguments.get("arguments", {})
    if name != CALL_TOOL or not isinstance(wanted, str) or wanted in {"", CALL_TOOL}:
        return name, arguments
    if isinstance(given, str):
        given = _parsed(given)
    return (wanted, cast("JsonObject", given)) if isinstance(given, dict) else (name, arguments)


def through_dispatcher(
    content: Sequence[JsonObject], declared: Sequence[JsonObject]
) -> tuple[JsonObject, ...]:
    """Reply blocks as a model with the dispatcher writes them: calls of undeclared tools use it."""
    known = {tool.get("name") for tool in declared}
    if CALL_TOOL not in known:
        return tuple(content)
    return tuple(
        {**block, "name": CALL_TOOL, "input": {"name": block["name"], "arguments": block["input"]}}
        if block.get("type") == "tool_use" and block["name"] not in known
        else block
        for block in content
    )


def _parsed(text: str) -> Any:
    try:
        return json.loads(text or "{}")
    except ValueError:
        return None


# --- in the request's tools ---


def grown_tools(
    unlock: Unlock, tools: tuple[JsonObject, ...], declarations: Sequence[JsonObject]
) -> tuple[JsonObject, ...]:
    """The request's `tools` after an unlock: they grow at their end.

    In append mode the model sees the new ones at once. By reference, only tools that are newer than
    the epoch are added, deferred and outside the cached prefix.
    """
    match unlock:
        case Unlock.INLINE | Unlock.DISPATCH:
            return tools
        case Unlock.APPEND:
            return (*tools, *declarations)
        case Unlock.REFERENCE:
            known = {tool.get("name") for tool in tools}
            return (*tools, *(deferred(item) for item in declarations if item["name"] not in known))

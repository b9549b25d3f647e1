"""The blocks of a system message that add and withdraw tools in mid-conversation (research: anthropic §3, §7)."""

from bot.domain.json_types import JsonObject
from bot.llm.blocks import as_object

INLINE_TOOLS_BETA = "inline-tools-2026-09-15"


def tool_addition(declaration: JsonObject) -> JsonObject:
    """Offer a tool from here on, by value: the prefix doesn't change and hidden tools are never sent."""
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


def render_note(text: str) -> JsonObject:
    """An operator note as a block of a system message. Never put text of others into it: it has operator authority."""
    return {"type": "text", "text": text}

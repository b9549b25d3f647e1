"""Reads messages and blocks from outside; values of another shape count as empty."""

from bot.domain.json_types import JsonObject, as_objects


def blocks_of(holder: JsonObject | None) -> list[JsonObject]:
    """The `content` of a message or tool_result as blocks, whichever of its two forms it has."""
    content = (holder or {}).get("content")
    return [{"type": "text", "text": content}] if isinstance(content, str) else as_objects(content)

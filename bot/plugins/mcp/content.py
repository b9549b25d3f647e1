"""Converts an MCP call's result to text and pictures, with a sentence about everything else."""

import json
from collections.abc import Sequence
from typing import Any, cast

from bot.plugin.tool_servers import ERROR, ToolDefinition, picture_name
from bot.plugin.tools import JsonObject, Origin, ToolResult, Trust
from bot.plugins.mcp.remote import RemoteResult

PICTURES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
"""The image types that the Messages API accepts."""
MAX_PICTURES = 10
MAX_PICTURE_CHARS = 5_000_000
"""The size of one picture, as base64; the API refuses larger ones."""


def result_of(definition: ToolDefinition, result: RemoteResult) -> ToolResult:
    """The result for the model.

    Everything in it comes from the server, so its origin is external.
    """
    texts: list[str] = []
    pictures: list[JsonObject] = []
    for block in result.content:
        picture = _picture(block) if len(pictures) < MAX_PICTURES else None
        if picture is not None:
            pictures.append(picture)
        elif text := _text(block):
            texts.append(text)
    if result.structured is not None and not _told(result.structured, texts):
        texts.append(json.dumps(result.structured, ensure_ascii=False))
    texts += [_declined(question) for question in result.declined]
    text = "\n".join(texts)
    if pictures:
        text = "\n".join(part for part in (text, _shown(pictures)) if part)
    return ToolResult(
        f"{ERROR}{text or 'the tool failed without saying why'}" if result.is_error else text,
        is_error=result.is_error,
        origin=Origin(Trust.EXTERNAL, f"tool:{definition.name}"),
        blocks=tuple(pictures),
    )


def _shown(pictures: Sequence[JsonObject]) -> str:
    """Who sees the pictures, and how the person comes to see them."""
    what = "The picture is" if len(pictures) == 1 else f"The {len(pictures)} pictures are"
    names = ", ".join(map(picture_name, pictures))
    return f"[{what} shown to you alone; send posts it here with the file {names}.]"


def _picture(block: JsonObject) -> JsonObject | None:
    """An image as an image block; None if it is no image or of a type that no model accepts."""
    data, kind = block.get("data"), block.get("mimeType")
    if block.get("type") == "resource":
        resource: Any = block.get("resource") or {}
        data, kind = resource.get("blob"), resource.get("mimeType")
    elif block.get("type") != "image":
        return None
    if kind not in PICTURES or not isinstance(data, str) or not 0 < len(data) <= MAX_PICTURE_CHARS:
        return None
    return {"type": "image", "source": {"type": "base64", "media_type": kind, "data": data}}


def _text(block: JsonObject) -> str:
    match block.get("type"):
        case "text":
            return str(block.get("text", ""))
        case "image" | "audio" as kind:
            return (
                f"[{kind}, {block.get('mimeType', 'unknown type')}, {_size(block.get('data'))}; "
                "not shown]"
            )
        case "resource_link":
            return _link(block)
        case "resource":
            return _embedded(block.get("resource") or {})
        case other:
            return f"[content of an unknown kind: {str(other)[:40]}]"


def _link(block: JsonObject) -> str:
    said = [
        f"resource {block.get('name') or block.get('title') or ''}".strip(),
        str(block.get("uri", "")),
    ]
    said += [str(block[field]) for field in ("mimeType", "description") if block.get(field)]
    return f"[{', '.join(said)}]"


def _embedded(resource: JsonObject) -> str:
    about = ", ".join(str(resource[field]) for field in ("uri", "mimeType") if resource.get(field))
    if isinstance(text := resource.get("text"), str):
        return f"[resource {about}]\n{text}"
    return f"[resource {about}, {_size(resource.get('blob'))}; not shown]"


def _size(data: Any) -> str:
    return f"{len(data) * 3 // 4:,} bytes" if isinstance(data, str) else "no data"


def _told(structured: Any, texts: list[str]) -> bool:
    """Whether the texts repeat the structured content, as servers do for older clients."""
    values: list[Any] = [structured]
    if (
        isinstance(structured, dict)
        and "result" in structured
        and len(cast("JsonObject", structured)) == 1
    ):
        values.append(structured["result"])
    return any(_same(text, value) for text in texts for value in values)


def _same(text: str, value: Any) -> bool:
    if text == value:
        return True
    try:
        return json.loads(text) == value
    except ValueError:
        return False


def _declined(question: str) -> str:
    return (
        f"[While it worked the server asked: {' '.join(question.split())[:500]!r}. Such questions "
        "can't be passed on, so it was told no. If the answer matters, ask the person yourself "
        "and call the tool with it.]"
    )

"""Blocks of a conversation in the forms that every server of the Messages API takes.

Texts, calls and results stay; operator notes and what else a dialect has become text.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from bot.domain.json_types import JsonObject, as_object, as_objects
from bot.domain.sessions import PICTURES, text_block, without_pictures
from bot.llm.blocks import blocks_of

NOTHING = "(nothing that can be shown)"
REFUSED = "the model refused it"


def append(found: list[JsonObject], role: str, said: list[JsonObject]) -> None:
    """Add to the last message of the same role: servers want the roles in turn."""
    if found and found[-1]["role"] == role:
        found[-1]["content"] += said
    else:
        # An answer without a word would leave two messages of a person in a row.
        found.append({"role": role, "content": said or [text_block(NOTHING)]})


def undeferred(tool: JsonObject) -> JsonObject:
    return {key: value for key, value in tool.items() if key != "defer_loading"}


def plain(role: str, block: JsonObject, *, pictures: bool = False) -> list[JsonObject]:
    """What stands for a block; empty where nothing does. `pictures`: they stay as they are."""
    match block.get("type"):
        case "text":
            text = str(block.get("text") or "")
            if role == "system":
                text = f"<system-note>\n{text}\n</system-note>"
            return [text_block(text)] if text.strip() else []
        case "tool_use":
            kept = ("type", "id", "name", "input")
            return [{key: block[key] for key in kept if key in block}]
        case "tool_result":
            kept = _pictures_of(block) if pictures else []
            text = result_text(block, pictures=pictures) or ("" if kept else NOTHING)
            result: JsonObject = {
                "type": "tool_result",
                "tool_use_id": block.get("tool_use_id"),
                "content": [*([text_block(text)] if text else []), *kept],
            }
            return [{**result, "is_error": True} if block.get("is_error") else result]
        case kind if pictures and kind in PICTURES:
            return [block]
        case _:
            told = line(role, block)
            return [text_block(told)] if told else []


def line(role: str, block: JsonObject) -> str:
    """What stands for another block of a person or tool; the model's own are left out."""
    kind = str(block.get("type"))
    if kind in PICTURES:
        return str(without_pictures(block, REFUSED).get("text"))
    if role != "user":
        return ""
    text = "\n".join(_texts(block))
    return text or f"[a {kind} block, not shown: {REFUSED}]"


def result_text(block: JsonObject, *, pictures: bool = False) -> str:
    """The words of a tool's result; `pictures`: they are shown beside it."""
    return "\n".join(
        str(part.get("text") or "")
        if part.get("type") == "text"
        else f"(unlocked: {part.get('tool_name')})"
        if part.get("type") == "tool_reference"
        else line("user", part)
        for part in blocks_of(block)
        if not (pictures and part.get("type") in PICTURES)
    ).strip()


def _pictures_of(block: JsonObject) -> list[JsonObject]:
    return [part for part in blocks_of(block) if part.get("type") in PICTURES]


def _texts(value: Any) -> Iterable[str]:
    """The texts within a block of any kind, such as those of a search result."""
    block: Mapping[str, Any] = as_object(value)
    if isinstance(block.get("text"), str):
        yield str(block["text"])
    for part in as_objects(block.get("content")):
        yield from _texts(part)

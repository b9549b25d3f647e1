"""A conversation in plainer and plainer forms, for models that refuse a part of it.

A request holds what a session stored. Some servers refuse a picture, a kind of block or an old
block of their own, and would do so in each later request. So the same conversation can be told
without pictures, then with the plainest blocks alone, then in words, then as the newest turn alone.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from bot.domain.json_types import JsonObject
from bot.domain.sessions import PICTURES, TranscriptMessage, text_block, without_pictures
from bot.llm.blocks import as_object, as_objects, blocks_of
from bot.llm.unlocking import added_tool, removed_tool

ARGUMENT_CHARS = 2_000
NOTHING = "(nothing that can be shown)"


class Plainness(IntEnum):
    """How much of its form a conversation keeps."""

    WHOLE = 0
    NO_PICTURES = 1
    """A line stands for each picture and document."""
    PLAIN_BLOCKS = 2
    """Texts, calls and results alone; operator notes and unlocked tools stand where all servers
    know them.
    """
    WORDS = 3
    """One text for each message, in which calls and results are told."""
    NEWEST = 4
    """The running turn alone, in words."""


@dataclass(frozen=True)
class ToldPlainly:
    """The messages and tools of a request in one of these forms."""

    messages: tuple[JsonObject, ...]
    tools: tuple[JsonObject, ...]


REFUSED = "the model refused it"


def told(
    history: Sequence[TranscriptMessage],
    tools: tuple[JsonObject, ...],
    plainness: Plainness,
    turn_from: int,
) -> ToldPlainly:
    """A history from `PLAIN_BLOCKS` on; `turn_from`: where the running turn begins."""
    known = {str(tool.get("name")): _undeferred(tool) for tool in tools}
    for message in history:
        for stored in message.blocks:
            if (declared := added_tool(stored.block)) is not None:
                known[str(declared.get("name"))] = declared
            elif (gone := removed_tool(stored.block)) is not None:
                known.pop(gone, None)
    if plainness is Plainness.NEWEST:
        history = history[turn_from:] or history[-1:]
    names: dict[str, str] = {}
    found: list[JsonObject] = []
    for message in history:
        blocks = [stored.block for stored in message.blocks]
        if plainness is Plainness.PLAIN_BLOCKS:
            said = [one for block in blocks for one in _plain(message.role, block)]
        else:
            words = [_words(message.role, block, names) for block in blocks]
            said = [text_block("\n".join(filter(None, words)))] if any(words) else []
        _append(found, "assistant" if message.role == "assistant" else "user", said)
    if found and found[0]["role"] == "assistant":
        found.insert(0, {"role": "user", "content": [text_block(NOTHING)]})
    return ToldPlainly(tuple(found), tuple(known.values()))


def _append(found: list[JsonObject], role: str, said: list[JsonObject]) -> None:
    """Add to the last message of the same role: servers want the roles in turn."""
    if found and found[-1]["role"] == role:
        found[-1]["content"] += said
    else:
        # An answer without a word would leave two messages of a person in a row.
        found.append({"role": role, "content": said or [text_block(NOTHING)]})


def _undeferred(tool: JsonObject) -> JsonObject:
    return {key: value for key, value in tool.items() if key != "defer_loading"}


def _plain(role: str, block: JsonObject) -> list[JsonObject]:
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
            text = _result(block) or NOTHING
            plain: JsonObject = {
                "type": "tool_result",
                "tool_use_id": block.get("tool_use_id"),
                "content": [text_block(text)],
            }
            return [{**plain, "is_error": True} if block.get("is_error") else plain]
        case _:
            line = _line(role, block)
            return [text_block(line)] if line else []


def _words(role: str, block: JsonObject, names: dict[str, str]) -> str:
    match block.get("type"):
        case "text":
            return "\n".join(str(one.get("text") or "") for one in _plain(role, block))
        case "tool_use":
            name = names[str(block.get("id"))] = str(block.get("name"))
            given = json.dumps(block.get("input"), ensure_ascii=False)[:ARGUMENT_CHARS]
            return f"(I called {name} with {given})"
        case "tool_result":
            name = names.get(str(block.get("tool_use_id")), "a tool")
            return f"(result of {name}: {_result(block) or NOTHING})"
        case _:
            return _line(role, block)


def _line(role: str, block: JsonObject) -> str:
    """What stands for another block of a person or tool; the model's own are left out."""
    kind = str(block.get("type"))
    if kind in PICTURES:
        return str(without_pictures(block, REFUSED).get("text"))
    if role != "user":
        return ""
    text = "\n".join(_texts(block))
    return text or f"[a {kind} block, not shown: {REFUSED}]"


def _result(block: JsonObject) -> str:
    return "\n".join(
        str(part.get("text") or "")
        if part.get("type") == "text"
        else f"(unlocked: {part.get('tool_name')})"
        if part.get("type") == "tool_reference"
        else _line("user", part)
        for part in blocks_of(block)
    ).strip()


def _texts(value: Any) -> Iterable[str]:
    """The texts within a block of any kind, such as those of a search result."""
    block: Mapping[str, Any] = as_object(value)
    if isinstance(block.get("text"), str):
        yield str(block["text"])
    for part in as_objects(block.get("content")):
        yield from _texts(part)

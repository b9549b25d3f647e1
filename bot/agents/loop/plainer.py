"""A conversation in plainer and plainer forms, for models that refuse a part of it.

A request holds what a session stored. Some servers refuse a picture, a kind of block or an old
block of their own, and would do so in each later request. So the same conversation can be told
without pictures, then with the plainest blocks alone, then in words, then as the newest turn alone.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from bot.domain.json_types import JsonObject
from bot.domain.sessions import TranscriptMessage, text_block
from bot.llm.plain_blocks import NOTHING, append, line, plain, result_text, undeferred
from bot.llm.unlocking import added_tool, removed_tool

ARGUMENT_CHARS = 2_000


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


def told(
    history: Sequence[TranscriptMessage],
    tools: tuple[JsonObject, ...],
    plainness: Plainness,
    turn_from: int,
) -> ToldPlainly:
    """A history from `PLAIN_BLOCKS` on; `turn_from`: where the running turn begins."""
    known = {str(tool.get("name")): undeferred(tool) for tool in tools}
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
            said = [one for block in blocks for one in plain(message.role, block)]
        else:
            words = [_words(message.role, block, names) for block in blocks]
            said = [text_block("\n".join(filter(None, words)))] if any(words) else []
        append(found, "assistant" if message.role == "assistant" else "user", said)
    if found and found[0]["role"] == "assistant":
        found.insert(0, {"role": "user", "content": [text_block(NOTHING)]})
    return ToldPlainly(tuple(found), tuple(known.values()))


def _words(role: str, block: JsonObject, names: dict[str, str]) -> str:
    match block.get("type"):
        case "text":
            return "\n".join(str(one.get("text") or "") for one in plain(role, block))
        case "tool_use":
            name = names[str(block.get("id"))] = str(block.get("name"))
            given = json.dumps(block.get("input"), ensure_ascii=False)[:ARGUMENT_CHARS]
            return f"(I called {name} with {given})"
        case "tool_result":
            name = names.get(str(block.get("tool_use_id")), "a tool")
            return f"(result of {name}: {result_text(block) or NOTHING})"
        case _:
            return line(role, block)

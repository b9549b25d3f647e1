"""A request for one model, made again for another that knows less, and its reply for the first.

A session keeps what its own model was sent: system notes, inline or deferred tools, thinking with
signatures. None of it means anything to another provider. So the other one gets texts, calls,
results and pictures, with all found tools in `tools`; and of its reply only what the first
understands is kept.
"""

import string
from dataclasses import replace
from hashlib import sha256

from bot.domain.json_types import JsonObject
from bot.domain.models import ModelReply, ModelRequest
from bot.domain.sessions import count_chars, pictures_in, text_block, without_pictures
from bot.llm.blocks import blocks_of
from bot.llm.plain_blocks import append, plain, undeferred
from bot.llm.unlocking import added_tool, referenced_tools, removed_tool

CHARS_PER_TOKEN = 3
GO_ON = "(go on)"
BLIND = "the model that answers meanwhile is sent no pictures"
LEFT_OUT = "(Earlier messages are left out: the model that answers meanwhile reads less at once.)"
_DECLARED = ("name", "description", "input_schema")
_LETTERS = frozenset(string.ascii_letters + string.digits + "_-")
_LONGEST = 64
"""What the Messages API takes as a name, and as the id of a call."""


def remade(request: ModelRequest, context_tokens: int, *, pictures: bool) -> ModelRequest:
    """The request in blocks that every server takes, within this window as far as that can be."""
    found: list[JsonObject] = []
    for message in request.messages:
        role = str(message["role"])
        said = [one for block in blocks_of(message) for one in plain(role, block, pictures=True)]
        if not pictures:
            said = [without_pictures(block, BLIND) for block in said]
        append(found, "assistant" if role == "assistant" else "user", said)
    if found and found[-1]["role"] == "assistant":  # only its own API goes on with a reply
        found.append({"role": "user", "content": [text_block(GO_ON)]})
    tools = _tools(request)
    room = (context_tokens - min(request.max_tokens, context_tokens // 2)) * CHARS_PER_TOKEN
    found = _newest(found, room - count_chars(request.system) - count_chars(tools))
    shown = any(True for one in found for block in blocks_of(one) for _ in pictures_in(block))
    return replace(request, tools=tools, messages=tuple(found), pictures=shown)


def _tools(request: ModelRequest) -> tuple[JsonObject, ...]:
    """What the model may call by now. What is deferred and not found yet stays hidden."""
    declared = {str(tool.get("name")): tool for tool in request.tools}
    known = {name: tool for name, tool in declared.items() if not tool.get("defer_loading")}
    for message in request.messages:
        for block in blocks_of(message):
            if (added := added_tool(block)) is not None:
                known[str(added.get("name"))] = added
            elif (gone := removed_tool(block)) is not None:
                known.pop(gone, None)
            for name in referenced_tools(block):
                if name in declared:
                    known[name] = declared[name]
    return tuple(
        {key: tool[key] for key in _DECLARED if key in tool}
        for tool in map(undeferred, known.values())
        if "input_schema" in tool
    )


def _newest(messages: list[JsonObject], chars: int) -> list[JsonObject]:
    """The messages from the first turn on from which they fit; at least the running turn."""
    sizes = [count_chars(message["content"]) for message in messages]
    turns = [number for number, message in enumerate(messages) if _begins_turn(message)]
    if sum(sizes) <= chars or not turns:
        return messages
    begins = next((number for number in turns if sum(sizes[number:]) <= chars), turns[-1])
    if not begins:
        return messages
    first = messages[begins]
    told = {**first, "content": [text_block(LEFT_OUT), *first["content"]]}
    return [told, *messages[begins + 1 :]]


def _begins_turn(message: JsonObject) -> bool:
    return message["role"] == "user" and not any(
        block.get("type") == "tool_result" for block in blocks_of(message)
    )


def understood(reply: ModelReply, asked: ModelRequest, name: str) -> ModelReply:
    """The reply of another model as the first may be sent it later: texts, and calls it can name.

    Thinking is left out: the first would check signatures that are not its own.
    """
    taken = {
        str(block.get("id"))
        for message in asked.messages
        for block in blocks_of(message)
        if block.get("type") == "tool_use"
    }
    content: list[JsonObject] = []
    for number, block in enumerate(reply.content):
        match block.get("type"):
            case "text":
                content.append(text_block(str(block.get("text") or "")))
            case "tool_use":
                call = _call(block, taken, f"{len(asked.messages)}.{number}")
                taken.add(str(call["id"]))
                content.append(call)
            case _:
                continue
    return replace(reply, content=tuple(content), answered_by=name)


def _call(block: JsonObject, taken: set[str], place: str) -> JsonObject:
    called, given = str(block.get("id")), str(block.get("name"))
    if called in taken or not _valid(called):
        called = f"toolu_{sha256(f'{place}/{called}'.encode()).hexdigest()[:24]}"
    if not _valid(given):  # no tool has such a name, and the history must stay valid
        given = "".join(one if one in _LETTERS else "_" for one in given)[:_LONGEST] or "unnamed"
    return {"type": "tool_use", "id": called, "name": given, "input": block.get("input")}


def _valid(name: str) -> bool:
    return 0 < len(name) <= _LONGEST and _LETTERS.issuperset(name)

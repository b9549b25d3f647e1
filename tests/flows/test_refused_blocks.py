"""No conversation is locked by its history: kinds of blocks x places x the errors of servers."""

import base64
import json
from pathlib import Path
from typing import Any, cast

import pytest

from bot.domain.database import Unit, Write
from bot.domain.json_types import JsonObject
from bot.domain.messages import Attachment
from bot.domain.models import ModelReply, Unlock
from bot.domain.origins import BELLHOP
from bot.domain.sessions import StoredBlock, TranscriptMessage, text_block
from bot.loopback.messages_api import MessagesApi
from bot.loopback.messages_api.faults import ErrorStatus, StreamError
from bot.loopback.messages_api.history_rules import structure_problem
from bot.sessions.records.transcript_store import append_write
from bot.testing.fake_chat import FakeChat
from bot.testing.harness import Harness, running_app
from bot.testing.scripted_model import say
from bot.testing.slack_house import HurriedClock
from tests.thoroughness import is_thorough

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJg"
    "gg=="
)
PICTURE: JsonObject = {
    "type": "image",
    "source": {
        "type": "base64",
        "media_type": "image/png",
        "data": base64.b64encode(PNG).decode(),
    },
}
DOCUMENT: JsonObject = {
    "type": "document",
    "source": {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0="},
}
ERRORS = {
    "messages API, kind": ErrorStatus(
        400,
        "invalid_request_error",
        "messages.1.content.0: Input tag 'x' found using 'type' does not match any of the expected"
        " tags: 'text', 'tool_use'",
    ),
    "messages API, picture": ErrorStatus(400, "invalid_request_error", "Could not process image"),
    "messages API, in the stream": StreamError("invalid_request_error", "not allowed here"),
    "messages API, size": ErrorStatus(413, "request_too_large", "Request exceeds the maximum size"),
    "Ollama": ErrorStatus(400, "api_error", "this model does not support image input (ref: b8b)"),
    "Ollama, runner": ErrorStatus(
        500, "api_error", "this model is missing data required for image input"
    ),
    "llama.cpp": ErrorStatus(
        500, "server_error", "image input is not supported - hint: you may need the mmproj"
    ),
    "vLLM": ErrorStatus(400, "BadRequestError", "qwen3-8b is not a multimodal model"),
    "vLLM, form": ErrorStatus(
        422,
        "Unprocessable",
        "[{'loc': ('body', 'messages', 0), 'msg': \"Input should be 'text'\"}]",
    ),
    "LiteLLM": ErrorStatus(
        400, "None", "litellm.BadRequestError: image_url is only supported by certain models."
    ),
    "LiteLLM, inner": ErrorStatus(
        500, "None", "litellm.InternalServerError: 'NoneType' object has no attribute 'get'"
    ),
}
USER: dict[str, list[JsonObject]] = {
    "image": [PICTURE],
    "document": [DOCUMENT],
    "search_result": [{"type": "search_result", "source": "s", "content": [text_block("found")]}],
    "hologram": [{"type": "hologram", "data": 7}],
}
OWN: dict[str, list[JsonObject]] = {
    "thinking": [{"type": "thinking", "thinking": "hm", "signature": "s"}],
    "redacted_thinking": [{"type": "redacted_thinking", "data": "x"}],
    "server_tool_use": [{"type": "server_tool_use", "id": "s", "name": "w", "input": {}}],
    "web_search_tool_result": [
        {"type": "web_search_tool_result", "tool_use_id": "s", "content": []}
    ],
}
IN_RESULT: dict[str, list[JsonObject]] = {
    "image": [PICTURE],
    "document": [DOCUMENT],
    "search_result": USER["search_result"],
    "tool_reference": [{"type": "tool_reference", "tool_name": "search"}],
}
DIG = {"name": "dig", "description": "Dig.", "input_schema": {"type": "object"}}
ADDED = {"type": "tool_definition", "definition": DIG}
_SHARES = 3


def cases() -> list[tuple[str, str]]:
    """A kind of block and where it stands."""
    found = [(kind, place) for kind in USER for place in ("before", "after")]
    found += [(kind, "result") for kind in IN_RESULT] + [(kind, "answer") for kind in OWN]
    return [*found, ("tool_addition", "note"), ("tool_use", "call"), ("tool_result", "call")]


def earlier_turn(kind: str, place: str) -> list[TranscriptMessage]:
    said, answered = [text_block("look")], [text_block("seen")]
    found: list[tuple[Any, list[JsonObject]]] = []
    match place:
        case "before":
            said = [*USER[kind], *said]
        case "after":
            said = [*said, *USER[kind]]
        case "answer":
            answered = [*OWN[kind], *answered]
        case "note":
            found.append(("system", [{"type": "tool_addition", "tool": ADDED}]))
        case _:
            use = {"type": "tool_use", "id": "toolu_1", "name": "search", "input": {"query": "x"}}
            content = IN_RESULT[kind] if place == "result" else [text_block("nothing")]
            result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": content}
            found += [("assistant", [use]), ("user", [result])]
    turn: list[tuple[Any, list[JsonObject]]] = [("user", said), *found, ("assistant", answered)]
    return [
        TranscriptMessage(role, tuple(StoredBlock(block, BELLHOP) for block in blocks))
        for role, blocks in turn
    ]


async def put(house: Harness, who: str, messages: list[TranscriptMessage]) -> None:
    """Add an earlier turn to the end of a person's session."""
    (row,) = await house.rows(
        "SELECT id, epoch, next_seq FROM sessions WHERE session_key LIKE ?", (f"%{who}%",)
    )
    grown = Write(
        "UPDATE sessions SET next_seq = next_seq + ? WHERE id = ?", (len(messages), row["id"])
    )
    added = append_write(row["id"], row["epoch"], row["next_seq"], 0, messages)
    await house.app.database.write(Unit.of(added, grown))


def kinds(value: Any) -> set[str]:
    if isinstance(value, dict):
        block = cast("JsonObject", value)
        own = {str(block["type"])} if "type" in block else set[str]()
        return own.union(*(kinds(part) for key, part in block.items() if key != "input_schema"))
    parts = cast("list[Any]", value) if isinstance(value, list) else []
    return set[str]().union(*map(kinds, parts))


class Refusing:
    """A server that refuses the kind of block that stands in the newest words of the person."""

    def __init__(self, error: ErrorStatus | StreamError) -> None:
        self.error = error
        self.refused = ""
        self.count = 0
        self.malformed: list[str] = []

    def answer(self, body: JsonObject) -> ModelReply | ErrorStatus | StreamError:
        self.count += 1
        if self.refused and self.refused in kinds(body["messages"]):
            return self.error
        if self.refused and (problem := structure_problem(body["messages"], system_notes=True)):
            self.malformed.append(problem)
        return say("<summary>" + "They looked at something together. " * 12 + "</summary>")


def configure(home: Path, url: str, unlock: Unlock, images: str = "on") -> None:
    notes = str(unlock is Unlock.INLINE).lower()
    (home / ".env").write_text("ANTHROPIC_API_KEY=sk-ant-test-0000000000000000\n")
    (home / "bellhop.yaml").write_text(
        f"model: {{provider: anthropic, base_url: '{url}', unlock: {unlock}, system_notes: {notes},"
        f" images: {images}}}\n"
    )


@pytest.mark.thorough
@pytest.mark.parametrize("unlock", [Unlock.INLINE, Unlock.APPEND])
@pytest.mark.parametrize("name", ERRORS)
async def test_no_refusal_locks_a_conversation(home: Path, name: str, unlock: Unlock):
    server, locked = Refusing(ERRORS[name]), list[tuple[str, str]]()
    share = list(ERRORS).index(name) % _SHARES  # by default each error meets a third of the blocks
    async with MessagesApi(respond=server.answer, strict=False) as api:
        configure(home, api.base_url, unlock)
        async with running_app(home, None, FakeChat(), clock=HurriedClock()) as house:
            for number, (kind, place) in enumerate(cases()):
                if number % _SHARES != share and not is_thorough():
                    continue
                if kind == "tool_addition" and unlock is not Unlock.INLINE:
                    continue
                who = f"person{number:02}"
                server.refused = ""
                await house.ask_own(who, "hello")
                await house.until_idle()
                await put(house, who, earlier_turn(kind, place))
                server.refused = kind
                for words in ("and now?", "and then?"):
                    text = await house.ask_own(who, words)
                    await house.until_idle()
                    if "They looked" not in text:
                        locked.append((kind, place))
    assert locked == []
    assert server.malformed == []


@pytest.mark.parametrize("name", ERRORS)
async def test_a_new_picture_costs_one_more_try_and_is_told_once(home: Path, name: str):
    server, chat = Refusing(ERRORS[name]), FakeChat()
    server.refused = "image"
    chat.files["cat"] = PNG
    cat = Attachment("cat", "cat.png", "image/png", len(PNG))
    async with MessagesApi(respond=server.answer, strict=False) as api:
        configure(home, api.base_url, Unlock.INLINE, "auto")
        async with running_app(home, None, chat, clock=HurriedClock()) as house:
            told = await house.ask("ann", "what is this?", attachments=(cat,))
            tries = server.count
            assert "They looked" in told
            assert "model" in told.partition("</summary>")[2]
            second = await house.ask("ann", "and what else?")
            assert (server.count, second.partition("</summary>")[2]) == (tries + 1, "")
            plain = ERRORS[name]
            silent = "image" not in plain.message and getattr(plain, "status", 0) == 500
            assert tries == (4 if silent else 2)
            rows = await house.rows("SELECT key FROM home_values WHERE name = 'refused content'")
            assert len(rows) == 1
    sent = [json.dumps(request.body["messages"]) for request in api.requests]
    assert "is not shown here" in sent[-1]

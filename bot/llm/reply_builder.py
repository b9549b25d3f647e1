"""Builds a reply from its stream events: blocks in order, unknown types and fields included."""

import json
from typing import Any, NoReturn

from bot.domain.json_types import JsonObject, as_object
from bot.domain.models import DeltaText, DeltaThinking, ModelDelta, ModelReply, Usage
from bot.llm.sse import ServerEvent

MOST_TOKENS = 10**9
"""More tokens than any reply has; larger counts are capped, so that sums can be stored."""
_NEED_DATA = {"message_start", "content_block_start", "content_block_delta", "message_delta"}
_USAGE = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens", "output_tokens")


class StreamNonsense(ValueError):
    """A stream that breaks the Messages API."""


class StreamRefused(Exception):
    """The server ended its stream with an `error` event."""

    def __init__(self, error_type: str | None, message: str) -> None:
        super().__init__(message)
        self.error_type = error_type
        self.message = message


def _no_number(name: str) -> NoReturn:
    raise StreamNonsense(f"{name} is no JSON")


_JSON = json.JSONDecoder(parse_constant=_no_number)
"""Made once: `json.loads` with this option makes a new decoder for each event."""


class ReplyBuilder:
    """Takes the events of one stream in order, then gives the reply."""

    def __init__(self) -> None:
        self._message: JsonObject | None = None
        self._blocks: dict[int, JsonObject] = {}
        self._pieces: dict[tuple[int, str], list[str]] = {}
        """What deltas add, by index and field: joined at the end, as a long text has many."""
        self._stop_reason: str | None = None
        self._usage: JsonObject = {}

    @property
    def whole(self) -> bool:
        """Whether the reply is complete: it has a stop reason."""
        return self._stop_reason is not None

    @property
    def begun(self) -> bool:
        return self._message is not None

    def add(self, event: ServerEvent) -> ModelDelta | None:
        """Add an event; returns the text that a person may see.

        Raises StreamRefused, StreamNonsense, ValueError, KeyError.
        """
        if event.name == "error":
            raise _refused(event.data)
        if event.name == "ping" or not event.data:
            if event.name in _NEED_DATA:
                raise StreamNonsense(f"{event.name} came without data")
            return None
        data = as_object(_JSON.decode(event.data))
        kind = data.get("type")
        if kind == "message_start":
            self._begin(as_object(data.get("message")))
        elif self._message is None:
            raise StreamNonsense(f"{kind} came before message_start")
        elif kind == "content_block_delta":
            return self._grow(data["index"], as_object(data["delta"]))
        elif kind == "content_block_start":
            self._blocks[data["index"]] = dict(as_object(data["content_block"]))
        elif kind == "message_delta":
            self._stop_reason = as_object(data.get("delta")).get("stop_reason")
            self._count(data.get("usage"))
        return None

    def add_whole(self, body: bytes) -> list[ModelDelta]:
        """Take a message that came in one piece, not as a stream. Raises like `add`."""
        message = as_object(json.loads(body, parse_constant=_no_number))
        if message.get("type") == "error":
            raise _refused(body.decode(errors="replace"))
        blocks = [dict(as_object(block)) for block in message["content"]]
        self._message, self._blocks = message, dict(enumerate(blocks))
        self._stop_reason = message["stop_reason"]
        self._count(message.get("usage"))
        return [DeltaText(text) for block in blocks if (text := block.get("text"))]

    def reply(self, request_id: str | None, attempts: int) -> ModelReply:
        """The reply, once it is `whole`.

        Raises StreamNonsense when the input of a tool call is not JSON.
        """
        for (index, field), pieces in self._pieces.items():
            block, added = self._blocks[index], "".join(pieces)
            if field == "partial_json":
                block["input"] = self._input(added)
            else:
                block[field] = (block.get(field) or "") + added
        self._pieces.clear()
        model = self._message.get("model") if self._message else None
        counted = {
            name: _bounded(value) for name, value in self._usage.items() if isinstance(value, int)
        }
        return ModelReply(
            content=tuple(self._blocks.values()),
            stop_reason=str(self._stop_reason),
            usage=Usage(*(counted.get(name, 0) for name in _USAGE)),
            model=str(model),
            request_id=request_id,
            attempts=attempts,
        )

    def _begin(self, message: JsonObject) -> None:
        if self._message is not None:  # a proxy that tried again within the stream
            raise StreamNonsense("the message began twice")
        self._message = message
        self._count(message.get("usage"))

    def _grow(self, index: int, delta: JsonObject) -> ModelDelta | None:
        block = self._blocks[index]
        match delta.get("type"):
            case "text_delta":
                text = self._add(index, "text", delta)
                return DeltaText(text) if text else None
            case "thinking_delta":
                thinking = self._add(index, "thinking", delta)
                return DeltaThinking(thinking) if thinking else None
            case "input_json_delta":
                self._add(index, "partial_json", delta)
            case "signature_delta":
                block["signature"] = delta["signature"]
            case "citations_delta":
                block["citations"] = [*(block.get("citations") or []), delta["citation"]]
            case _:  # a kind of delta that is newer than this program
                pass
        return None

    def _add(self, index: int, field: str, delta: JsonObject) -> str:
        piece = delta[field]
        if not isinstance(piece, str):
            raise StreamNonsense(f"{field} is no text")
        self._pieces.setdefault((index, field), []).append(piece)
        return piece

    def _count(self, usage: Any) -> None:
        """Update the counts: they are totals, and a later event may leave some out."""
        self._usage.update(
            {name: value for name, value in as_object(usage).items() if value is not None}
        )

    def _input(self, written: str) -> JsonObject:
        try:
            return _JSON.decode(written or "{}")
        except ValueError as error:
            if self._stop_reason == "tool_use":
                raise StreamNonsense(f"the input of a tool call is no JSON: {error}") from None
            return {}  # cut off by a limit: such a call is never run


def _bounded(tokens: int) -> int:
    return min(max(tokens, 0), MOST_TOKENS)


def _refused(data: str) -> StreamRefused:
    try:
        error = as_object(as_object(json.loads(data)).get("error"))
    except ValueError:
        error = {}
    kind, message = error.get("type"), error.get("message")
    return StreamRefused(str(kind) if kind else None, str(message or data or "no reason given"))

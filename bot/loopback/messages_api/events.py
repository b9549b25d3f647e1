"""A message as the server-sent events of the Messages API."""

import json
import re
from collections.abc import Iterator

from bot.plugin.models import JsonObject, as_object

_WORD = re.compile(r"\s*\S+|\s+\Z")


def stream_events(message: JsonObject) -> Iterator[JsonObject]:
    """Every event of `message`: text by word, tool input in pieces, unknown block types whole."""
    usage = as_object(message.get("usage"))
    yield {
        "type": "message_start",
        "message": {
            **message,
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": {**usage, "output_tokens": 1},
        },
    }
    for index, block in enumerate(message["content"]):
        yield from _block_events(index, block)
    yield {
        "type": "message_delta",
        "delta": {
            "stop_reason": message.get("stop_reason"),
            "stop_sequence": message.get("stop_sequence"),
        },
        "usage": {"output_tokens": usage.get("output_tokens", 0)},
    }
    yield {"type": "message_stop"}


def encode(event: JsonObject) -> bytes:
    return f"event: {event['type']}\ndata: {json.dumps(event, ensure_ascii=False)}\n\n".encode(
        "utf-8", "replace"
    )


def words(text: str) -> list[str]:
    """Cut a text into word-sized pieces that join to exactly that text."""
    return _WORD.findall(text)


def _block_events(index: int, block: JsonObject) -> Iterator[JsonObject]:
    def delta(kind: str, name: str, piece: str) -> JsonObject:
        return {"type": "content_block_delta", "index": index, "delta": {"type": kind, name: piece}}

    start = {"type": "content_block_start", "index": index}
    match block.get("type"):
        case "text":
            yield {**start, "content_block": {**block, "text": ""}}
            for word in words(block["text"]):
                yield delta("text_delta", "text", word)
        case "thinking":
            yield {**start, "content_block": {**block, "thinking": "", "signature": ""}}
            for word in words(block.get("thinking", "")):
                yield delta("thinking_delta", "thinking", word)
            yield delta("signature_delta", "signature", block.get("signature", ""))
        case "tool_use":
            yield {**start, "content_block": {**block, "input": {}}}
            given = block.get("input", {})
            written = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
            for at in range(0, len(written), 40):
                yield delta("input_json_delta", "partial_json", written[at : at + 40])
        case _:
            yield {**start, "content_block": block}
    yield {"type": "content_block_stop", "index": index}

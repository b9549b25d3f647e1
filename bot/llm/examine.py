"""Checks that the configured model answers, and asks its server for the context window."""

import struct
from base64 import b64encode
from dataclasses import dataclass
from enum import StrEnum
from zlib import compress, crc32

from bot.domain.json_types import as_object, as_objects
from bot.domain.models import ModelRequest, ModelSize
from bot.errors import ModelError, ModelTrouble
from bot.llm.build import LazyModel
from bot.llm.failures import names_pictures

_REQUEST_TOKENS = 16
_COLOUR_TOKENS = 512
"""A model may think before it answers."""
OLLAMA = "Ollama"
_SIDE = 64
"""Pixels of the test picture."""


@dataclass(frozen=True)
class ContextWindow:
    """The context window that a server gives the model, in tokens, and the kind of server."""

    tokens: int
    server: str = ""


async def try_models(model: LazyModel) -> dict[str, ModelTrouble | None]:
    """For each configured model: None if it answered a short request, else the problem."""
    found: dict[str, ModelTrouble | None] = {}
    for size in ModelSize:
        name = model.name(size)
        if name not in found:
            found[name] = await _try(model, size)
    return found


async def _try(model: LazyModel, size: ModelSize) -> ModelTrouble | None:
    said = {"role": "user", "content": [{"type": "text", "text": "Say hello."}]}
    try:
        await model.sample(
            ModelRequest((), (), (said,), _REQUEST_TOKENS, size, once=True), lambda _delta: None
        )
    except ModelError as error:
        return error.trouble
    return None


class Sight(StrEnum):
    """What a model made of a picture."""

    SEES = "sees"
    REFUSES = "refuses"
    BLIND = "blind"
    """It answered, and did not say what is in the picture."""
    UNKNOWN = "unknown"
    """It failed in another way."""


async def try_picture(model: LazyModel) -> tuple[Sight, str]:
    """Show the main model a red picture; what it made of it, and its words or its server's."""
    source = {"type": "base64", "media_type": "image/png", "data": b64encode(_red()).decode()}
    content = [
        {"type": "image", "source": source},
        {"type": "text", "text": "Which colour is this picture? Answer in one English word."},
    ]
    request = ModelRequest(
        (), (), ({"role": "user", "content": content},), _COLOUR_TOKENS, pictures=True, once=True
    )
    try:
        reply = await model.sample(request, lambda _delta: None)
    except ModelError as error:
        trouble = error.trouble
        refuses = names_pictures(trouble.detail) or trouble.kind == "bad_request"
        return Sight.REFUSES if refuses else Sight.UNKNOWN, trouble.detail
    return Sight.SEES if "red" in reply.text.casefold() else Sight.BLIND, reply.text


def _red() -> bytes:
    """A red square as PNG."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", crc32(kind + data))

    rows = (b"\0" + b"\xe0\x10\x10" * _SIDE) * _SIDE
    head = struct.pack(">IIBBBBB", _SIDE, _SIDE, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", compress(rows)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(kind, data) for kind, data in parts)


async def find_window(model: LazyModel) -> ContextWindow | None:
    """The context window that the server reports; None if it reports none.

    Call this after `try_models`, because Ollama reports loaded models only.
    """
    name = model.name(ModelSize.MAIN)
    running = await model.look_up("/api/ps")
    for item in as_objects((running or {}).get("models")):
        if name in {
            item.get("name"),
            item.get("model"),
            str(item.get("name")).removesuffix(":latest"),
        }:
            tokens = item.get("context_length")
            return ContextWindow(tokens, OLLAMA) if isinstance(tokens, int) else None
    listed = await model.look_up("/v1/models")
    for item in as_objects((listed or {}).get("data")):
        if item.get("id") == name:
            told = (
                item.get("max_model_len"),
                item.get("context_length"),
                as_object(item.get("meta")).get("n_ctx"),
            )
            return next((ContextWindow(tokens) for tokens in told if isinstance(tokens, int)), None)
    return None

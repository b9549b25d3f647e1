"""The model of `bellhop init`: what is meant by an address, what answers there, and one try."""

import asyncio
import json
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPException
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from bot.domain.health import Check
from bot.domain.models import ModelRequest, ModelSize
from bot.errors import BotError, ModelError, ModelTrouble
from bot.llm.blocks import as_object, as_objects
from bot.llm.build import build_model
from bot.llm.endpoint import nearby
from bot.llm.settings import ModelSettings

PATIENCE_S = 10.0
_ANSWERED_S, _ASKED_TOKENS = 60.0, 256
"""Of the one try of a model."""
_LISTED = 40
_NOT_THERE = frozenset({404, 405, 501})
_ENDINGS = ("/v1/messages", "/v1/chat/completions", "/v1/models", "/v1")


def address_of(text: str) -> str:
    """`localhost:11434` is http://localhost:11434. Raises ValueError with a sentence."""
    said = text.strip().strip("<>\"'")
    if not said or any(char.isspace() for char in said):
        raise ValueError("An address has no spaces; write one like http://localhost:11434.")
    if said.isdigit():
        raise ValueError(
            f"{text!r} is a number alone; write the host, too: http://localhost:11434."
        )
    try:
        if "://" not in said:
            near = nearby(urlsplit(f"//{said}").hostname or "")
            said = f"{'http' if near else 'https'}://{said}"
        parts = urlsplit(said)
        port = parts.port
    except ValueError:
        raise ValueError(f"{text!r} has no port between 1 and 65535 behind its colon.") from None
    if parts.scheme not in {"http", "https"} or not parts.hostname or port == 0:
        raise ValueError(f"{text!r} is no http(s) address; write one like http://localhost:11434.")
    said = f"{parts.scheme}://{parts.netloc}{parts.path}".rstrip("/")
    return next((said.removesuffix(end) for end in _ENDINGS if said.endswith(end)), said)


@dataclass(frozen=True)
class ModelServer:
    """What answers at an address."""

    problem: str = ""
    """Why it can't be used, as a sentence; empty if it can."""
    models: tuple[str, ...] = ()
    """The models that it lists, if it lists any."""


def look_at(address: str) -> ModelServer:
    """Connect, ask which models there are, and find out whether it speaks the Messages API.

    Sends no text and no key; blocks for at most some seconds.
    """
    parts = urlsplit(address)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        socket.create_connection((parts.hostname or "", port), PATIENCE_S).close()
    except (OSError, UnicodeError) as error:
        return ModelServer(_unreachable(str(parts.hostname), port, error))
    try:
        return _spoken(address)
    except (OSError, HTTPException) as error:
        wrong = "https" if parts.scheme == "http" else "http"
        return ModelServer(
            f"Something listens at {parts.netloc}, but it doesn't answer as {parts.scheme} "
            f"({_reason(error)}). Perhaps it is {wrong}://, or another port."
        )


def _unreachable(host: str, port: int, error: Exception) -> str:
    match error:
        case socket.gaierror() | UnicodeError():
            return f"There is no machine called {host}: a mistyped name, or no network."
        case ConnectionRefusedError():
            return f"Nothing listens at {host} on port {port}. Is the server running?"
        case TimeoutError():
            return f"{host} did not answer on port {port} within {PATIENCE_S:.0f} seconds."
        case _:
            return f"{host} can't be reached on port {port}: {_reason(error)}."


def _spoken(address: str) -> ModelServer:
    listed, body = _status(f"{address}/v1/models")
    models = _names(body) if listed == 200 else ()
    if _status(f"{address}/v1/messages", b"{}")[0] not in _NOT_THERE:
        return ModelServer(models=models)
    if _status(f"{address}/v1/chat/completions", b"{}")[0] not in _NOT_THERE:
        return ModelServer(
            "This server speaks only /v1/chat/completions, and Bellhop needs the Messages API "
            "(/v1/messages). LiteLLM's proxy translates: put it before this server, and give its "
            "address.",
            models,
        )
    return ModelServer(
        "Something answers there, but it has no /v1/messages: it is no server of the Messages "
        "API, or the address lacks a part of its path."
    )


def _status(url: str, body: bytes | None = None) -> tuple[int, bytes]:
    headers = {"content-type": "application/json", "anthropic-version": "2023-06-01"}
    request = Request(url, body, headers)  # noqa: S310 - http and https alone, see address_of
    try:
        with urlopen(request, timeout=PATIENCE_S) as answer:  # noqa: S310 - as above
            return int(answer.status), answer.read(1_000_000)
    except HTTPError as error:
        error.close()
        return error.code, b""


def _names(body: bytes) -> tuple[str, ...]:
    with suppress(ValueError):
        named = [one.get("id") for one in as_objects(as_object(json.loads(body)).get("data"))]
        return tuple(one for one in named[:_LISTED] if isinstance(one, str) and one)
    return ()


def _reason(error: Exception) -> str:
    """The system's words for an error, and never how Python writes it."""
    inner = error.reason if isinstance(error, URLError) else error
    return str(getattr(inner, "strerror", None) or "no sensible answer")


# --- one try ---


async def try_model(settings: ModelSettings, secret: Callable[[str], str | None]) -> Check:
    """Ask the model of these settings once; never raises for what it finds."""
    try:
        model = build_model(settings, secret, attempts=1)
    except BotError as error:
        return Check("model", "error", str(error))
    words = {"role": "user", "content": [{"type": "text", "text": "Say hello in one word."}]}
    request = ModelRequest((), (), (words,), _ASKED_TOKENS, ModelSize.MAIN)
    try:
        async with asyncio.timeout(_ANSWERED_S):
            await model.sample(request, lambda _: None)
    except TimeoutError:
        label = model.capabilities.label
        return Check("model", "error", f"{label} did not answer within {_ANSWERED_S:.0f} s")
    except ModelError as error:
        return Check("model", "error", _failed(model.capabilities.label, error.trouble))
    finally:
        await model.close()
    return Check("model", "ok", f"{model.capabilities.label} answers")


def _failed(label: str, trouble: ModelTrouble) -> str:
    """Why there was no answer; of a lost connection only what a person can act on."""
    match trouble.kind:
        case "unreachable":
            return f"{label} can't be reached from this machine: is there a network, and no proxy?"
        case "auth":
            return f"{label} did not take the key; copy it once more ({trouble.detail})"
        case _:
            return f"{label} did not answer: {trouble.detail}"

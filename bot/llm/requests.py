"""Builds a request body from the caller's request and the endpoint's fields.

Equal prefixes give equal bytes.
"""

import json

from bot.domain.json_types import JsonObject
from bot.domain.models import ModelRequest, Unlock
from bot.llm.endpoint import Endpoint
from bot.llm.unlocking import INLINE_TOOLS_BETA

_ENCODE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_SHARED: JsonObject = {"type": "ephemeral", "ttl": "1h"}
"""All sessions of an agent and role share the first system block, so it is cached for an hour."""
_CONVERSATION: JsonObject = {"type": "ephemeral"}
"""For 5 minutes, renewed by each request: who writes seldom would pay twice for a longer one."""


def request_body(endpoint: Endpoint, request: ModelRequest) -> JsonObject:
    """The JSON to send, for a streamed answer. The caller's objects are shared, never changed.

    Breakpoints (at most 4 are allowed): the first and the last system block; on Anthropic's API the
    conversation's end as well, which the automatic breakpoint follows.
    """
    body: JsonObject = {
        "model": endpoint.names[request.size],
        "max_tokens": min(request.max_tokens, endpoint.max_tokens),
    }
    if request.system:
        body["system"] = _with_breakpoints(request.system)
    if request.tools:
        body["tools"] = list(request.tools)
    body["messages"] = list(request.messages)
    if endpoint.anthropic:
        body["cache_control"] = _CONVERSATION
    if endpoint.thinks(request.size):
        body["thinking"] = {"type": "adaptive", "display": "summarized"}
    if config := _output_config(endpoint, request):
        body["output_config"] = config
    body["stream"] = True
    return body


def _output_config(endpoint: Endpoint, request: ModelRequest) -> JsonObject:
    config: JsonObject = {}
    if endpoint.effort and (endpoint.thinks(request.size) or not endpoint.anthropic):
        config["effort"] = endpoint.effort
    if request.answer_schema is not None and endpoint.anthropic:
        config["format"] = {"type": "json_schema", "schema": request.answer_schema}
    return config


def encode_body(body: JsonObject) -> bytes:
    """Encode a body for sending. Lone surrogates, which JSON must not hold, become `?`."""
    return _ENCODE(body).encode("utf-8", "replace")


def request_betas(endpoint: Endpoint) -> list[str]:
    """The same for every request of an endpoint, so a session's first unlock changes nothing."""
    return [INLINE_TOOLS_BETA] if endpoint.capabilities.unlock is Unlock.INLINE else []


def _with_breakpoints(system: tuple[JsonObject, ...]) -> list[JsonObject]:
    blocks = list(system)
    blocks[-1] = {**blocks[-1], "cache_control": _CONVERSATION}
    blocks[0] = {**blocks[0], "cache_control": _SHARED}
    return blocks

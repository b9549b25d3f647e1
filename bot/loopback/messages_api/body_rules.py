"""Rules for request bodies, except for their history."""

import re
from collections.abc import Iterator

from bot.plugin.models import JsonObject, as_object, as_objects, blocks_of

MARKS_MAX = 4
_INLINE_TOOLS = "inline-tools-2026-09-15"
"""The beta that lets a message declare tools."""
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_GONE = ("temperature", "top_p", "top_k", "prefill")
_OF_TOOLS = {
    "name",
    "description",
    "input_schema",
    "strict",
    "defer_loading",
    "cache_control",
    "eager_input_streaming",
    "input_examples",
    "allowed_callers",
    "type",
}
_KNOWN = {
    "model",
    "max_tokens",
    "messages",
    "system",
    "tools",
    "tool_choice",
    "stream",
    "thinking",
    "output_config",
    "cache_control",
    "metadata",
    "stop_sequences",
    "diagnostics",
    "service_tier",
}


def body_problem(body: JsonObject, betas: str) -> str | None:
    """Return the first broken rule in words, or None. `betas` is the anthropic-beta header."""
    return next(_problems(body, betas), None)


def _problems(body: JsonObject, betas: str) -> Iterator[str]:
    for name in ("model", "max_tokens", "messages"):
        if name not in body:
            yield f"{name}: field required"
    for name in body:
        if name in _GONE:
            yield f"{name}: not supported by this model"
        elif name not in _KNOWN:
            yield f"{name}: extra inputs are not permitted"
    if as_object(body.get("tool_choice")).get("type") in {"any", "tool"}:
        yield "tool_choice: forcing tool use is not supported by this model"
    if "budget_tokens" in (body.get("thinking") or {}):
        yield "thinking.budget_tokens: not supported by this model"
    yield from _tool_problems(body)
    yield from _inline_problems(body, betas)
    marks = _marks(body)
    if len(marks) > MARKS_MAX:
        yield f"cache_control: at most {MARKS_MAX} breakpoints, found {len(marks)}"
    if "1h" in marks[marks.index("5m") :] if "5m" in marks else False:
        yield "cache_control: a ttl of 1h must not come after one of 5m"


def _tool_problems(body: JsonObject) -> Iterator[str]:
    names: set[str] = set()
    for index, tool in enumerate(as_objects(body.get("tools"))):
        name = str(tool.get("name"))
        if not _NAME.fullmatch(name):
            yield f"tools.{index}.name: must match ^[a-zA-Z0-9_-]{{1,64}}$"
        if name in names:
            yield f"tools: tool names must be unique, {name} stands there twice"
        if as_object(tool.get("input_schema")).get("type") != "object":
            yield f"tools.{index}.input_schema.type: must be object"
        yield from (
            f"tools.{index}.{key}: extra inputs are not permitted"
            for key in tool
            if key not in _OF_TOOLS
        )
        if not isinstance(tool.get("defer_loading", False), bool):
            yield f"tools.{index}.defer_loading: must be a boolean"
        names.add(name)


def _inline_problems(body: JsonObject, betas: str) -> Iterator[str]:
    if _INLINE_TOOLS in betas:
        return
    for index, message in enumerate(as_objects(body.get("messages"))):
        for block in blocks_of(message):
            if block.get("type") in {"tool_addition", "tool_removal"}:
                yield f"messages.{index}: {block['type']} needs the beta {_INLINE_TOOLS}"


def _marks(body: JsonObject) -> list[str]:
    """Return the ttl of each breakpoint, in the order in which the prefix is hashed."""
    blocks = as_objects(body.get("tools")) + as_objects(body.get("system"))
    blocks += [
        block for message in as_objects(body.get("messages")) for block in blocks_of(message)
    ]
    marks = [block.get("cache_control") for block in [*blocks, body]]
    return [str(mark.get("ttl") or "5m") for mark in marks if mark]

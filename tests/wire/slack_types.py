"""Calls of the app against Slack's published types (slack_types.json says where they are from)."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft7Validator

from bot.domain.json_types import JsonObject
from bot.loopback.slack import Call

_TYPES: dict[str, Any] = json.loads(Path(__file__).with_name("slack_types.json").read_text())
_VIEWS = {"home": "HomeView", "modal": "ModalView"}


@cache
def _names(union: str) -> dict[str, str]:
    """The definitions of a union, by the value of their `type`."""
    refs = [one["$ref"].rpartition("/")[2] for one in _TYPES["definitions"][union]["anyOf"]]
    return {_type_of(_TYPES["definitions"][ref]): ref for ref in refs}


def _type_of(definition: JsonObject) -> str:
    shape = definition if "properties" in definition else definition["anyOf"][0]
    return shape["properties"]["type"]["const"]


@cache
def _validator(name: str) -> Any:
    return Draft7Validator({**_TYPES, "$ref": f"#/definitions/{name}"})


def problems(call: Call) -> list[str]:
    """What the types don't allow in a call; empty if they allow it."""
    return list(_problems(call.arguments))


def _problems(arguments: JsonObject) -> Iterator[str]:
    for block in arguments.get("blocks") or ():
        yield from _of_union("KnownBlock", block)
    for chunk in arguments.get("chunks") or ():
        yield from _of_union("AnyChunk", chunk)
    if metadata := arguments.get("metadata"):
        yield from _against("MessageMetadata", metadata)
    if view := arguments.get("view"):
        yield from _against(_VIEWS[view["type"]], {**view, "blocks": []})
        for block in view["blocks"]:
            yield from _of_union("KnownBlock", block)


def _of_union(union: str, part: JsonObject) -> Iterator[str]:
    name = _names(union).get(str(part.get("type")))
    if name is None:
        yield f"no {union} is a {part.get('type')}"
    else:
        yield from _against(name, part)


def _against(name: str, part: JsonObject) -> Iterator[str]:
    for error in _validator(name).iter_errors(part):
        yield f"{name}: {error.message[:200]} at {error.json_path}"

"""Whether what goes between Bellhop and Slack is as Slack's published types say.

wire/slack_types.json holds the types, and says where they are from.
"""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, cast

from jsonschema import Draft7Validator, exceptions

from bot.domain.json_types import JsonObject

_TYPES: dict[str, Any] = json.loads(
    (Path(__file__).parent / "wire" / "slack_types.json").read_text()
)
_VIEWS = {"home": "HomeView", "modal": "ModalView"}
_WORDS = {"true": True, "false": False, "1": True, "0": False}

_BEYOND: dict[str, dict[str, Any]] = {
    # https://docs.slack.dev/reference/methods/assistant.search.context
    "assistant.search.context": {
        "required": ["query"],
        "properties": {
            **dict.fromkeys(("query", "action_token", "context_channel_id", "cursor"), "string"),
            **dict.fromkeys(("sort", "sort_dir"), "string"),
            **dict.fromkeys(("channel_types", "content_types"), "array"),
            **dict.fromkeys(("after", "before", "limit"), "integer"),
            **dict.fromkeys(("include_bots", "include_context_messages"), "boolean"),
        },
    },
    # https://docs.slack.dev/reference/methods/canvases.getContent
    "canvases.getContent": {
        "required": ["canvas_id"],
        "properties": {"canvas_id": "string", "content_type": "string"},
    },
}
"""Calls that Slack's reference has and its packages lack: what each takes."""
_NO_METHODS = {"files.download", "response_url"}
"""Requests beside the Web API, as the loopback Slack names them."""

_FILE_MESSAGE = ("app_id", "assistant_thread", "bot_id", "edited", "team")
_ALSO = {
    # What Slack's documentation of the event shows, or its servers send, beside the type.
    "AppMentionEvent": ("app_id", "assistant_thread", "parent_user_id"),
    "BotMessageEvent": ("team", "parent_user_id"),
    "FileShareMessageEvent": _FILE_MESSAGE,
    "GenericMessageEvent": ("app_id",),
    "ViewSubmitAction": ("response_urls",),
}
_NOT_ALWAYS = {
    # A click on a view has no message, so nothing to respond to.
    "BlockAction": ("response_url",),
}


def misfit(method: str, arguments: JsonObject) -> str:
    """What of a call contradicts Slack's types; empty if nothing does."""
    return next((f"{method}: {one}" for one in _of_call(method, arguments)), "")


def untold(kind: str, payload: JsonObject) -> str:
    """What of a payload to the app contradicts Slack's types; empty if nothing does."""
    part = cast("JsonObject", payload["event"]) if kind == "events_api" else payload
    name = _definition_of(kind, part)
    if not name:
        return f"{kind}: Slack publishes no {part.get('type')} {part.get('subtype') or ''}"
    wrong = _worst(_payload_validator(name), part)
    return f"{kind}: {name}: {wrong}" if wrong else ""


def parts(arguments: JsonObject) -> list[str]:
    """What the types don't allow in the blocks, chunks, metadata and view of a call."""
    return list(_of_parts(arguments))


def has_shape(method: str) -> bool:
    """Whether Slack publishes what a call of this method takes."""
    return _shape_of(method) is not None


def _of_call(method: str, arguments: JsonObject) -> Iterator[str]:
    yield from _of_parts(arguments)
    if method in _NO_METHODS:
        return
    shape = _shape_of(method)
    if shape is None:
        yield "no published shape; add it to slack_types.json"
        return
    # The parts are checked by their types above, which names what is wrong more closely.
    bare: JsonObject = {
        **arguments,
        **{name: [] for name in ("blocks", "chunks") if arguments.get(name)},
    }
    if view := arguments.get("view"):
        bare["view"] = {**cast("JsonObject", view), "blocks": []}
    yield from _against(shape, _typed(shape, bare))


@cache
def _shape_of(method: str) -> str | None:
    if method in _BEYOND:
        return f"beyond:{method}"
    found = _TYPES["calls"].get(method)
    return None if found is None else f"calls:{method}"


def _definition_of(kind: str, part: JsonObject) -> str:
    """The definition of what is sent; empty if Slack publishes none."""
    named = "command" if kind == "slash_commands" else str(part.get("type"))
    found = _TYPES["events" if kind == "events_api" else "payloads"].get(named, {})
    name = str(found.get("$ref", "")).rpartition("/")[2]
    if named == "message":
        return _subtypes(name).get(str(part.get("subtype") or ""), "")
    return name


@cache
def _subtypes(union: str) -> dict[str, str]:
    """The definitions of message events by subtype; plain messages have none."""
    names = [one["$ref"].rpartition("/")[2] for one in _TYPES["definitions"][union]["anyOf"]]
    shapes = {name: _TYPES["definitions"][name]["properties"] for name in names}
    return {shapes[name].get("subtype", {}).get("const", ""): name for name in names}


@cache
def _payload_validator(name: str) -> Any:
    """What Slack sends has each field that its type requires, and none that it does not name.

    Inside of these fields the types say less than Slack sends: there, what they name has to fit.
    """
    whole: dict[str, Any] = _TYPES["definitions"][name]
    opened = _opened()
    also: dict[str, Any] = dict.fromkeys(_ALSO.get(name, ()), True)
    required = sorted({*whole["required"]} - {*_NOT_ALWAYS.get(name, ())})
    top: dict[str, Any] = {
        **opened[name],
        "required": required,
        "properties": {**opened[name]["properties"], **also},
        "additionalProperties": False,
    }
    return Draft7Validator({**top, "definitions": opened})


@cache
def _opened() -> dict[str, Any]:
    return cast("dict[str, Any]", _open(_TYPES["definitions"]))


def _open(schema: Any) -> Any:
    """A schema that allows more fields than it names, and requires none."""
    if isinstance(schema, list):
        return [_open(one) for one in cast("list[Any]", schema)]
    if not isinstance(schema, dict):
        return schema
    named = cast("dict[str, Any]", schema)
    return {
        key: _open(one)
        for key, one in named.items()
        if not (key == "required" and isinstance(one, list))
        and not (key == "additionalProperties" and one is False)
    }


def _typed(shape: str, arguments: JsonObject) -> JsonObject:
    """A form's words as the numbers, booleans and lists that the types name."""
    kinds = _kinds(shape)

    def typed(name: str, value: object) -> object:
        match kinds.get(name), value:
            case "boolean", str() if value in _WORDS:
                return _WORDS[value]
            case (("number" | "integer"), str()) if value.isdigit():
                return int(value)
            case "array", str():
                return value.split(",")
            case _:
                return value

    return {name: typed(name, value) for name, value in arguments.items()}


@cache
def _kinds(shape: str) -> dict[str, str]:
    """The types of a call's arguments, of whichever of its variants names them."""
    found: dict[str, str] = {}
    open_ = [_schema(shape)]
    while open_:
        one = open_.pop()
        if ref := one.get("$ref"):
            open_.append(_TYPES["definitions"][ref.rpartition("/")[2]])
        open_ += [*one.get("anyOf", ()), *one.get("allOf", ())]
        kinds = {name: part.get("type") for name, part in one.get("properties", {}).items()}
        found |= {name: kind for name, kind in kinds.items() if isinstance(kind, str)}
    return found


def _of_parts(arguments: JsonObject) -> Iterator[str]:
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


@cache
def _names(union: str) -> dict[str, str]:
    """The definitions of a union, by the value of their `type`."""
    refs = [one["$ref"].rpartition("/")[2] for one in _TYPES["definitions"][union]["anyOf"]]
    return {_type_of(_TYPES["definitions"][ref]): ref for ref in refs}


def _type_of(definition: JsonObject) -> str:
    shape = definition if "properties" in definition else definition["anyOf"][0]
    return shape["properties"]["type"]["const"]


def _schema(shape: str) -> dict[str, Any]:
    section, _, name = shape.rpartition(":")
    if section == "beyond":
        kinds = _BEYOND[name]["properties"]
        properties = {one: {"type": kind} for one, kind in kinds.items()}
        return {**_BEYOND[name], "properties": properties, "additionalProperties": False}
    return _TYPES[section][name] if section else {"$ref": f"#/definitions/{name}"}


@cache
def _validator(shape: str) -> Any:
    return Draft7Validator({**_schema(shape), "definitions": _TYPES["definitions"]})


def _against(shape: str, part: JsonObject) -> Iterator[str]:
    if wrong := _worst(_validator(shape), part):
        yield f"{shape.rpartition(':')[2]}: {wrong}"


def _worst(validator: Any, part: JsonObject) -> str:
    """The error that says most about a part; empty for one that fits."""
    error = cast("Any", exceptions).best_match(validator.iter_errors(part))
    return "" if error is None else f"{error.message[:300]} at {error.json_path}"

"""The notes between callers and gateways about calls and live views.

A call that people see takes four notes: its caller offers it to all gateways, the gateway of its
line takes it, the caller tells this gateway to go, and the gateway answers. So a gateway that was
frozen makes no call that its caller has given up, and no two gateways make the same call.
"""

import json
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field, ValidationError

from bot.chat.remote.calls import AdapterCall, adapter_for
from bot.domain.chat import LIVE_UPDATES, LiveUpdate
from bot.domain.json_types import JsonObject, JsonValue
from bot.domain.messages import ReplyTarget

GATEWAYS = "gateways"
"""The channel that all gateways hear."""
EVERYBODY = "everybody"
"""The channel that all processes hear."""


@dataclass(frozen=True)
class Offer:
    """A call, and the channel of its caller.

    `at_once`: the call changes nothing, so the gateway makes it without waiting for `Go`.
    """

    id: str
    caller: str
    line: str
    call: AdapterCall
    at_once: bool
    note: Literal["offer"] = "offer"


@dataclass(frozen=True)
class Taken:
    id: str
    by: str
    note: Literal["taken"] = "taken"


@dataclass(frozen=True)
class Go:
    """Make the call; repeated, it asks for the state of the call."""

    id: str
    caller: str
    note: Literal["go"] = "go"


@dataclass(frozen=True)
class CallAnswered:
    id: str
    value: JsonValue
    note: Literal["answered"] = "answered"


@dataclass(frozen=True)
class CallDeclined:
    id: str
    error: str
    retryable: bool
    note: Literal["refused"] = "refused"


@dataclass(frozen=True)
class Serving:
    """A gateway serves a line from now on, so no other gateway does."""

    line: str
    by: str
    note: Literal["serving"] = "serving"


@dataclass(frozen=True)
class Here:
    """A gateway is alive; sent every few seconds."""

    by: str
    note: Literal["here"] = "here"


@dataclass(frozen=True)
class LiveOpened:
    id: str
    line: str
    target: ReplyTarget
    turn: str
    key: str
    note: Literal["live_opened"] = "live_opened"


@dataclass(frozen=True)
class LiveShown:
    """Updates of a live view; empty `updates` only say that its turn still runs."""

    id: str
    updates: list[JsonObject]
    note: Literal["live_shown"] = "live_shown"


Note: TypeAlias = (
    Offer | Taken | Go | CallAnswered | CallDeclined | Serving | Here | LiveOpened | LiveShown
)
_NOTES: Any = Annotated[Note, Field(discriminator="note")]


def note_to_text(note: Note) -> str:
    return json.dumps(adapter_for(_NOTES).dump_python(note, mode="json"))


def note_from_text(text: str) -> Note:
    """Read a note. Raises ValueError, which doesn't quote what people wrote."""
    try:
        return adapter_for(_NOTES).validate_json(text)
    except ValidationError as error:
        places = {".".join(map(str, one["loc"])) for one in error.errors(include_input=False)}
        raise ValueError(f"not a note of this version: {', '.join(sorted(places))}") from None


def update_to_json(update: LiveUpdate) -> JsonObject:
    name = type(update).__name__
    return {"kind": name, **adapter_for(type(update)).dump_python(update, mode="json")}


def update_from_json(data: JsonObject) -> LiveUpdate:
    """Raises ValueError."""
    fields = {name: value for name, value in data.items() if name != "kind"}
    kind = LIVE_UPDATES.get(str(data.get("kind")))
    if kind is None:
        raise ValueError(f"no live update is called {data.get('kind')!r}")
    return adapter_for(kind).validate_json(json.dumps(fields))

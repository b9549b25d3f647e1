"""Messages and live updates as JSON, for terminals in another process."""

from functools import lru_cache
from typing import Any, TypeAlias

from pydantic import TypeAdapter, ValidationError

from bot.domain.chat import LIVE_UPDATES, LiveUpdate
from bot.domain.json_types import JsonObject
from bot.domain.messages import IncomingMessage, OutgoingMessage, PostedCard, Receipt, ReplyTarget
from bot.errors import BotError

Wired: TypeAlias = (
    IncomingMessage | OutgoingMessage | PostedCard | Receipt | ReplyTarget | LiveUpdate
)


class BadParams(BotError):
    """A request on the control socket carries something that is not what its method takes."""


@lru_cache(maxsize=32)
def _adapter(type_: Any) -> TypeAdapter[Any]:
    return TypeAdapter(type_)


def to_json(value: Wired) -> JsonObject:
    return _adapter(type(value)).dump_python(value, mode="json")


def _read(type_: Any, data: object) -> Any:
    try:
        return _adapter(type_).validate_python(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise BadParams(f"{type_.__name__}.{where}: {first['msg']}") from error


def incoming(data: object) -> IncomingMessage:
    return _read(IncomingMessage, data)


def outgoing(data: object) -> OutgoingMessage:
    return _read(OutgoingMessage, data)


def receipt(data: object) -> Receipt:
    return _read(Receipt, data)


def posted_card(data: object) -> PostedCard:
    return _read(PostedCard, data)


def reply_target(data: object) -> ReplyTarget:
    return _read(ReplyTarget, data)


def update_to_json(update: LiveUpdate) -> JsonObject:
    return {"type": type(update).__name__, **to_json(update)}


def update(data: object) -> LiveUpdate:
    """Read a live update. Raises BadParams."""
    fields: JsonObject = dict(data) if isinstance(data, dict) else {}  # pyright: ignore[reportUnknownArgumentType]
    type_ = LIVE_UPDATES.get(str(fields.pop("type", "")))
    if type_ is None:
        raise BadParams("the update has no known type")
    return _read(type_, fields)

"""Messages as JSON: incoming ones for the journal, outgoing ones for the outbox."""

from dataclasses import replace
from functools import lru_cache
from typing import cast

from pydantic import TypeAdapter

from bot.domain.characters import plain_file_name
from bot.domain.json_types import JsonObject
from bot.domain.messages import Attachment, IncomingMessage, OutgoingMessage, Receipt
from bot.domain.turns import Answer
from bot.domain.work import MessageWork, envelope_of, find_work

_PASSING = {"heard", "missed", "to_others", "answers"}
"""Fields that only the Router needs."""


@lru_cache(maxsize=1)
def _incoming() -> TypeAdapter[IncomingMessage]:
    return TypeAdapter(IncomingMessage)


@lru_cache(maxsize=1)
def _outgoing() -> TypeAdapter[OutgoingMessage]:
    return TypeAdapter(OutgoingMessage)


@lru_cache(maxsize=1)
def _receipt() -> TypeAdapter[Receipt]:
    return TypeAdapter(Receipt)


def incoming_to_json(message: IncomingMessage) -> JsonObject:
    """The record of a message; fields with their default value are left out."""
    return _incoming().dump_python(message, mode="json", exclude=_PASSING, exclude_defaults=True)


def incoming_from_json(data: JsonObject) -> IncomingMessage:
    """A recorded message; its files have plain names from here on, whatever they are called."""
    message = _incoming().validate_python(data)
    if not message.attachments and not message.quoted:
        return message
    quoted = [
        replace(
            one,
            files=tuple(map(plain_file_name, one.files)),
            attachments=_plainly_named(one.attachments),
        )
        for one in message.quoted
    ]
    files = _plainly_named(message.attachments)
    return replace(message, attachments=files, quoted=tuple(quoted))


def _plainly_named(files: tuple[Attachment, ...]) -> tuple[Attachment, ...]:
    return tuple(replace(one, name=plain_file_name(one.name)) for one in files)


def message_of(body: JsonObject) -> IncomingMessage | None:
    """The message in a turn's body; None for other work and for unreadable records."""
    try:
        return incoming_from_json(envelope_of(body))
    except ValueError:
        return None


def outgoing_to_json(message: OutgoingMessage) -> str:
    return _outgoing().dump_json(message).decode()


def outgoing_from_json(text: str) -> OutgoingMessage:
    return _outgoing().validate_json(text)


def receipt_to_json(receipt: Receipt) -> JsonObject:
    return _receipt().dump_python(receipt, mode="json")


def receipt_to_text(receipt: Receipt) -> str:
    return _receipt().dump_json(receipt).decode()


def receipt_ids(value: object) -> tuple[str, ...]:
    """The platform's ids of what a step has posted; none if it has posted nothing."""
    ids = cast("JsonObject", value).get("message_ids") if isinstance(value, dict) else None
    return tuple(map(str, cast("list[object]", ids))) if isinstance(ids, list) else ()


def receipt_from_text(text: str) -> Receipt:
    return _receipt().validate_json(text)


def is_message(body: JsonObject) -> bool:
    """Whether work is a person's message: a running turn or a question may take it.

    One that is answered to its person alone is not taken: others would read the answer.
    """
    message = message_of(body)
    aside = message is not None and message.aside
    return isinstance(find_work(body), MessageWork) and not aside


def answer_in(body: JsonObject) -> Answer:
    """A message as an answer to a question; files are named, and read with the message."""
    message = incoming_from_json(envelope_of(body))
    names = ", ".join(" ".join(file.name.split()) for file in message.attachments)
    text = "\n".join(
        part for part in (message.text, f"(with the message: {names})" if names else "") if part
    )
    return Answer(text, message.own_words)


def has_files(body: JsonObject) -> bool:
    """Whether a message holds more than words."""
    return bool(envelope_of(body).get("attachments"))

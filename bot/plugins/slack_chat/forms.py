"""Forms as Slack's modals, and the values entered into one.

Nothing is stored: an open form outlives restarts.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from bot.plugin.chat import Attachment, Interaction
from bot.plugin.clock import format_utc, parse_utc
from bot.plugin.commands import Form, FormField, FormRefusal
from bot.plugin.drawing import Phrase
from bot.plugin.payloads import JsonObject, object_in, objects_in, text_in
from bot.plugins.slack_chat.files import attachments_of

_CALLBACK = "bellhop:form:"
_ACTION, _FILES = "value", "file_input"
_TITLE, _ERROR = 24, 300
_SUBMIT = Phrase("Send")
_CLOSE = Phrase("Cancel")


@dataclass(frozen=True)
class FormOrigin:
    """The origin of a form, and the way of its answer; stored in the form itself."""

    channel: str
    reply: Interaction | None
    thread: str = ""
    message: str = ""
    """The message whose button opened it, and what that message asks."""
    about: str = ""

    def dumps(self) -> str:
        reply = self.reply
        until = ["", ""] if reply is None else [reply.token, format_utc(reply.expires_at)]
        return json.dumps([self.channel, *until, self.thread, self.message, self.about])

    @staticmethod
    def loads(text: str) -> "FormOrigin | None":
        """None for data that is not ours."""
        try:
            channel, token, until, *about = cast("list[str]", json.loads(text))
            reply = Interaction(token, parse_utc(until)) if token else None
            return FormOrigin(channel, reply, *about)
        except (ValueError, TypeError):
            return None

    def valid(self, now: datetime) -> Interaction | None:
        return self.reply if self.reply is not None and self.reply.expires_at > now else None


@dataclass(frozen=True)
class Entered:
    """One submitted form."""

    form: str
    view: str
    user: str
    origin: FormOrigin
    fields: tuple[tuple[str, str], ...]
    team: str = ""
    """The workspace of the user."""
    files: tuple[Attachment, ...] = ()


def view_of(form: Form, filled: Mapping[str, str], origin: FormOrigin) -> JsonObject:
    return {
        "type": "modal",
        "callback_id": f"{_CALLBACK}{form.name}",
        "private_metadata": origin.dumps(),
        "title": _plain(form.title[:_TITLE]),
        "submit": _plain(_SUBMIT.said(form.language)),
        "close": _plain(_CLOSE.said(form.language)),
        "blocks": [_block(field, filled.get(field.name, "")) for field in form.fields],
    }


def _block(field: FormField, value: str) -> JsonObject:
    return {
        "type": "input",
        "block_id": field.name,
        "optional": not field.required,
        "label": _plain(field.label),
        "hint": _plain(field.hint),
        "element": _element(field, value),
    }


def _element(field: FormField, value: str) -> JsonObject:
    if field.files:
        return {"type": _FILES, "action_id": _ACTION, "max_files": field.files}
    return _menu(field) if field.choices else _input(field, value)


def _input(field: FormField, value: str) -> JsonObject:
    element: JsonObject = {
        "type": "plain_text_input",
        "action_id": _ACTION,
        "multiline": field.long,
        "max_length": field.most,
    }
    return element | ({"initial_value": value[: field.most]} if value else {})


def _menu(field: FormField) -> JsonObject:
    options = [{"text": _plain(label), "value": choice} for choice, label in field.options]
    return {
        "type": "static_select",
        "action_id": _ACTION,
        "options": options,
        "initial_option": options[0],
    }


def _plain(text: str) -> JsonObject:
    return {"type": "plain_text", "text": text}


def entered(body: JsonObject) -> Entered | None:
    """A `view_submission` of ours; None for any other."""
    view = object_in(body, "view")
    callback = text_in(view, "callback_id")
    origin = FormOrigin.loads(text_in(view, "private_metadata"))
    if not callback.startswith(_CALLBACK) or origin is None:
        return None
    values: dict[str, Any] = object_in(object_in(view, "state"), "values")
    inputs = {name: object_in(object_in(values, name), _ACTION) for name in values}
    written = {name: item for name, item in inputs.items() if item.get("type") != _FILES}
    user: JsonObject = object_in(body, "user")
    who = text_in(user, "id")
    # Bellhop could read what its sender may not: only their own files count.
    given = [
        file
        for item in inputs.values()
        for file in objects_in(item, "files")
        if text_in(file, "user") in {"", who}
    ]
    return Entered(
        callback.removeprefix(_CALLBACK),
        text_in(view, "id"),
        who,
        origin,
        tuple((name, _value(item)) for name, item in written.items()),
        text_in(user, "team_id"),
        attachments_of({"user": who, "files": given}),
    )


def _value(item: JsonObject) -> str:
    return text_in(object_in(item, "selected_option"), "value") or text_in(item, "value")


def errors(refusal: FormRefusal) -> JsonObject:
    """The acknowledgement that keeps the form open, with an error at the field."""
    return {"response_action": "errors", "errors": {refusal.field: refusal.reason[:_ERROR]}}

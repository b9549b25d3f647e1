"""Forms as Slack's modals, and the values entered into one.

Nothing is stored: an open form outlives restarts.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from bot.chat.payloads import object_in, text_in
from bot.clock import format_utc, parse_utc
from bot.domain.json_types import JsonObject
from bot.domain.messages import Interaction
from bot.domain.native_commands import Form, FormField, FormRefusal

_CALLBACK = "bellhop:form:"
_ACTION = "value"
_TITLE, _ERROR = 24, 300


@dataclass(frozen=True)
class FormOrigin:
    """The origin of a form, and the way of its answer; stored in the form itself."""

    channel: str
    reply: Interaction | None

    def dumps(self) -> str:
        reply = self.reply
        until = [reply.token, format_utc(reply.expires_at)] if reply is not None else []
        return json.dumps([self.channel, *until])

    @staticmethod
    def loads(text: str) -> "FormOrigin | None":
        """None for data that is not ours."""
        try:
            channel, *until = cast("list[str]", json.loads(text))
            reply = Interaction(until[0], parse_utc(until[1])) if until else None
        except (ValueError, TypeError, IndexError):
            return None
        return FormOrigin(str(channel), reply)

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


def view_of(form: Form, filled: Mapping[str, str], origin: FormOrigin) -> JsonObject:
    return {
        "type": "modal",
        "callback_id": f"{_CALLBACK}{form.name}",
        "private_metadata": origin.dumps(),
        "title": _plain(form.title[:_TITLE]),
        "submit": _plain("Save"),
        "close": _plain("Cancel"),
        "blocks": [_block(field, filled.get(field.name, "")) for field in form.fields],
    }


def _block(field: FormField, value: str) -> JsonObject:
    return {
        "type": "input",
        "block_id": field.name,
        "optional": not field.required,
        "label": _plain(field.label),
        "hint": _plain(field.hint),
        "element": _menu(field) if field.choices else _input(field, value),
    }


def _input(field: FormField, value: str) -> JsonObject:
    element: JsonObject = {
        "type": "plain_text_input",
        "action_id": _ACTION,
        "multiline": field.long,
        "max_length": field.most,
    }
    return element | ({"initial_value": value[: field.most]} if value else {})


def _menu(field: FormField) -> JsonObject:
    options = [{"text": _plain(choice), "value": choice} for choice in field.choices]
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
    fields = tuple((name, _value(object_in(values, name))) for name in values)
    user: JsonObject = object_in(body, "user")
    return Entered(
        callback.removeprefix(_CALLBACK),
        text_in(view, "id"),
        text_in(user, "id"),
        origin,
        fields,
        text_in(user, "team_id"),
    )


def _value(block: JsonObject) -> str:
    item = object_in(block, _ACTION)
    return text_in(object_in(item, "selected_option"), "value") or text_in(item, "value")


def errors(refusal: FormRefusal) -> JsonObject:
    """The acknowledgement that keeps the form open, with an error at the field."""
    return {"response_action": "errors", "errors": {refusal.field: refusal.reason[:_ERROR]}}

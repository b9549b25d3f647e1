"""The content of interactions (command options, form entries), and their first responses."""

from collections.abc import Sequence
from dataclasses import replace

from bot.plugin.chat import PlatformPerson
from bot.plugin.commands import (
    ASK_COMMAND,
    LABELS,
    Completion,
    Fields,
    Form,
    FormField,
    MenuAction,
    question_form,
    question_in,
)
from bot.plugin.drawing import language_of_app
from bot.plugin.payloads import (
    JsonObject,
    as_objects,
    number_in,
    object_in,
    objects_in,
    text_in,
    texts_in,
)
from bot.plugin.recent import Recent
from bot.plugins.discord_chat.application_commands import ABOUT_CHARS, OF_MESSAGE, OF_PERSON, SKILL
from bot.plugins.discord_chat.seen import Answer, SeenCommand, SeenFile, SeenQuote
from bot.plugins.discord_chat.starters import file_of, person_of, quote_of

CHOICES, MODAL = 8, 9
MOST_CHOICES = 25
_FORM = "bhform|"
_LABEL_CHARS, _HINT_CHARS = 45, 100
_LABEL, _TEXT, _SELECT, _FILES = 18, 4, 3, 19
_SHORT, _LONG = 1, 2


def arguments(data: JsonObject) -> str:
    """The text behind a command; the name of a skill comes first, whatever the order of options."""
    options = objects_in(data, "options")
    if data.get("name") == SKILL:
        options = sorted(options, key=lambda option: option.get("name") != "name")
    return " ".join(text_in(option, "value") for option in options).strip()


def typed(data: JsonObject) -> str:
    """The current text of the option that is being completed."""
    options = objects_in(data, "options")
    return next((text_in(option, "value") for option in options if option.get("focused")), "")


def choices(offered: Sequence[Completion]) -> JsonObject:
    """An answer to a completion; what is too long to be filled in is left out."""
    listed = [
        {"name": one.label[:ABOUT_CHARS], "value": one.value}
        for one in offered
        if 0 < len(one.value) <= ABOUT_CHARS
    ]
    return {"type": CHOICES, "data": {"choices": listed[:MOST_CHOICES]}}


def modal(form: Form, filled: Fields, about: str = "") -> JsonObject:
    """An answer that shows a form, partly filled in; `about` comes back with it."""
    rows = [_row(field, filled.get(field.name, "")) for field in form.fields]
    return {
        "type": MODAL,
        "data": {
            "custom_id": f"{_FORM}{form.name}" + (f"|{about}" if about else ""),
            "title": form.title,
            "components": rows,
        },
    }


def _row(field: FormField, value: str) -> JsonObject:
    return {
        "type": _LABEL,
        "label": field.label[:_LABEL_CHARS],
        "description": field.hint[:_HINT_CHARS],
        "component": _component(field, value),
    }


def _component(field: FormField, value: str) -> JsonObject:
    if field.files:
        return _upload(field)
    return _select(field) if field.choices else _input(field, value)


def _upload(field: FormField) -> JsonObject:
    return {
        "type": _FILES,
        "custom_id": field.name,
        "min_values": int(field.required),
        "max_values": field.files,
        "required": field.required,
    }


def _input(field: FormField, value: str) -> JsonObject:
    written: JsonObject = {
        "type": _TEXT,
        "custom_id": field.name,
        "style": _LONG if field.long else _SHORT,
        "max_length": field.most,
        "required": field.required,
    }
    return written | ({"value": value[: field.most]} if value else {})


def _select(field: FormField) -> JsonObject:
    options = [
        {"label": label, "value": choice, "default": number == 0}
        for number, (choice, label) in enumerate(field.options)
    ]
    return {
        "type": _SELECT,
        "custom_id": field.name,
        "options": options,
        "required": field.required,
    }


def form_name(data: JsonObject) -> str:
    """The submitted form; empty when it is none of ours."""
    return _form_parts(data)[0]


def form_about(data: JsonObject) -> str:
    """What `modal` was told that the form is about."""
    return _form_parts(data)[2]


def _form_parts(data: JsonObject) -> tuple[str, str, str]:
    custom_id = str(data.get("custom_id", ""))
    ours = custom_id.removeprefix(_FORM) if custom_id.startswith(_FORM) else ""
    return ours.partition("|")


def chosen(data: JsonObject) -> MenuAction | None:
    """What was chosen from the menu of a message or a person; None for other commands."""
    if number_in(data, "type") not in {OF_PERSON, OF_MESSAGE}:
        return None
    named = {words.en: action for action, words in LABELS.items()}
    return named.get(text_in(data, "name"))


def chosen_message(data: JsonObject, channel: str) -> SeenQuote | None:
    """The message of a menu, as Discord sent it along."""
    target = text_in(data, "target_id")
    messages = object_in(object_in(data, "resolved"), "messages")
    return quote_of(object_in(messages, target), channel, target) if target in messages else None


def chosen_person(data: JsonObject) -> PlatformPerson | None:
    """The person of a menu."""
    target, resolved = text_in(data, "target_id"), object_in(data, "resolved")
    user = object_in(object_in(resolved, "users"), target)
    member = object_in(object_in(resolved, "members"), target)
    return person_of({**user, "id": target}, text_in(member, "nick")) if user else None


def entries(data: JsonObject) -> tuple[tuple[str, str], ...]:
    """The entered values, by field; inputs lie in rows or labels."""
    found: list[tuple[str, str]] = []
    for item in (*objects_in(data, "components"), *as_objects([data.get("component")])):
        found += _entry(item)
    return tuple(found)


def uploaded(data: JsonObject) -> tuple[SeenFile, ...]:
    """The files that were put into a form; no message holds them."""
    known = object_in(object_in(data, "resolved"), "attachments")
    items = [object_in(row, "component") for row in objects_in(data, "components")]
    ids = [id_ for item in items if item.get("type") == _FILES for id_ in texts_in(item, "values")]
    return tuple(file_of(object_in(known, id_)) for id_ in ids if id_ in known)


def _entry(item: JsonObject) -> tuple[tuple[str, str], ...]:
    if item.get("type") == _FILES:
        return ()
    name, chosen = text_in(item, "custom_id"), texts_in(item, "values")
    value = (
        text_in(item, "value") if item.get("value") is not None else (chosen[0] if chosen else None)
    )
    return ((name, value),) if name and value is not None else entries(item)


_FORMS = 200
"""The most open forms whose message is remembered."""


class ChosenMessages:
    """In memory: the bot may not be able to read them again, and what comes back is not proof."""

    def __init__(self) -> None:
        self._chosen: Recent[str, SeenCommand] = Recent(_FORMS)
        """By the interaction that opened the form."""

    def form(self, seen: SeenCommand) -> Answer:
        """Asks for the question."""
        self._chosen[seen.id] = seen
        language = language_of_app(seen.locale)
        return modal(question_form(language), {}, seen.id)

    def completed(self, seen: SeenCommand) -> SeenCommand:
        """A handed-in question with its message; without it after a restart."""
        if seen.name != ASK_COMMAND or not seen.fields:
            return seen
        opened = self._chosen.pop(seen.form, None)
        question = replace(seen, args=question_in(seen.fields), fields=())
        if opened is None or opened.person.id != seen.person.id:
            return question
        return replace(question, menu=MenuAction.ASK, target=opened.target)

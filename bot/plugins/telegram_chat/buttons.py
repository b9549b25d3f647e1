"""Choices as inline buttons, and clicks read back from them.

Telegram returns at most 64 bytes with a click, and the message that was clicked with all of its
buttons. Nothing is stored: clicks outlive restarts.
"""

from collections.abc import Sequence
from typing import cast
from urllib.parse import quote, unquote

from bot.plugin.chat import Action, Choice
from bot.plugin.payloads import JsonObject, as_objects, object_in, text_in

DATA_BYTES = 64
LABEL_CHARS = 120
MOST_BUTTONS = 100
_WIDE = 20
"""Buttons with longer labels have a row of their own."""
_PLAIN, _LABEL = "b", "l"
"""The value follows; or it is the label of the button."""


def keyboard(choices: Sequence[Choice]) -> JsonObject | None:
    """The buttons of a message. One that is too long for Telegram is left out: it can be typed."""
    buttons = [
        {"text": _shown(choice, number), "callback_data": data}
        for number, choice in enumerate(choices[:MOST_BUTTONS], start=1)
        if (data := _data(choice, number)) is not None
    ]
    if not buttons:
        return None
    if all(len(one["text"]) <= _WIDE for one in buttons):
        rows = [buttons[start : start + 2] for start in range(0, len(buttons), 2)]
    else:
        rows = [[one] for one in buttons]
    return {"inline_keyboard": rows}


def unseen_options(choices: Sequence[Choice]) -> str:
    """All choices, numbered, where a label does not fit its button or a button is missing."""
    numbered = list(enumerate(choices, start=1))
    if all(len(one.label) <= LABEL_CHARS and _data(one, n) is not None for n, one in numbered):
        return ""
    return "\n\n" + "\n".join(f"{number}. {choice.label}" for number, choice in numbered)


def read_click(data: str, message: JsonObject) -> Action | None:
    """The choice behind the data of a click on this message; None when it is none of ours."""
    kind, *parts = data.split("|", 3)
    if kind not in {_PLAIN, _LABEL} or len(parts) != 3:
        return None
    verb, ref, value = unquote(parts[0]), unquote(parts[1]), parts[2]
    if kind == _LABEL:
        value = _label_of(data, message) or value
    return Action(ref, verb, value)


def _label_of(data: str, message: JsonObject) -> str:
    rows = object_in(message, "reply_markup").get("inline_keyboard")
    for row in cast("list[object]", rows) if isinstance(rows, list) else []:
        for button in as_objects(row):
            if text_in(button, "callback_data") == data:
                return text_in(button, "text")
    return ""


def _data(choice: Choice, number: int) -> str | None:
    head = f"{quote(choice.verb, safe='')}|{quote(choice.ref, safe='')}|"
    whole = f"{_PLAIN}|{head}{choice.value}"
    if len(whole.encode()) <= DATA_BYTES:
        return whole
    by_number = f"{_LABEL}|{head}{number}"
    if choice.value and len(by_number.encode()) <= DATA_BYTES:
        return by_number  # the label is the value, or starts with the number of the option
    return None


def _shown(choice: Choice, number: int) -> str:
    label = " ".join(choice.label.split()) or str(number)
    return label if len(label) <= LABEL_CHARS else f"{number}. {label}"[: LABEL_CHARS - 1] + "…"

"""Choices as buttons and selects, and the meaning of a click on one.

Nothing is stored: clicks outlive restarts.
"""

from collections.abc import Sequence
from urllib.parse import unquote

from bot.plugin.chat import Action, Choice
from bot.plugin.commands import SEND_FILES
from bot.plugin.drawing import Language, Phrase
from bot.plugin.payloads import JsonObject

_PREFIX = "bh"
_ANSWER = "answer"
_ID_CHARS = 100
_BUTTON_LABEL = 80
_OPTION_CHARS = 100
_MOST_BUTTONS = 5
_ROW = 5
_MOST_OPTIONS = 25
_STYLES = {"approve": 3, "reject": 4, "stop": 4}
_PLACEHOLDER = Phrase("Choose one, or write your own answer")


def choice_rows(choices: Sequence[Choice], language: Language = Language.EN) -> list[JsonObject]:
    """Rows of components: up to five choices as buttons, more as selects (5 rows of 25 options)."""
    if not choices:
        return []
    same = len({(choice.ref, choice.verb) for choice in choices}) == 1
    numbered = list(enumerate(choices, start=1))
    if len(choices) <= _MOST_BUTTONS or not same:
        buttons = [_button(choice, number) for number, choice in numbered[: _ROW * _ROW]]
        return [_row(buttons[start : start + _ROW]) for start in range(0, len(buttons), _ROW)]
    parts = [
        numbered[start : start + _MOST_OPTIONS] for start in range(0, len(numbered), _MOST_OPTIONS)
    ]
    return [_row([_select(part, language)]) for part in parts[:_ROW]]


def full_options(choices: Sequence[Choice]) -> str:
    """All choices in full, numbered, if a label or value is too long for its button; else ""."""
    if all(_fits(choice, number) for number, choice in enumerate(choices, start=1)):
        return ""
    return "\n" + "\n".join(
        f"{number}. {choice.label}" for number, choice in enumerate(choices, start=1)
    )


def stop_row(turn: str) -> JsonObject:
    """The Stop button of a draft."""
    return _row([_button(Choice("Stop", turn, "stop"), 1)])


def draft_turn(components: Sequence[JsonObject]) -> str | None:
    """The turn of a message's Stop button; None without one, so the message is no draft."""
    for row in components:
        items: list[JsonObject] = row.get("components") or []
        for item in items:
            action = read_click(str(item.get("custom_id", "")))
            if action is not None and action.verb == "stop":
                return action.ref
    return None


def read_click(custom_id: str, values: Sequence[str] = ()) -> Action | None:
    """The clicked choice, or None when it is no component of ours."""
    parts = custom_id.split("|", 4)
    if len(parts) != 5 or parts[0] != _PREFIX:
        return None
    _, verb, ref, _, value = parts
    chosen = values[0].partition("|")[2] if values else value
    return Action(unquote(ref), unquote(verb), chosen)


def asks_files(custom_id: str) -> str:
    """The turn whose question asks for files, of a click that opens the form for them; else ""."""
    action = read_click(custom_id)
    return action.ref if action is not None and action.verb == SEND_FILES else ""


def files_click(turn: str) -> str:
    """The id of that click."""
    return _head(Choice("", turn, SEND_FILES), 1)


def announces_answer(custom_id: str) -> bool:
    """Whether a click surely gets its own answer.

    A chosen answer to a question continues the talk, and a decided card says so itself.
    """
    action = read_click(custom_id)
    return action is not None and action.verb not in {_ANSWER, "approve", "reject"}


def _row(items: list[JsonObject]) -> JsonObject:
    return {"type": 1, "components": items}


def _button(choice: Choice, number: int) -> JsonObject:
    head = _head(choice, number)
    return {
        "type": 2,
        "style": _STYLES.get(choice.verb, 2),
        "label": _cut(choice.label, _BUTTON_LABEL, number) or str(number),
        "custom_id": head + _cut(choice.value, _ID_CHARS - len(head), number),
    }


def _select(numbered: list[tuple[int, Choice]], language: Language) -> JsonObject:
    first_number, first = numbered[0]
    options = [
        {
            "label": _cut(choice.label, _OPTION_CHARS, number) or str(number),
            "value": f"{number}|{_cut(choice.value, _OPTION_CHARS - len(f'{number}|'), number)}",
        }
        for number, choice in numbered
    ]
    return {
        "type": 3,
        "custom_id": _head(first, first_number),
        "placeholder": _PLACEHOLDER.said(language),
        "options": options,
    }


def _head(choice: Choice, number: int) -> str:
    return f"{_PREFIX}|{_quoted(choice.verb)}|{_quoted(choice.ref)}|{number}|"


def _quoted(text: str) -> str:
    return text.replace("%", "%25").replace("|", "%7C")


def _fits(choice: Choice, number: int) -> bool:
    room = min(_ID_CHARS - len(_head(choice, number)), _OPTION_CHARS - 3)
    return len(choice.label) <= _BUTTON_LABEL and len(choice.value) <= room


def _cut(text: str, most: int, number: int) -> str:
    """A text that does not fit starts with its number, so that it still names its option."""
    return text if len(text) <= most else f"{number}. {text}"[: most - 1] + "…"

"""Choices as buttons or a menu, and clicks read back from them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from bot.plugin.chat import Action, Choice
from bot.plugin.drawing import Language, Phrase
from bot.plugin.payloads import JsonObject, object_in, text_in
from bot.plugins.slack_chat.markup import escape

HELPED = Phrase("It helped")
DID_NOT_HELP = Phrase("It did not help")
CHOOSE = Phrase("Choose, or write an answer")
MENU_FROM = 6
"""From this number on, choices become a menu instead of a row of buttons."""
_ACTION_ID = "bellhop:choice"
_LABEL, _VALUE, _OPTION, _ROW = 75, 2000, 150, 25


@dataclass(frozen=True)
class Click:
    """A decoded click. `asked` is the user id whom the message asked, when that is known."""

    action: Action
    label: str
    asked: str


def choice_blocks(
    choices: Sequence[Choice], asked: str = "", language: Language = Language.EN
) -> list[JsonObject]:
    """Blocks for choices; one with a value too long for Slack is omitted, but can be typed."""
    coded = [(choice.label, _code(choice, asked)) for choice in choices]
    coded = [(label, value) for label, value in coded if len(value) <= _VALUE][:100]
    if not coded:
        return []
    if len(coded) >= MENU_FROM and all(len(value) <= _OPTION for _, value in coded):
        return [{"type": "actions", "block_id": "bellhop:0", "elements": [_menu(coded, language)]}]
    buttons = [_button(number, label, value) for number, (label, value) in enumerate(coded)]
    return [
        {
            "type": "actions",
            "block_id": f"bellhop:{start}",
            "elements": buttons[start : start + _ROW],
        }
        for start in range(0, len(buttons), _ROW)
    ]


def rating_block(turn: str, language: Language = Language.EN) -> JsonObject:
    """Slack's own thumbs below an answer; they rate this turn."""
    helped, did_not = HELPED.said(language), DID_NOT_HELP.said(language)
    buttons = {
        "type": "feedback_buttons",
        "action_id": f"{_ACTION_ID}:rate",
        "positive_button": _thumb("👍", helped, Choice("", turn, "rate_good")),
        "negative_button": _thumb("👎", did_not, Choice("", turn, "rate_bad")),
    }
    return {"type": "context_actions", "block_id": "bellhop:rate", "elements": [buttons]}


def _thumb(face: str, meaning: str, choice: Choice) -> JsonObject:
    return {
        "text": {"type": "plain_text", "text": face},
        "accessibility_label": meaning,
        "value": _code(choice, ""),
    }


def read_click(action: JsonObject) -> Click | None:
    """The meaning of one entry of a block_actions payload; None when it is none of ours."""
    if not text_in(action, "action_id").startswith(_ACTION_ID):
        return None
    chosen: JsonObject = action.get("selected_option") or action
    try:
        parts: Any = json.loads(str(chosen.get("value")))
    except ValueError:
        return None
    if not isinstance(parts, list) or len(cast("list[Any]", parts)) != 4:
        return None
    ref, verb, value, asked = (str(part) for part in cast("list[Any]", parts))
    label = text_in(object_in(chosen, "text"), "text") or value or verb
    return Click(Action(ref, verb, value), label, asked)


def line_block(line: str) -> JsonObject:
    """The ending, in small print."""
    note = {"type": "mrkdwn", "text": escape(line)[:1900]}
    return {"type": "context", "block_id": "bellhop:over", "elements": [note]}


def button_of(choice: Choice, number: int = 0) -> JsonObject:
    """One button; `number` keeps those of one block apart."""
    return _button(number, choice.label, _code(choice, ""))


def _code(choice: Choice, asked: str) -> str:
    return json.dumps(
        [choice.ref, choice.verb, choice.value, asked], ensure_ascii=False, separators=(",", ":")
    )


def _cut(label: str) -> str:
    label = label.strip() or "…"
    return label if len(label) <= _LABEL else f"{label[: _LABEL - 1]}…"


def _button(number: int, label: str, value: str) -> JsonObject:
    text = {"type": "plain_text", "text": _cut(label)}
    return {"type": "button", "action_id": f"{_ACTION_ID}:{number}", "text": text, "value": value}


def _menu(coded: Sequence[tuple[str, str]], language: Language) -> JsonObject:
    options = [
        {"text": {"type": "plain_text", "text": _cut(label)}, "value": value}
        for label, value in coded
    ]
    placeholder = {"type": "plain_text", "text": CHOOSE.said(language)}
    return {
        "type": "static_select",
        "action_id": _ACTION_ID,
        "placeholder": placeholder,
        "options": options,
    }

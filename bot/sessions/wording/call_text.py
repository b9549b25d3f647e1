"""The arguments of a call as people read them: as JSON, a text of several lines below it.

Reading either back gives the same bytes, which is what a yes is compared with.
"""

import json
import re
from dataclasses import dataclass
from typing import cast

from bot.domain.card_words import visible
from bot.domain.json_types import JsonObject
from bot.domain.languages import Language, Phrase

_BELOW = Phrase(
    "(the text below)",
    "(der Text unten)",
    "(le texte ci-dessous)",
    "(el texto de abajo)",
    "(il testo qui sotto)",
)
_WITH_END = Phrase(
    "(the text below and a line end)",
    "(der Text unten und ein Zeilenende)",
    "(le texte ci-dessous et une fin de ligne)",
    "(el texto de abajo y un fin de línea)",
    "(il testo qui sotto e una fine riga)",
)
BELOW, WITH_END = _BELOW.en, _WITH_END.en
_ENDS = frozenset(_WITH_END.all.values())
_MARKS = _ENDS | frozenset(_BELOW.all.values())
"""What stands for the text below, in any language."""
_FENCE = re.compile("`{3,}")
_UNSEEN = re.compile(r"[ \t](\n|\Z)|\A\n|\n\Z")
"""White space that nobody sees in a block."""


@dataclass(frozen=True)
class CallText:
    """The arguments as `json`, and behind it `body`: the argument that says so."""

    json: str
    body: str | None = None

    @property
    def blocks(self) -> str:
        """Fenced blocks, which the text can't close."""
        below = "" if self.body is None else f"\n```text\n{self.body}\n```"
        return f"```json\n{self.json}\n```{below}"

    def arguments(self) -> JsonObject:
        """The arguments as a reader gets them. Raises ValueError, RecursionError."""
        found = cast("JsonObject", json.loads(self.json))
        if self.body is None:
            return found
        [name] = [name for name, value in found.items() if _is_mark(value)]
        end = "\n" if found[name] in _ENDS else ""
        return {**found, name: f"{self.body}{end}"}


def call_text(arguments: JsonObject, language: Language = Language.EN) -> CallText:
    """One text of several lines stands below, if all of it can be seen there."""
    texts = [name for name, value in arguments.items() if isinstance(value, str) and "\n" in value]
    name = max(texts, key=lambda one: len(arguments[one]), default=None)
    marks = any(map(_is_mark, arguments.values()))
    if name is None or marks:
        return CallText(as_json(arguments))
    body = str(arguments[name]).removesuffix("\n")
    if visible(body) != body or _FENCE.search(body) or _UNSEEN.search(body):
        return CallText(as_json(arguments))
    mark = (_BELOW if body == arguments[name] else _WITH_END).said(language)
    return CallText(as_json({**arguments, name: mark}), body)


def _is_mark(value: object) -> bool:
    return isinstance(value, str) and value in _MARKS


def as_json(arguments: JsonObject) -> str:
    """JSON with every character visible, which can't close the block around it."""
    return unfenced(visible(json.dumps(arguments, ensure_ascii=False, indent=2)))


def unfenced(text: str) -> str:
    """Text that can't close the block around it: a row of backticks is spelt out."""
    return _FENCE.sub(lambda row: "\\u0060" * len(row[0]), text)

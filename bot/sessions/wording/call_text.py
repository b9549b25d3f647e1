"""The arguments of a call as people read them: as JSON, a text of several lines below it.

Reading either back gives the same bytes, which is what a yes is compared with.
"""

import json
import re
from dataclasses import dataclass
from typing import cast

from bot.domain.card_words import visible
from bot.domain.json_types import JsonObject

BELOW, WITH_END = "(the text below)", "(the text below and a line end)"
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
        [name] = [name for name, value in found.items() if value in (BELOW, WITH_END)]
        end = "\n" if found[name] == WITH_END else ""
        return {**found, name: f"{self.body}{end}"}


def call_text(arguments: JsonObject) -> CallText:
    """One text of several lines stands below, if all of it can be seen there."""
    texts = [name for name, value in arguments.items() if isinstance(value, str) and "\n" in value]
    name = max(texts, key=lambda one: len(arguments[one]), default=None)
    marks = any(value in (BELOW, WITH_END) for value in arguments.values())
    if name is None or marks:
        return CallText(as_json(arguments))
    body = str(arguments[name]).removesuffix("\n")
    if visible(body) != body or _FENCE.search(body) or _UNSEEN.search(body):
        return CallText(as_json(arguments))
    mark = BELOW if body == arguments[name] else WITH_END
    return CallText(as_json({**arguments, name: mark}), body)


def as_json(arguments: JsonObject) -> str:
    """JSON with every character visible, which can't close the block around it."""
    return unfenced(visible(json.dumps(arguments, ensure_ascii=False, indent=2)))


def unfenced(text: str) -> str:
    """Text that can't close the block around it: a row of backticks is spelt out."""
    return _FENCE.sub(lambda row: "\\u0060" * len(row[0]), text)

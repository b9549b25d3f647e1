"""A call in words for the person who says yes or no to it.

The words are for reading alone: nothing compares them, and the arguments stand whole below them.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self

from bot.domain.json_types import JsonObject
from bot.domain.languages import Language, Translations

TITLE_CHARS = 120
_NAME_CHARS = 80
_MARKDOWN = re.compile(r"[*_`~|<>\[\]()\\#@]")
_FRAMES = re.compile(r"[*`~|<>\[\]()\\#]")
_EDGES = re.compile(
    r"(?<![\w@])[_@]++|(?<![_@])[_@]++(?![^\W_])|@++(?=(?:everyone|here)(?![^\W_]))"
)
"""Not what stands within a word: "pay__roll@evil.example" would read as another address.

Taken out after all other markup, which can hide an edge.
"""
_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Characters that fonts show as nothing although Unicode calls them printable."""


@dataclass(frozen=True)
class About:
    """What a call means, as far as its tool and the session know."""

    words: str = ""
    """What it does, behind "Ann asks to": "put “Dentist” into their calendar"."""
    names: tuple[str, ...] = ()
    """The things that it names by their ids, or the calls of a plan: a line for each."""
    others: Mapping[Language, Self] = field(default_factory=dict[Language, Self])
    """The same in languages other than English, behind a colon."""

    def __bool__(self) -> bool:
        return bool(self.words or self.names)

    @classmethod
    def told(cls, told: str | Translations, names: tuple[str, ...] = ()) -> Self:
        """By a tool's words, in English alone or in each language."""
        match told:
            case str():
                return cls(told, names)
            case Translations():
                others = {one: cls(told.said(one), names) for one in Language}
                return cls(others.pop(Language.EN).words, names, others)

    def read_in(self, language: Language) -> Self:
        return self.others.get(language, self)

    def to_json(self) -> JsonObject:
        own: JsonObject = {"words": self.words, "names": list(self.names)}
        others = {language: one.to_json() for language, one in self.others.items()}
        return {**own, "others": others} if others else own

    @classmethod
    def from_json(cls, data: JsonObject) -> Self:
        others = {
            Language(language): cls.from_json(one)
            for language, one in data.get("others", {}).items()
        }
        return cls(str(data.get("words", "")), tuple(map(str, data.get("names", ()))), others)


def titled(text: str, most: int = TITLE_CHARS) -> str:
    """A text of others in quotation marks: one line, which it can't leave, without markup."""
    plain = _EDGES.sub("", _FRAMES.sub("", visible(" ".join(text.split()))))
    plain = " ".join(re.sub("[“”]", "'", plain).split())
    return f"“{plain[:most]}…”" if len(plain) > most else f"“{plain}”"


def coded(text: str, most: int = TITLE_CHARS) -> str:
    """An address, an id or a path: every character of it, as code."""
    plain = visible(" ".join(text.split())).replace("`", "'")
    return f"`{plain[:most]}…`" if len(plain) > most else f"`{plain}`"


def visible(text: str) -> str:
    """The text with invisible or reordering characters escaped as in JSON."""
    return "".join(
        char
        if char == "\n" or (char.isprintable() and not _INVISIBLE.match(char))
        else json.dumps(char)[1:-1]
        for char in text
    )


def in_words(name: str) -> str:
    """A person's name as plain words: nothing in it is markup, a mention or a link."""
    return (
        " ".join(_MARKDOWN.sub("", visible(" ".join(name.split()))).split())[:_NAME_CHARS]
        or "Somebody"
    )

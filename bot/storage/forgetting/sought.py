"""The words that somebody wants forgotten, and how a text is searched and cut for them.

This decides nothing but what goes of the person's own things, and only after they saw the counts
and said yes.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import unquote

from bot.storage.fulltext import STOP_WORDS

FORGOTTEN = "[forgotten]"
"""What stands for a line that held the words."""
_WORD = re.compile(r"[^\W_]+")
_ALNUM = re.compile(r"\w+")
_ESCAPE = re.compile(r"\\+(?:u([0-9a-fA-F]{4})|[nrtbf\"/])")
_INSIDE = 5
"""A word of so many letters is also found inside longer ones, because index data, addresses and
compounds hold it so."""
_MARKS = re.compile("[\u0300-\u036f]+")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]")


@dataclass(frozen=True)
class Sought:
    """A text is meant when it holds all of `words`, in any case and spelling of JSON and URLs."""

    words: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> "Sought":
        """The telling words of a text, each once; all of them when there is no other."""
        found = list(dict.fromkeys(_WORD.findall(_compared(text))))
        return cls(tuple(word for word in found if word not in STOP_WORDS) or tuple(found))

    def __bool__(self) -> bool:
        return bool(self.words)

    @cached_property
    def _patterns(self) -> tuple[re.Pattern[str], ...]:
        return tuple(re.compile(_pattern(word)) for word in self.words)

    def names(self, text: str) -> bool:
        """Whether a text holds all of the words."""
        plain = _plain(text)
        return bool(self.words) and all(one.search(plain) for one in self._patterns)

    def touches(self, text: str) -> bool:
        """Whether a text holds any of the words."""
        plain = _plain(text)
        return any(one.search(plain) for one in self._patterns)

    def cut(self, text: str) -> str:
        """A text that holds all of the words, without each line that holds any of them."""
        if not self.names(text):
            return text
        lines = [
            f"{FORGOTTEN}{line[len(line.rstrip()) :]}" if self.touches(line) else line
            for line in text.splitlines(keepends=True)
        ]
        rest = "".join(lines)
        return FORGOTTEN if self.touches(rest.replace(FORGOTTEN, "")) else rest

    def without_lines(self, text: str) -> str:
        """A text without the lines that hold all of the words."""
        lines = text.splitlines(keepends=True)
        return "".join(line for line in lines if not self.names(line))

    def overwritten(self, line: str) -> str:
        """A line of as many bytes in which crosses stand for the words, if it holds all."""
        if not self.names(line):
            return line
        for word in self.words:
            line = re.sub(re.escape(word), _crossed, line, flags=re.IGNORECASE)
        return _ALNUM.sub(_crossed, line) if self.names(line) else line


def _crossed(found: re.Match[str]) -> str:
    return "x" * len(found[0].encode("utf-8", "surrogateescape"))


def _pattern(word: str) -> str:
    if len(word) >= _INSIDE or _CJK.search(word):
        return re.escape(word)
    return rf"(?<![^\W_]){re.escape(word)}(?:e?s)?(?![^\W_])"


def _plain(text: str) -> str:
    """A text as it is compared: escapes of JSON and URLs undone, without case and accents."""
    if "%" in text:
        text = unquote(text)
    if "\\" in text:
        text = _ESCAPE.sub(_unescaped, text)
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return _compared(text)


def _compared(text: str) -> str:
    """Without case and marks: quick, because everything that is kept of a person is read."""
    if text.isascii():
        return text.lower()
    return _MARKS.sub("", unicodedata.normalize("NFD", text.casefold()))


def _unescaped(found: re.Match[str]) -> str:
    return chr(int(found[1], 16)) if found[1] else " "

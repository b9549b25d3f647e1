"""Search terms of a text: folded, split, without stop words, stemmed by Porter's algorithm."""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain

from bot.storage.stems import porter_stem

_WORD = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]")

_SHORT = 2
_STOP = """
a about all an and any are as at be but by can could do does for from get had has have how i if in
into is it its me my no not of on or our please should so some than that the their them then there
these they this to up us use want was we what when where which who will with would you your
"""
STOP_WORDS = frozenset(_STOP.split())
_PARTED = "".join(char if char.isalnum() else " " for char in map(chr, range(128)))
"""ASCII with a blank for each character that parts words: as `_WORD`, in a third of the time."""


def terms(text: str) -> list[str]:
    """Search terms in order, repetitions kept. CJK runs become overlapping pairs of characters."""
    words = _words(text)
    wanted = list(chain.from_iterable(map(_terms_unless_stopped, words)))
    return wanted or list(chain.from_iterable(map(_terms_of, words)))


def _words(text: str) -> list[str]:
    cased = text if text == text.lower() else _CAMEL.sub(" ", text)
    if cased.isascii():
        return cased.lower().translate(_PARTED).split()
    return _WORD.findall(unicodedata.normalize("NFKC", cased).casefold())


@lru_cache(maxsize=4_096)
def _terms_unless_stopped(word: str) -> Sequence[str]:
    return () if word in STOP_WORDS else _terms_of(word)


def _terms_of(word: str) -> Sequence[str]:
    if word.isascii():
        return (porter_stem(word) if len(word) > _SHORT and word.isalpha() else word,)
    if not _CJK.search(word):
        return (word,)
    return tuple(word[at : at + 2] for at in range(max(1, len(word) - 1)))


def stem(word: str) -> str:
    """A lower-case English word's stem; other alphabets and very short words stay as they are."""
    if len(word) <= _SHORT or not (word.isascii() and word.isalpha()):
        return word  # numbers and references are endless, so they are not cached
    return porter_stem(word)

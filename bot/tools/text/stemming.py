"""Search terms of a text: folded, split, without stop words, stemmed by Porter's algorithm."""

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import chain

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
        return (_stemmed(word) if len(word) > _SHORT and word.isalpha() else word,)
    if not _CJK.search(word):
        return (word,)
    return tuple(word[at : at + 2] for at in range(max(1, len(word) - 1)))


def stem(word: str) -> str:
    """A lower-case English word's stem; other alphabets and very short words stay as they are."""
    if len(word) <= _SHORT or not (word.isascii() and word.isalpha()):
        return word  # numbers and references are endless, so they are not cached
    return _stemmed(word)


@lru_cache(maxsize=16_384)
def _stemmed(word: str) -> str:
    for step in _STEPS:
        word = step(word)
    return word


def _shape(text: str) -> str:
    """`v` for vowels, `c` for consonants; y is a vowel after a consonant."""
    shape = ""
    for letter in text:
        vowel = letter in "aeiou" or (letter == "y" and shape.endswith("c"))
        shape += "v" if vowel else "c"
    return shape


def _measure(text: str) -> int:
    """How many vowel-consonant sequences there are."""
    return len(re.findall("v+c+", _shape(text)))


def _short_end(text: str) -> bool:
    """Ends consonant, vowel, consonant, the last one not w, x or y."""
    return _shape(text).endswith("cvc") and text[-1] not in "wxy"


def _double_end(text: str) -> bool:
    return len(text) > 1 and text[-1] == text[-2] and _shape(text).endswith("c")


def _plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _past(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for ending in ("ed", "ing"):
        left = word.removesuffix(ending)
        if left != word and "v" in _shape(left):
            return _repaired(left)
    return word


def _repaired(left: str) -> str:
    if left.endswith(("at", "bl", "iz")):
        return left + "e"
    if _double_end(left) and left[-1] not in "lsz":
        return left[:-1]
    return left + "e" if _measure(left) == 1 and _short_end(left) else left


def _final_y(word: str) -> str:
    return word[:-1] + "i" if word.endswith("y") and "v" in _shape(word[:-1]) else word


_LONG = {
    "ational": "ate",
    "tional": "tion",
    "enci": "ence",
    "anci": "ance",
    "izer": "ize",
    "bli": "ble",
    "alli": "al",
    "entli": "ent",
    "eli": "e",
    "ousli": "ous",
    "ization": "ize",
    "ation": "ate",
    "ator": "ate",
    "alism": "al",
    "iveness": "ive",
    "fulness": "ful",
    "ousness": "ous",
    "aliti": "al",
    "iviti": "ive",
    "biliti": "ble",
    "logi": "log",
}
_MIDDLE = {
    "icate": "ic",
    "ative": "",
    "alize": "al",
    "iciti": "ic",
    "ical": "ic",
    "ful": "",
    "ness": "",
}
_LAST = (
    "ement",
    "ance",
    "ence",
    "able",
    "ible",
    "ment",
    "ant",
    "ent",
    "ism",
    "ate",
    "iti",
    "ous",
    "ive",
    "ize",
    "ion",
    "al",
    "er",
    "ic",
    "ou",
)


def _replacing(table: dict[str, str]) -> Callable[[str], str]:
    endings = sorted(table, key=len, reverse=True)

    def step(word: str) -> str:
        for ending in endings:
            if word.endswith(ending):
                left = word[: -len(ending)]
                return left + table[ending] if _measure(left) > 0 else word
        return word

    return step


def _dropping(word: str) -> str:
    for ending in _LAST:
        if word.endswith(ending):
            left = word[: -len(ending)]
            fits = _measure(left) > 1 and (ending != "ion" or left.endswith(("s", "t")))
            return left if fits else word
    return word


def _final_e(word: str) -> str:
    if word.endswith("e"):
        left = word[:-1]
        if _measure(left) > 1 or (_measure(left) == 1 and not _short_end(left)):
            word = left
    return word[:-1] if word.endswith("ll") and _measure(word) > 1 else word


_STEPS = (_plural, _past, _final_y, _replacing(_LONG), _replacing(_MIDDLE), _dropping, _final_e)

"""Words of a query and of an entry, brought to a common form so that they can be compared."""

import re
import unicodedata

from bot.storage.fulltext import STOP_WORDS, index_text

_WORD = re.compile(r"[^\W_]+")
_ENDINGS = (("ies", "y"), ("sses", "ss"), ("ing", ""), ("edly", ""), ("ed", ""), ("ly", ""), ("es", ""), ("s", ""))
_STEM_CHARS = 3


def stems(text: str) -> frozenset[str]:
    """The stems of a text without stop words (with them when there is nothing else); CJK text as pairs."""
    words = _WORD.findall(index_text(unicodedata.normalize("NFKC", text)).casefold())
    telling = [word for word in words if word not in STOP_WORDS]
    return frozenset(_stem(word) for word in telling or words)


def _stem(word: str) -> str:
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) + len(instead) >= _STEM_CHARS and not word.endswith("ss"):
            word = word.removesuffix(ending) + instead
            break
    if len(word) <= _STEM_CHARS:
        return word
    doubled = word[-1] == word[-2] and word[-1] not in "aeiouls"
    return word[:-1] if doubled else word.removesuffix("e")

"""Words of a query and of an entry, brought to a common form so that they can be compared."""

import re
import unicodedata

_WORD = re.compile(r"[^\W_]+")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]+")
_STOP_WORDS = frozenset(
    (
        "a", "about", "am", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by", "can", "could", "did",
        "do", "does", "for", "from", "had", "has", "have", "he", "her", "his", "how", "i", "if", "in", "is", "it",
        "its", "me", "my", "of", "on", "or", "our", "she", "should", "so", "that", "the", "their", "them", "there",
        "they", "this", "to", "us", "was", "we", "were", "what", "when", "where", "which", "who", "why", "will",
        "with", "would", "you", "your",
    )
)  # fmt: skip
_ENDINGS = (("ies", "y"), ("sses", "ss"), ("ing", ""), ("edly", ""), ("ed", ""), ("ly", ""), ("es", ""), ("s", ""))
_STEM_CHARS = 3


def stems(text: str) -> frozenset[str]:
    """The stems of a text without stop words (with them when there is nothing else); CJK text as bigrams."""
    text = unicodedata.normalize("NFKC", text)
    words = [word for word in _WORD.findall(text.casefold()) if not _CJK.search(word)]
    telling = [word for word in words if word not in _STOP_WORDS]
    pairs = (pair for run in _CJK.findall(text) for pair in _bigrams(run))
    return frozenset((*(_stem(word) for word in telling or words), *pairs))


def _stem(word: str) -> str:
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) + len(instead) >= _STEM_CHARS and not word.endswith("ss"):
            word = word.removesuffix(ending) + instead
            break
    doubled = len(word) > _STEM_CHARS and word[-1] == word[-2] and word[-1] not in "aeiouls"
    return word[:-1] if doubled else word.removesuffix("e") if len(word) > _STEM_CHARS else word


def _bigrams(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)] or [run]

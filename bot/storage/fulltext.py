"""Full text: how a text is indexed and how words become a safe MATCH query.

In SQLite, tables that hold `index_text` are declared with `tokenize = 'porter unicode61
remove_diacritics 2'`. In PostgreSQL they only split at spaces and stem, so the words are already
cut out and folded here. Chinese, Japanese and Korean runs are cut into overlapping pairs, because
FTS5 takes a whole run for one word (measured: 2 % found without, 27 % with).
"""

import re
import unicodedata

MAX_TERMS = 48
"""The most words of a query that are searched; more only cost time."""

CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
_CJK_RUN = re.compile(rf"[{CJK}]+")
_WORD = re.compile(r"[^\W_]+")
_ACCENTED = re.compile(r"([a-z])[\u0300-\u036f]+")

_STOP_TEXT = """
    a about am an and any are as at be been but by can could did do does for from had has have
    he her here him his how i if in into is it its just me my no not of on or our out she should
    so some than that the their them then there these they this those to too up us was we were
    what when where which who whom why will with would you your
"""
STOP_WORDS = frozenset(_STOP_TEXT.split())
"""English words without meaning of their own; queries omit them to find more, faster."""


def index_text(text: str) -> str:
    """The words of a text as a full-text column holds them: folded, CJK runs in pairs."""
    paired = _CJK_RUN.sub(lambda run: f" {' '.join(pairs(run[0], with_last=True))} ", text)
    return " ".join(_WORD.findall(folded(paired)))


def folded(text: str) -> str:
    """Without case, and without the accents of Latin letters, as FTS5 folds words itself."""
    apart = unicodedata.normalize("NFD", text.casefold())
    return unicodedata.normalize("NFC", _ACCENTED.sub(r"\1", apart))


def fts_query(text: str) -> str | None:
    """A MATCH expression that finds rows with any of the words; None if there are no words.

    Every word is quoted, so no character of `text` can act as FTS5 syntax.
    """
    terms: dict[str, None] = {}
    paired = _CJK_RUN.sub(lambda run: f" {' '.join(pairs(run[0], with_last=False))} ", text)
    for word in _WORD.findall(folded(paired)):
        if word not in STOP_WORDS:
            terms[_term(word)] = None
    return " OR ".join(list(terms)[:MAX_TERMS]) or None


def pairs(run: str, *, with_last: bool) -> list[str]:
    """A run of Chinese or the like in overlapping pairs.

    An index also holds the last character alone, so that one character is found anywhere.
    """
    if len(run) == 1:
        return [run]
    found = [run[at : at + 2] for at in range(len(run) - 1)]
    return [*found, run[-1]] if with_last else found


def _term(word: str) -> str:
    return f'"{word}"*' if _CJK_RUN.fullmatch(word) and len(word) == 1 else f'"{word}"'

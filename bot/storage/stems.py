"""Words for full text search: folded, stemmed in five languages, Chinese and the like in pairs.

The language of a message is unknown, so each word is stored in every form that the stemmers return
(1.4 on average), and searched in each. A word of another language is found as it is written.
"""

import re
import threading
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, cast

import Stemmer  # pyright: ignore[reportMissingTypeStubs]

from bot.storage.fulltext import CJK, MAX_TERMS, STOP_WORDS, pairs

LANGUAGES = ("english", "german", "french", "spanish", "italian")
INDEXED_CHARS = 20_000
"""So much of one text is found by its words."""
_WORD_CHARS = 40
_KEEPS_NO_WORDS = 0
"""The size of a stemmer's own cache: the functions here have one for all threads."""
_RUN = re.compile(rf"[{CJK}]+|[^\W_{CJK}]+")
_IS_CJK = re.compile(rf"[{CJK}]")


def indexed(text: str) -> str:
    """The text as a full-text column with the tokenizer `ascii` holds it."""
    return " ".join(
        form
        for run in _RUN.findall(_folded(text[:INDEXED_CHARS]))
        if run not in STOP_WORDS
        for form in (pairs(run, with_last=True) if _IS_CJK.match(run) else _forms(run))
    )


@dataclass(frozen=True)
class StemmedQuery:
    """What a query looks for.

    Each of `groups` is a MATCH expression for one word, in any of its forms.
    """

    groups: tuple[str, ...] = ()
    forms: frozenset[str] = frozenset()

    @classmethod
    def of(cls, query: str) -> "StemmedQuery":
        """The words of a query, each once.

        No character of it can act as syntax, since every form is quoted.
        """
        found: dict[str, tuple[str, ...]] = {}
        for run in _RUN.findall(_folded(query)):
            if _IS_CJK.match(run):
                found.update({pair: (pair,) for pair in pairs(run, with_last=False)})
            elif run not in STOP_WORDS:
                found[run] = _forms(run)
        kept = list(found.values())[:MAX_TERMS]
        forms = frozenset(form for forms in kept for form in forms)
        return cls(tuple(_expression(forms) for forms in kept), forms)

    @property
    def any_word(self) -> str:
        """A MATCH expression for texts that hold any of the words; empty without words."""
        return " OR ".join(self.groups)

    def __bool__(self) -> bool:
        return bool(self.groups)

    def found_in(self, text: str) -> int:
        """How many of the query's forms a text holds."""
        return len(self.forms & set(indexed(text).split()))

    def spot(self, text: str) -> int:
        """Where the first of the words stands in a text; 0 when none does."""
        for match in _RUN.finditer(text):
            run = _folded(match[0])
            if _IS_CJK.match(run):
                at = min((run.find(form) for form in self.forms if form in run), default=-1)
                if at >= 0:
                    return match.start() + at
            elif not self.forms.isdisjoint(_forms(run)):
                return match.start()
        return 0


def words_in(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each word of a text, folded, with its forms; Chinese and the like in pairs."""
    for run in _RUN.findall(_folded(text[:INDEXED_CHARS])):
        if _IS_CJK.match(run):
            yield from ((pair, (pair,)) for pair in pairs(run, with_last=False))
        else:
            yield run, _forms(run)


def _folded(text: str) -> str:
    """Without case, accents and other spellings of the same letter."""
    if text.isascii():
        return text.lower()
    parts = unicodedata.normalize("NFKD", text.casefold())
    return unicodedata.normalize(
        "NFC", "".join(one for one in parts if not unicodedata.combining(one))
    )


@lru_cache(maxsize=65_536)
def _forms(word: str) -> tuple[str, ...]:
    word = word[:_WORD_CHARS]
    return tuple(dict.fromkeys(stemmer.stemWord(word) for stemmer in _STEMMERS.of_all_languages))


@lru_cache(maxsize=16_384)
def porter_stem(word: str) -> str:
    """A lower-case English word's stem by Porter's first algorithm, for words that are compared."""
    return str(_STEMMERS.porter.stemWord(word))


class _Stemmers(threading.local):
    """A set for each thread: a stemmer keeps the word that it works on in itself."""

    @cached_property
    def of_all_languages(self) -> tuple[Any, ...]:
        return tuple(map(_stemmer, LANGUAGES))

    @cached_property
    def porter(self) -> Any:
        return _stemmer("porter")


def _stemmer(algorithm: str) -> Any:
    library = cast("Any", Stemmer)  # it has no types
    return library.Stemmer(algorithm, _KEEPS_NO_WORDS)


_STEMMERS = _Stemmers()


def _expression(forms: tuple[str, ...]) -> str:
    if len(forms[0]) == 1 and _IS_CJK.match(forms[0]):
        return f'"{forms[0]}"*'
    return "(" + " OR ".join(f'"{form}"' for form in forms) + ")"

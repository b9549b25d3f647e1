"""Sentences that are kept in English, and read in each language.

A file or an error holds the English words, with names and numbers in them. Those of a `Phrase` show
where these stand, and so what the other languages say. This decides nothing but wording: a sentence
that is not known stays as it is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import Formatter

from bot.domain.languages import Language, Phrase, Translations

INNER = "text"
"""The part of a phrase that is a sentence by itself, and is told anew as well."""


@dataclass(frozen=True)
class Retelling:
    """Tells sentences anew; of several phrases that fit, the first counts."""

    phrases: Sequence[Phrase]

    def told(self, english: str, language: Language) -> str:
        """The sentence in a language; as it is where no phrase fits."""
        if language is Language.EN:
            return english
        for phrase in self.phrases:
            parts = parts_in(english, phrase.en)
            if parts is None:
                continue
            if INNER in parts:
                parts = {**parts, INNER: self.told(parts[INNER], language)}
            return phrase.said(language, **parts)
        return english

    def in_all(self, english: str) -> Translations:
        return Translations.by(lambda language: self.told(english, language))


def parts_in(text: str, pattern: str) -> Mapping[str, str] | None:
    """What stands in place of the marks of a pattern, each as short as can be; None if none fits.

    A mark that is there twice stands for the same twice.
    """
    parts: dict[str, str] = {}
    pieces = list(Formatter().parse(pattern))
    at, name = 0, None
    for number, (literal, following, _, _) in enumerate(pieces):
        last = number == len(pieces) - 1 and following is None
        found = _next(text, literal, at, anywhere=name is not None, last=last)
        if found is None:
            return None
        if name is not None and parts.setdefault(name, text[at:found]) != text[at:found]:
            return None
        at, name = found + len(literal), following
    rest = text[at:]
    if name is None:
        return None if rest else parts
    return parts if rest and parts.setdefault(name, rest) == rest else None


def _next(text: str, literal: str, at: int, *, anywhere: bool, last: bool) -> int | None:
    """Where a literal begins: right at `at`, or with something before it."""
    if not anywhere:
        return at if text.startswith(literal, at) else None
    if last:
        end = len(text) - len(literal)
        return end if end > at and text.endswith(literal) else None
    found = text.find(literal, at + 1)
    return found if found >= 0 else None

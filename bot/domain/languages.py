"""The languages of Bellhop's own words, and words that exist in all of them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from bot.errors import BotError
from bot.translations import catalogue


class Language(StrEnum):
    EN = "en"
    DE = "de"
    FR = "fr"
    ES = "es"
    IT = "it"


@dataclass(frozen=True)
class Translations:
    """Words as they are read, in each language: nothing is put into them any more."""

    words: Mapping[Language, str]

    @classmethod
    def by(cls, said: Callable[[Language], str]) -> Self:
        return cls({language: said(language) for language in Language})

    def said(self, language: Language) -> str:
        return self.words[language]


@dataclass(frozen=True)
class Phrase:
    """The same words in each language; `{name}` marks what `said` puts in.

    Translations stand in the catalogues (`bot.translations`); a plug-in of others brings its own
    here. What nobody has translated is said in English.
    """

    en: str
    de: str = ""
    fr: str = ""
    es: str = ""
    it: str = ""
    context: str = ""
    """What is meant, where the same English words are translated in more than one way."""

    def said(self, language: Language, **parts: object) -> str:
        return self.words(language).format(**parts)

    def filled(self, **parts: object) -> Translations:
        return Translations.by(lambda language: self.said(language, **parts))

    def words(self, language: Language) -> str:
        """The words with their marks."""
        match language:
            case Language.EN:
                return self.en
            case Language.DE:
                own = self.de
            case Language.FR:
                own = self.fr
            case Language.ES:
                own = self.es
            case Language.IT:
                own = self.it
        return own or catalogue(language).get(self.key, self.en)

    @property
    def key(self) -> str:
        """What the catalogues call it."""
        return f"{self.context}|{self.en}" if self.context else self.en

    @property
    def all(self) -> dict[Language, str]:
        return {language: self.words(language) for language in Language}


@dataclass(frozen=True)
class CountedPhrase:
    """Words about one thing and about several; `{count}` stands for how many."""

    one: Phrase
    many: Phrase

    def said(self, language: Language, count: int, **parts: object) -> str:
        none_is_one = count == 0 and language is Language.FR
        phrase = self.one if count == 1 or none_is_one else self.many
        return phrase.said(language, count=number(count, language), **parts)


_THOUSANDS = {
    Language.EN: ",",
    Language.DE: ".",
    Language.FR: "\u202f",
    Language.ES: ".",
    Language.IT: ".",
}
_AND = {
    Language.EN: "and",
    Language.DE: "und",
    Language.FR: "et",
    Language.ES: "y",
    Language.IT: "e",
}


def number(count: int, language: Language) -> str:
    """`12,000`, `12.000`: a number with the separators of a language."""
    return f"{count:,}".replace(",", _THOUSANDS[language])


def decimal(amount: float, places: int, language: Language) -> str:
    """`1,200.50`, `1.200,50`."""
    whole, point, rest = f"{amount:,.{places}f}".partition(".")
    comma = "." if language is Language.EN else ","
    return whole.replace(",", _THOUSANDS[language]) + (comma if point else "") + rest


def joined(names: Sequence[str], language: Language) -> str:
    """`Ann, Ben and Cara`; empty for none."""
    *first, last = names or [""]
    return f"{', '.join(first)} {_AND[language]} {last}" if first else last


def language_of_app(locale: str) -> Language:
    """What to say things in to somebody whose app has this setting: English for other languages."""
    return language_of_locale(locale) or Language.EN


def language_of_locale(locale: str) -> Language | None:
    """The language of an app's setting, such as `de`, `en-GB` or `es_419`; None for others."""
    code = locale.replace("_", "-").partition("-")[0].casefold()
    return Language(code) if code in set(Language) else None


class ToldError(BotError):
    """An error that people read: its text is English, `said` is for who did what failed."""

    def __init__(self, told: Translations | str) -> None:
        """`told`: a `str` is English, whoever reads it."""
        self._told = Translations.by(lambda _: told) if isinstance(told, str) else told
        super().__init__(self._told.said(Language.EN))

    def said(self, language: Language) -> str:
        return self._told.said(language)

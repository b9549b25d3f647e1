"""The languages of Bellhop's own words, and words that exist in all of them."""

from dataclasses import dataclass
from enum import StrEnum


class Language(StrEnum):
    EN = "en"
    DE = "de"
    FR = "fr"
    ES = "es"
    IT = "it"


@dataclass(frozen=True)
class Phrase:
    """The same words in each language; `{name}` marks what `said` puts in."""

    en: str
    de: str
    fr: str
    es: str
    it: str

    def said(self, language: Language, **parts: object) -> str:
        return self.all[language].format(**parts)

    @property
    def all(self) -> dict[Language, str]:
        words = (self.en, self.de, self.fr, self.es, self.it)
        return dict(zip(Language, words, strict=True))


def language_of_locale(locale: str) -> Language | None:
    """The language of an app's setting, such as `de`, `en-GB` or `es_419`; None for others."""
    code = locale.replace("_", "-").partition("-")[0].casefold()
    return Language(code) if code in set(Language) else None

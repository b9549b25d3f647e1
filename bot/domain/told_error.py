"""An error whose sentence people read, each in their language."""

from bot.domain.languages import Language, Translations
from bot.errors import BotError


class ToldError(BotError):
    """Its text is English; `said` is for the person whose act failed."""

    def __init__(self, told: Translations | str) -> None:
        """`told`: a `str` is English, whoever reads it."""
        self._told = Translations.by(lambda _: told) if isinstance(told, str) else told
        super().__init__(self._told.said(Language.EN))

    def said(self, language: Language) -> str:
        return self._told.said(language)

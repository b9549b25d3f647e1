"""What `/skill` and `/skills` say: how they are used, what there is, and what became of one."""

from collections.abc import Mapping

from bot.domain.languages import Language, Phrase
from bot.skills.families import title_of

OTHERS = Phrase("others")
FAMILIES: Mapping[str, Phrase] = {
    "team": Phrase("teamwork"),
    "community": Phrase("communities"),
    "writing": Phrase("writing"),
    "code": Phrase("code"),
    "web": Phrase("web development"),
    "security": Phrase("security"),
    "infra": Phrase("infrastructure"),
    "data": Phrase("data"),
    "research": Phrase("research"),
    "sales": Phrase("support and sales"),
    "personal": Phrase("daily life"),
}


def family_title(family: str, language: Language) -> str:
    """What a family is called; one of a home's own is called as its skills say."""
    if not family:
        return OTHERS.said(language)
    known = FAMILIES.get(family)
    return known.said(language) if known is not None else title_of(family)


_SHIPPED = (Phrase("Write somebody's standup."), Phrase("Sort a pile of todos or requests."))
_ABOUT = {phrase.en: phrase for phrase in _SHIPPED}


def about_command(description: str, language: Language) -> str:
    """What the command of a skill does; in a home's own words where it wrote some."""
    known = _ABOUT.get(description)
    return known.said(language) if known is not None else description

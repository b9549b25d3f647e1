"""The library's skills as a person sees them: families with an example, then one family whole."""

from collections.abc import Callable, Mapping, Sequence

from bot.domain.access import Person
from bot.domain.languages import Language
from bot.domain.skills import Skill
from bot.sessions.wording import skill_phrases as said
from bot.sessions.wording.skill_phrases import family_title
from bot.skills.families import by_family, title_of

_ALONE = said.OTHERS.en
"""Names the skills without a family."""


class SkillShelf:
    """`/skills [FAMILY]`."""

    def __init__(self, visible: Callable[[Person], Sequence[Skill]]) -> None:
        """`visible`: the library's skills that a person may see."""
        self._visible = visible

    def text(self, person: Person, wanted: str = "", language: Language = Language.EN) -> str:
        """All families with an example each; or the skills of the one that is named."""
        families = by_family(self._visible(person))
        if not families:
            return said.NONE_FOR_YOU.said(language)
        title, how = said.SKILLS.said(language), said.HOW.said(language)
        if not wanted.strip():
            return "\n".join([f"**{title}**", "", *_overview(families, language), "", how])
        family = _meant(wanted, families, language)
        if family is None:
            known = ", ".join(_id(one) for one in families)
            return said.NO_FAMILY.said(language, name=wanted.strip()[:40], names=known)
        lines = [_line(skill) for skill in families[family]]
        colon = " :" if language is Language.FR else ":"
        head = f"**{title}{colon} {family_title(family, language)}**"
        return "\n".join([head, "", *lines, "", how])


def _overview(families: Mapping[str, Sequence[Skill]], language: Language) -> list[str]:
    return [
        f"- **{family_title(family, language)}** ({len(skills)}, `/skills {_id(family)}`)"
        f"{_such_as(skills)}"
        for family, skills in families.items()
    ]


def _such_as(skills: Sequence[Skill]) -> str:
    example = next((skill.example for skill in skills if skill.example), "")
    return f": “{example}”" if example else ""


def _line(skill: Skill) -> str:
    example = f" “{skill.example}”" if skill.example else ""
    return f"- **{skill.name}**: {skill.description}{example}"


def _meant(wanted: str, families: Mapping[str, Sequence[Skill]], language: Language) -> str | None:
    """The family by its id, its title in English or in this language, or one of its skills."""
    named = wanted.strip().casefold()
    for family, skills in families.items():
        titles = {title_of(family).casefold(), family_title(family, language).casefold()}
        if named in {_id(family), *titles, *(one.name for one in skills)}:
            return family
    return None


def _id(family: str) -> str:
    return family or _ALONE

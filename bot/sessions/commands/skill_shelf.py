"""The library's skills as a person sees them: families with an example, then one family whole."""

from collections.abc import Callable, Mapping, Sequence

from bot.domain.access import Person
from bot.domain.skills import Skill
from bot.skills.families import by_family, title_of

HOW = "Say what you want in your own words, or run one with `/skill NAME`."
_ALONE = "others"
"""What a person reads in place of a family that isn't there."""


class SkillShelf:
    """`/skills [FAMILY]`."""

    def __init__(self, visible: Callable[[Person], Sequence[Skill]]) -> None:
        """`visible`: the library's skills that a person may see."""
        self._visible = visible

    def text(self, person: Person, wanted: str = "") -> str:
        """All families with an example each; or the skills of the one that is named."""
        families = by_family(self._visible(person))
        if not families:
            return "There is no skill here for you."
        if not wanted.strip():
            return "\n".join(["**Skills**", "", *_overview(families), "", HOW])
        family = _meant(wanted, families)
        if family is None:
            known = ", ".join(_id(one) for one in families)
            return f"There is no family {wanted.strip()[:40]!r}; there are: {known}."
        lines = [_line(skill) for skill in families[family]]
        return "\n".join([f"**Skills: {_title(family)}**", "", *lines, "", HOW])


def _overview(families: Mapping[str, Sequence[Skill]]) -> list[str]:
    return [
        f"- **{_title(family)}** ({len(skills)}, `/skills {_id(family)}`){_such_as(skills)}"
        for family, skills in families.items()
    ]


def _such_as(skills: Sequence[Skill]) -> str:
    example = next((skill.example for skill in skills if skill.example), "")
    return f": “{example}”" if example else ""


def _line(skill: Skill) -> str:
    example = f" “{skill.example}”" if skill.example else ""
    return f"- **{skill.name}**: {skill.description}{example}"


def _meant(wanted: str, families: Mapping[str, Sequence[Skill]]) -> str | None:
    said = wanted.strip().casefold()
    for family, skills in families.items():
        if said in {_id(family), _title(family).casefold(), *(one.name for one in skills)}:
            return family
    return None


def _id(family: str) -> str:
    return family or _ALONE


def _title(family: str) -> str:
    return title_of(family) if family else _ALONE

"""Families: the groups in which skills are listed, so that a prompt needs no line for each.

A skill names its family (`family:`). A home may name others than these; they come last.
"""

from collections.abc import Iterable, Mapping, Sequence

from bot.domain.skills import Skill

FAMILIES: Mapping[str, str] = {
    "team": "teamwork",
    "community": "communities",
    "writing": "writing",
    "code": "code",
    "web": "web development",
    "security": "security",
    "infra": "infrastructure",
    "data": "data",
    "research": "research",
    "sales": "support and sales",
    "personal": "daily life",
    "bellhop": "Bellhop",
}
"""Those that ship, in their order, with what people and models read."""


def title_of(family: str) -> str:
    return FAMILIES.get(family) or family.replace("-", " ")


def by_family(skills: Iterable[Skill]) -> Mapping[str, Sequence[Skill]]:
    """The skills of each family, in the order of families; those without one under ""."""
    found: dict[str, list[Skill]] = {}
    for skill in skills:
        found.setdefault(skill.family, []).append(skill)
    order = {family: number for number, family in enumerate(FAMILIES)}
    return {
        family: found[family]
        for family in sorted(found, key=lambda one: (order.get(one, len(order)), one))
    }

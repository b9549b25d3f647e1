"""`bellhop skills list --markdown`: the page of the skills that ship, docs/skills.md."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from bot.domain.access import Access
from bot.domain.skills import Skill, SkillManifest
from bot.skills.families import by_family, title_of
from bot.skills.play_file import Played

HEAD = """# Skills that ship

For members who want to know which jobs Bellhop has a way of working for. It reads the skill when
you ask for the job: nobody has to name it.
`/skills` shows those that are open to you, `/skill NAME` runs one by its name.
[Writing skills](writing-skills.md) says how to change one, switch it off, or add your own.

Each was played once by hand, with and without it; the last column gives the requests to the model,
the kilobytes of them all, and what was better. Most figures hold the request that read the skill,
some 12 kB: now its text comes with your words. `bellhop skills list --markdown` writes this page.
"""


@dataclass(frozen=True)
class ShippedSkill:
    skill: Skill
    played: Played | None


def page(skills: Sequence[ShippedSkill], manifests: Iterable[SkillManifest]) -> str:
    """The whole page."""
    played = {one.skill.name: one.played for one in skills}
    lines = [HEAD]
    for family, members in by_family(one.skill for one in skills).items():
        lines += [f"## {_capital(title_of(family)) or 'By themselves'}", ""]
        lines += ["| skill | what for | ask for it | with it, without it |", "|---|---|---|---|"]
        lines += [_row(skill, played) for skill in members]
        lines.append("")
    lines += ["## Sets of tools", "", *_sets(manifests)]
    return "\n".join(lines) + "\n"


def _row(skill: Skill, played: Mapping[str, Played | None]) -> str:
    name = f"`{skill.name}`" + (f", `/{skill.command}`" if skill.command else "")
    about = skill.description + _for_whom(skill.access)
    asked = f"“{skill.example}”" if skill.example else ""
    return f"| {name} | {_cell(about)} | {_cell(asked)} | {_cell(_cost(played[skill.name]))} |"


def _for_whom(access: Access) -> str:
    return "" if access.roles is None else f" For {access.describe()}."


def _cost(played: Played | None) -> str:
    if played is None:
        return ""
    used, unused = (
        f"{cost.calls} ({round(cost.bytes / 1000)} kB)" for cost in (played.with_, played.without)
    )
    return f"{used}, {unused}: {played.why}"


def _sets(manifests: Iterable[SkillManifest]) -> Iterator[str]:
    yield "The agent activates one for a conversation where its tools are needed."
    yield ""
    yield "| set | what for | tools |"
    yield "|---|---|---|"
    for one in manifests:
        about = (one.description or one.name) + _for_whom(one.access)
        tools = ", ".join(f"`{name}`" for name in one.required_tools)
        yield f"| `{one.skill_id}` | {_cell(about)} | {tools} |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]

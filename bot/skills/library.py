"""The installation's prose skills, `skills/<name>/SKILL.md`: home first, live reload.

The files are read without following links.
"""

import logging
import os
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from bot.domain.access import CLOSED, Access, Role
from bot.domain.confinement import Confinement
from bot.domain.origins import Origin, Trust
from bot.domain.runs import RunShape
from bot.domain.skills import Skill
from bot.domain.tool_context import NativeTool, ToolContext
from bot.domain.tool_outcomes import Confined, ToolResult
from bot.errors import ToolError
from bot.shipped import shipped_dir
from bot.skills.families import by_family, title_of
from bot.skills.names import command_name
from bot.skills.skill_file import (
    FILE_BYTES,
    SKILL_FILE,
    SkillFile,
    decoded,
    skill_access,
    skill_from,
)
from bot.storage.confined import open_folder, read_bytes
from bot.storage.definition_files import DefinitionFile, DefinitionFiles
from bot.storage.live_files import UNREAD, Stamp, stamp_of


class _SkillFiles(DefinitionFiles[SkillFile]):
    """One file in each folder of each root, but not in those whose name begins with `.` or `_`."""

    def __init__(self, roots: Sequence[Path]) -> None:
        super().__init__(roots, f"*/{SKILL_FILE}", skill_from, skill_access)

    def listed(self, root: Path) -> Sequence[Path]:
        with os.scandir(root) as found:
            names = sorted(one.name for one in found if one.name[0] not in "._" and _leads_on(one))
        return [root / name / SKILL_FILE for name in names]

    def stamp(self, path: Path) -> Stamp:
        return stamp_of(path, follow=False)

    def text(self, root: Path, path: Path) -> str:
        with open_folder(root, (path.parent.name,)) as folder:
            return decoded(read_bytes(folder, path.name, FILE_BYTES + 1), path)

    def unreadable(
        self, path: Path, good: SkillFile | None, error: OSError
    ) -> DefinitionFile[SkillFile]:
        if isinstance(error, FileNotFoundError):
            missing = f"{path}: is missing; write it, or remove the folder {path.parent.name}"
            return DefinitionFile(path, UNREAD, None, missing)
        reason = error.strerror or str(error)
        problem = f"{path}: cannot be read ({reason}); make it a plain readable file, not a link"
        return DefinitionFile(path, UNREAD, good, problem, CLOSED)


def _leads_on(entry: os.DirEntry[str]) -> bool:
    """Whether it is a folder, or a link that can't be followed: reading says why, and of which."""
    try:
        return entry.is_dir()
    except OSError:
        return True


log = logging.getLogger(__name__)

COGNITIVE = "cognitive"
"""In `agents:` the top-level assistant, whatever it is called (docs/rules.md#skills)."""

ABOUT_AGENTS = "agents-using-"
"""The prefix of skills about working with an agent."""
_ABOUT_AGENT = "Brief agent_{}."


class ReadSkillArguments(BaseModel):
    """The name of a skill."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True, frozen=True)

    name: str = Field(description="As your prompt lists it.")


class SkillLibrary:
    """Skills by name.

    `roots` are the folders that hold skills' folders, the home's before the shipped one.

    A skill in an earlier root hides the one of the same folder in a later root; with `disabled:
    true` it switches it off. An invalid file keeps its last valid version, else it is left out
    (what it hides stays), and it is named in `problems`. Nothing is read before `load`.

    `connectors` are the folders of the skills that connectors ship, by connector id: behind all
    roots. A skill of that name is there only where the connector is, whichever root its text comes
    from.
    """

    def __init__(self, roots: Sequence[Path], connectors: Mapping[str, Path] | None = None) -> None:
        self._connectors = dict(connectors or {})
        self.roots = (*roots, *self._connectors.values())
        self._files = _SkillFiles(self.roots)
        self._skills: dict[str, Skill] = {}
        self._bodies: dict[str, str] = {}
        self._problems: tuple[str, ...] = ()
        self._named: dict[tuple[str, str], tuple[Skill, ...]] = {}
        """The skills for an agent of a kind; searches ask for them each time."""
        self._subscribers: list[Callable[[], None]] = []

    def subscribe(self, changed: Callable[[], None]) -> None:
        """Call `changed` in the event loop after each reload that found changes."""
        self._subscribers.append(changed)

    async def load(self) -> None:
        """Read all files. Never raises for a broken one; see `problems`."""
        await self.reload_changed()

    async def reload_changed(self) -> bool:
        """Read new and changed files; True if skills or problems changed."""
        found = dict(zip(dict.fromkeys(self.roots), await self._files.reload(), strict=True))
        before = (self._skills, self._bodies, self._problems)
        shippers = {
            file.path.parent.name: one
            for one, root in self._connectors.items()
            for file in found[root]
        }
        self._skills, self._bodies, problems = _merge(
            [found[root] for root in self.roots], shippers
        )
        self._problems = (*self._files.problems, *problems)
        for problem in self._problems:
            if problem not in before[2]:
                log.warning("%s", problem)
        changed = (self._skills, self._bodies, self._problems) != before
        if changed:
            self._named.clear()
            for tell in self._subscribers:
                tell()
        return changed

    @property
    def problems(self) -> tuple[str, ...]:
        """Problems of the files, one sentence each, with file, line and remedy."""
        return self._problems

    def get(self, name: str) -> Skill | None:
        return self._skills.get(name)

    def all(self) -> tuple[Skill, ...]:
        """Every skill that is switched on, by name."""
        return tuple(self._skills[name] for name in sorted(self._skills))

    def body(self, name: str) -> str | None:
        """The instructions of a skill, without its front matter."""
        return self._bodies.get(name)

    def text_that_ships(self, skill: Skill) -> str | None:
        """The text of a skill that ships with Bellhop and sets no limits; None of another.

        A home's skill may stem from elsewhere, and limits hold for a turn that read its skill. In a
        home that is the checkout, both lie in one folder: nothing there is known to ship.
        """
        folder = shipped_dir("skills")
        apart = self.roots.count(folder) == 1
        ships = apart and skill.source is not None and skill.source.is_relative_to(folder)
        return self.body(skill.name) if ships and skill.confinement is None else None

    def confinement(self, name: str) -> Confinement | None:
        """The limits of a turn that has the skill's text."""
        skill = self._skills.get(name)
        return None if skill is None else skill.confinement

    def for_agent(
        self,
        agent: str,
        specialist: bool,
        role: Role,
        shape: RunShape = RunShape.CHAT,
        connected: Container[str] = (),
    ) -> tuple[Skill, ...]:
        """The skills for an agent (`agents:`) that are open to the asking person's role.

        Those that name the agent come first, then those for its kind, then those for all; each by
        name. Slash-only skills are included, skills for other run shapes are not. `connected`: ids
        of the available connectors.
        """
        kind = (agent.lower(), "all_specialists" if specialist else COGNITIVE)
        if (named := self._named.get(kind)) is None:
            named = self._named[kind] = self._naming((*kind, "all"))
        return tuple(
            skill
            for skill in named
            if skill.is_open(role, connected) and (skill.runs is None or shape in skill.runs)
        )

    def _naming(self, names: Sequence[str]) -> tuple[Skill, ...]:
        """The skills whose `agents:` hold one of the names, in the order of these."""
        left = {skill.name: skill for skill in self.all()}
        found: list[Skill] = []
        for name in names:
            here = [one for one in left.values() if name in (one.agents or ("all",))]
            found += [left.pop(one.name) for one in here]
        return tuple(found)

    def visible(self, role: Role, connected: Container[str] = ()) -> tuple[Skill, ...]:
        """Every skill that is open to a role with these connectors, by name."""
        return tuple(skill for skill in self.all() if skill.is_open(role, connected))

    def listing(self, skills: Sequence[Skill], chars: int) -> str:
        """One line `- name: description` per skill for the prompt, within `chars`; bodies never.

        Those of a family are not listed: one line names all families, however many skills there
        are. Nor are slash-only skills; those about briefing agents share a line. What doesn't fit
        is counted in a last line.
        """
        listed = by_family(skill for skill in skills if skill.auto_invoke)
        families = ", ".join(title_of(family) for family in listed if family)
        lines = [f"- many for {families}: tool_search"] if families else []
        lines += _lines(listed.get("", ()))
        if sum(len(line) + 1 for line in lines) - 1 <= chars:
            return "\n".join(lines)
        kept: list[str] = []
        room = chars - len(_more(len(lines)))
        while len(kept) < len(lines) and (room := room - len(lines[len(kept)]) - 1) >= 0:
            kept.append(lines[len(kept)])
        return "\n".join([*kept, _more(len(lines) - len(kept))])[: max(chars, 0)]

    def read_skill_tool(self) -> NativeTool[ReadSkillArguments]:
        """read_skill for runs without file tools (docs/rules.md#skills).

        An agent reads its visible skills, at the top or as specialist.
        """
        return NativeTool("read_skill", ReadSkillArguments, self._read_skill, pure=True)

    async def _read_skill(self, context: ToolContext, arguments: ReadSkillArguments) -> ToolResult:
        name = arguments.name.removeprefix("/skills/").partition("/")[0]
        role, shape = context.person.role, context.run.shape
        seen = {
            one.name
            for kind in (False, True)
            for one in self.for_agent(context.agent, kind, role, shape, context.connected)
        }
        body = self.body(name) if name in seen else None
        if body is None:
            known = ", ".join(sorted(seen)) or "none at all"
            raise ToolError(f"there is no skill {name[:64]!r} for you; there is {known}")
        origin = Origin(Trust.OPERATOR, f"skill:{name}")
        limits = self.confinement(name)
        effects = () if limits is None else (Confined(limits),)
        return ToolResult(body, origin=origin, effects=effects, summary=f"read the skill {name}")


def _merge(
    roots: Sequence[Sequence[DefinitionFile[SkillFile]]], shippers: Mapping[str, str]
) -> tuple[dict[str, Skill], dict[str, str], list[str]]:
    files: dict[str, tuple[SkillFile, Skill | None]] = {}
    still_for: dict[str, Access] = {}
    problems: list[str] = []
    for root in roots:
        for seen in root:
            folder = seen.path.parent.name
            if seen.problem:
                problems.append(seen.problem)
            if folder in files:
                continue
            # A broken file without a good version still hides the one of the same name.
            access = still_for[folder] = still_for.get(folder, Access()).narrowed(seen.access)
            if (good := seen.good) is not None:
                held = good.skill and replace(
                    good.skill,
                    access=good.skill.access.narrowed(access),
                    connector=shippers.get(folder, ""),
                )
                files[folder] = (good, held)
    skills: dict[str, Skill] = {}
    commands: dict[str, str] = {}
    for name in sorted(files):
        file, skill = files[name]
        if skill is None:
            continue
        if (
            skill.command
            and (owner := commands.setdefault(command_name(skill.command), name)) != name
        ):
            line = file.lines.get("command", 1)
            said = (
                f"the skill {owner} has /{skill.command} too, so this one gets a number at its end"
            )
            problems.append(f"{skill.source}, line {line}: {said}; rename one")
        skills[name] = skill
    return skills, {name: files[name][0].body for name in skills}, problems


def _lines(skills: Sequence[Skill]) -> list[str]:
    """Skills that only say how to brief an agent share one line."""
    plain = [
        skill for skill in skills if skill.description != _ABOUT_AGENT.format(_agent_of(skill))
    ]
    if len(skills) - len(plain) < 2:
        return [_line(skill) for skill in skills]
    return [
        f"- {ABOUT_AGENTS}<name>: Brief agent_<name>.",
        *(_line(skill) for skill in plain),
    ]


def _agent_of(skill: Skill) -> str:
    return skill.name.removeprefix(ABOUT_AGENTS)


def _line(skill: Skill) -> str:
    return f"- {skill.name}: {skill.description}"


def _more(count: int) -> str:
    return f"- and {count} more"

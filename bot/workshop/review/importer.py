"""From what a plug-in found to staged skills: name, audit, rewrite, compare, report."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from bot.clock import format_utc
from bot.domain.access import Access
from bot.skills.skill_file import SKILL_FILE
from bot.workshop.review.audit import audit_files, audit_texts
from bot.workshop.review.findings import (
    MASTER_ADMIN,
    Finding,
    ImportedItem,
    ImportOptions,
    ImportRefused,
    ImportReport,
    Severity,
    shown,
)
from bot.workshop.review.foreign import ForeignSkill, FoundSkills
from bot.workshop.review.names import (
    SKILL_CHARS,
    TOOL_CHARS,
    NameChooser,
    TakenNames,
    command_name,
)
from bot.workshop.review.provenance import PROVENANCE, ImportProvenance, content_digest, digest
from bot.workshop.review.rendering import render_skill, render_tool, unique_files
from bot.workshop.review.staging import Package, Staging


async def stage(
    staging: Staging, found: FoundSkills, taken: TakenNames, options: ImportOptions
) -> ImportReport:
    """Stage what a source holds (or, in a dry run, only say so).

    Raises ImportRefused when it holds nothing.
    """
    return await asyncio.to_thread(_Import(staging, found, taken, options).run)


@dataclass(frozen=True)
class _Named:
    """The names that a skill and its tools get here."""

    skill: str
    command: str | None
    tools: Mapping[str, str]
    before: ImportProvenance | None


@dataclass
class _Import:
    staging: Staging
    found: FoundSkills
    taken: TakenNames
    options: ImportOptions
    _reused: set[str] = field(default_factory=set[str])
    _commands: set[str] = field(default_factory=set[str])

    def run(self) -> ImportReport:
        self._live = {one.name: one for one in self.staging.live()}
        self._staged = {one.name: one for one in self.staging.staged()}
        self._known = (*self._live.values(), *self._staged.values())
        skills_here = {*self.taken.skills, *(one.name for one in self._known)}
        tools_here = {*self.taken.tools, *(tool for one in self._known for tool in one.tools)}
        self._skill_names = NameChooser("skill", skills_here, SKILL_CHARS, "-")
        self._tool_names = NameChooser("tool", tools_here, TOOL_CHARS, "_")
        self._commands.update(
            self.taken.commands, (one.command for one in self._known if one.command)
        )
        found = self.found
        whole = found.findings
        if not found.skills:
            raise ImportRefused(_nothing(found))
        items = tuple(self._item(skill, whole) for skill in found.skills)
        return ImportReport(
            found.source, found.kind, found.commit, items, whole, self.options.dry_run
        )

    def _item(self, skill: ForeignSkill, whole: Sequence[Finding]) -> ImportedItem:
        try:
            package = self._package(skill, whole)
        except ImportRefused as error:
            text = str(error).removeprefix(f"{skill.file}, line {skill.line}: ")
            refused = Finding(Severity.BLOCK, "refused", skill.file, skill.line, text)
            return _told(skill, "refused", (*skill.findings, refused))
        found = package.provenance
        live, staged = self._live.get(found.name), self._staged.get(found.name)
        if staged is None and self._same(live, found):
            return _told(skill, "unchanged", found.findings, found)
        if self._same(staged, found) and self.staging.intact(found.name):
            return _told(skill, "unchanged", found.findings, found, updates_live=live is not None)
        if self.options.dry_run:
            return _told(
                skill, "would be staged", found.findings, found, updates_live=live is not None
            )
        self.staging.put(package)
        return _told(skill, "staged", found.findings, found, updates_live=live is not None)

    def _same(self, before: ImportProvenance | None, found: ImportProvenance) -> bool:
        """Whether this was imported already; roles count only when they were given this time."""
        if before is None or before.content != found.content:
            return False
        return self.options.roles is None or before.roles == found.roles

    def _before(self, skill: ForeignSkill) -> ImportProvenance | None:
        """The earlier import of the same skill: the name stays, and a change is a new review.

        Skills of different repositories are never the same, whatever their names.
        """
        for one in self._known:
            if one.given_name != skill.name or one.name in self._reused:
                continue
            place = (one.kind, one.source, one.part)
            if "git" not in {one.kind, self.found.kind} or place == (
                self.found.kind,
                self.found.source,
                skill.file,
            ):
                self._reused.add(one.name)
                return one
        return None

    def _named(self, skill: ForeignSkill, findings: list[Finding]) -> _Named:
        before = self._before(skill)
        if before is not None:
            name, command = before.name, before.command
            findings.extend(_other_source(before, self.found, skill))
            for one in (self._live.get(name), self._staged.get(name)):
                for tool in one.tools if one else ():
                    self._tool_names.free(tool)
        else:
            name, notes = self._skill_names.choose(skill.name, skill.file, skill.line)
            findings.extend(notes)
            command = None
        tools: dict[str, str] = {}
        for tool in skill.tools:
            tools[tool.name], notes = self._tool_names.choose(tool.name, tool.file, tool.line)
            findings.extend(notes)
        if skill.command is None or not skill.body:
            command = None
        elif command is None:
            wanted = name if skill.command == skill.name else skill.command
            command = command_name(wanted, self.taken.commands, self._commands)
        return _Named(name, command, tools, before)

    def _package(self, skill: ForeignSkill, whole: Sequence[Finding]) -> Package:
        findings = [*skill.findings]
        named = self._named(skill, findings)
        roles = self.options.roles or MASTER_ADMIN
        files, tools, notes = _written(skill, named, roles)
        content = (
            (files, tools) if roles == MASTER_ADMIN else _written(skill, named, MASTER_ADMIN)[:2]
        )
        folder = _folder(skill)
        findings.extend(notes)
        findings.extend(audit_texts(skill.texts))
        findings.extend(audit_files(folder, skill.files, self.found.executable))
        findings.extend(one for one in whole if one.file.startswith(folder))
        provenance = ImportProvenance(
            name=named.skill,
            given_name=skill.name,
            command=named.command,
            source=self.found.source,
            kind=self.found.kind,
            format=str(skill.format),
            part=skill.file,
            commit=self.found.commit,
            content=content_digest(_digests(content[0]), _digests(content[1])),
            files=_digests(files),
            tools=_digests(tools),
            roles=roles.describe(),
            imported_at=format_utc(self.options.now),
            imported_by=self.options.by,
            findings=tuple(dict.fromkeys(findings)),
            x_source=skill.x_source,
        )
        return Package(provenance, files, tools)


def _written(
    skill: ForeignSkill, named: _Named, roles: Access
) -> tuple[dict[str, bytes], dict[str, bytes], list[Finding]]:
    """Everything that would become live: files by path, tool files by name.

    Raises ImportRefused.
    """
    files = unique_files(skill.files, (SKILL_FILE, PROVENANCE))
    findings: tuple[Finding, ...] = ()
    if skill.body:
        files[SKILL_FILE], findings = render_skill(skill, named.skill, named.command, roles)
    elif not skill.tools:
        raise ImportRefused(
            f"{skill.file}, line {skill.line}: has no instructions; write them below its front "
            "matter"
        )
    origin = f"{shown(PurePosixPath(skill.file).name, 60)}, {skill.format}"
    tools: dict[str, bytes] = {}
    for tool in skill.tools:
        name = named.tools[tool.name]
        tools[name] = render_tool(tool, name, roles, origin)
    return files, tools, [*findings]


def _digests(files: Mapping[str, bytes]) -> dict[str, str]:
    return {name: digest(data) for name, data in files.items()}


def _folder(skill: ForeignSkill) -> str:
    """The folder of a SKILL.md in its source with a slash behind it; empty at the top."""
    parent = PurePosixPath(skill.file).parent
    return "" if str(parent) == "." else f"{parent}/"


def _other_source(
    before: ImportProvenance, found: FoundSkills, skill: ForeignSkill
) -> tuple[Finding, ...]:
    if before.source == found.source or found.kind == before.kind == "attachment":
        return ()
    text = f"takes the place of {before.name}, which came from {shown(before.source, 200)}"
    return (Finding(Severity.WARN, "source", skill.file, skill.line, text),)


def _told(
    skill: ForeignSkill,
    status: str,
    findings: tuple[Finding, ...],
    found: ImportProvenance | None = None,
    *,
    updates_live: bool = False,
) -> ImportedItem:
    return ImportedItem(
        name=found.name if found else shown(skill.name, 60),
        given_name=shown(skill.name, 60),
        status=status,
        format=str(skill.format),
        roles=found.roles if found else "",
        file=shown(skill.file),
        files=len(found.files) if found else len(skill.files),
        tools=tuple(found.tools) if found else tuple(shown(tool.name, 60) for tool in skill.tools),
        findings=findings,
        updates_live=updates_live,
    )


def _nothing(found: FoundSkills) -> str:
    """Why a source holds nothing, with every file that was looked at and not understood."""
    text = f"{shown(found.source, 200)}: holds no skill and no function declarations"
    if not found.findings:
        return f"{text}; name a SKILL.md, a .md file, a JSON export or a folder with one"
    return "\n".join([f"{text}:", *(f"  {finding}" for finding in found.findings)])

"""From a source to staged skills: find, read, name, audit, rewrite, compare, report."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from bot.clock import format_utc
from bot.domain.access import Access
from bot.skills.skill_file import SKILL_FILE
from bot.workshop.importing.audit import audit_files, audit_texts
from bot.workshop.importing.bundle import Bundle
from bot.workshop.importing.findings import Finding, ImportRefused, Severity, shown
from bot.workshop.importing.foreign import ForeignSkill, Format
from bot.workshop.importing.json_files import read_json_file
from bot.workshop.importing.names import (
    SKILL_CHARS,
    TOOL_CHARS,
    NameChooser,
    TakenNames,
    command_name,
)
from bot.workshop.importing.provenance import PROVENANCE, ImportProvenance, content_digest, digest
from bot.workshop.importing.rendering import render_skill, render_tool, unique_files
from bot.workshop.importing.report import MASTER_ADMIN, ImportedItem, ImportOptions, ImportReport
from bot.workshop.importing.skill_md import read_skill_md
from bot.workshop.importing.staging import Package, Staging

_SKILL = "skill.md"
_NO_SKILLS = frozenset(
    {
        "readme",
        "license",
        "licence",
        "changelog",
        "contributing",
        "code_of_conduct",
        "security",
        "notice",
        "authors",
    }
)
_MARKDOWN = frozenset({Format.AUTO, Format.OPENCLAW, Format.HERMES, Format.GITHUB})
_JSON = frozenset({Format.AUTO, Format.HERMES, Format.GEMINI})


def read_bundle(
    bundle: Bundle, wanted: Format
) -> tuple[tuple[ForeignSkill, ...], tuple[Finding, ...]]:
    """Every skill and set of tools of a bundle, and findings about the rest.

    Never raises for what is in it.
    """
    folders = _skill_folders(bundle.files) if wanted in _MARKDOWN else {}
    skills: list[ForeignSkill] = []
    findings: list[Finding] = []
    taken: set[str] = set()
    for path, files in folders.items():
        skills.append(read_skill_md(path, bundle.files[path], files, wanted))
        prefix = _folder_of(path)
        taken.update({path, *(f"{prefix}{name}" for name in files)})
    rest = {path: data for path, data in bundle.files.items() if path not in taken}
    if wanted in _JSON:
        for path, data in rest.items():
            if path.casefold().endswith(".json"):
                found, notes = read_json_file(path, data, wanted)
                skills.extend(found)
                findings.extend(notes)
                taken.update({path} if found or notes else ())
    if wanted in _MARKDOWN and not folders:
        for path in _plain_markdown(rest, alone=not skills):
            skills.append(
                read_skill_md(
                    path, rest[path], {}, Format.GITHUB if wanted is Format.AUTO else wanted
                )
            )
            taken.add(path)
    left = sorted(set(bundle.files) - taken)
    if left and skills:
        text = (
            f"{len(left)} {'file belongs' if len(left) == 1 else 'files belong'} to no skill and "
            "were left out"
        )
        findings.append(Finding(Severity.INFO, "left-out", left[0], 1, text))
    return tuple(skills), tuple(findings)


def _folder_of(path: str) -> str:
    parent = str(PurePosixPath(path).parent)
    return "" if parent == "." else f"{parent}/"


def _skill_folders(files: Mapping[str, bytes]) -> dict[str, Mapping[str, bytes]]:
    """Each SKILL.md with its folder's files; files of a nested skill belong to that one."""
    found = sorted(path for path in files if PurePosixPath(path).name.casefold() == _SKILL)
    folders = {_folder_of(path): path for path in found}
    beside: dict[str, dict[str, bytes]] = {path: {} for path in folders.values()}
    for path, data in files.items():
        owners = [folder for folder in folders if path.startswith(folder)]
        if owners and path not in beside:
            owner = max(owners, key=len)
            beside[folders[owner]][path.removeprefix(owner)] = data
    return {path: beside[path] for path in folders.values()}


def _plain_markdown(files: Mapping[str, bytes], *, alone: bool) -> list[str]:
    found = [path for path in files if path.casefold().endswith((".md", ".markdown"))]
    named = [path for path in found if PurePosixPath(path).stem.casefold() not in _NO_SKILLS]
    return named or (found if alone and len(found) == 1 else [])


async def stage(
    staging: Staging, bundle: Bundle, taken: TakenNames, options: ImportOptions
) -> ImportReport:
    """Stage what a bundle holds (or, in a dry run, only say so).

    Raises ImportRefused when it holds nothing.
    """
    return await asyncio.to_thread(_Import(staging, bundle, taken, options).run)


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
    bundle: Bundle
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
        skills, notes = read_bundle(self.bundle, self.options.format)
        whole = (*self.bundle.findings, *notes)
        if not skills:
            raise ImportRefused(_nothing(self.bundle, whole))
        items = tuple(self._item(skill, whole) for skill in skills)
        bundle = self.bundle
        return ImportReport(
            bundle.source, bundle.kind, bundle.commit, items, whole, self.options.dry_run
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
            if "git" not in {one.kind, self.bundle.kind} or place == (
                self.bundle.kind,
                self.bundle.source,
                skill.file,
            ):
                self._reused.add(one.name)
                return one
        return None

    def _named(self, skill: ForeignSkill, findings: list[Finding]) -> _Named:
        before = self._before(skill)
        if before is not None:
            name, command = before.name, before.command
            findings.extend(_other_source(before, self.bundle, skill))
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
        findings.extend(audit_files(folder, skill.files, self.bundle.executable))
        findings.extend(one for one in whole if one.file.startswith(folder))
        provenance = ImportProvenance(
            name=named.skill,
            given_name=skill.name,
            command=named.command,
            source=self.bundle.source,
            kind=self.bundle.kind,
            format=str(skill.format),
            part=skill.file,
            commit=self.bundle.commit,
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
    """The folder of a SKILL.md in its bundle with a slash behind it; empty at the top."""
    parent = PurePosixPath(skill.file).parent
    return "" if str(parent) == "." else f"{parent}/"


def _other_source(
    before: ImportProvenance, bundle: Bundle, skill: ForeignSkill
) -> tuple[Finding, ...]:
    if before.source == bundle.source or bundle.kind == before.kind == "attachment":
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


def _nothing(bundle: Bundle, findings: Sequence[Finding]) -> str:
    """Why a source holds nothing, with every file that was looked at and not understood."""
    text = f"{shown(bundle.source, 200)}: holds no skill and no function declarations"
    if not findings:
        return f"{text}; name a SKILL.md, a .md file, a JSON export or a folder with one"
    return "\n".join([f"{text}:", *(f"  {finding}" for finding in findings)])

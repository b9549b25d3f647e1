"""Finds the skills and sets of tools in the files of a source."""

import asyncio
from collections.abc import Mapping
from pathlib import PurePosixPath

from bot.plugin.imports import Finding, ForeignSkill, FoundSkills, Severity, SkillSource
from bot.plugins.importing.bundle import Bundle
from bot.plugins.importing.formats import Format
from bot.plugins.importing.json_files import read_json_file
from bot.plugins.importing.skill_md import read_skill_md
from bot.plugins.importing.sources import read_attachment, read_source

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


async def read(source: SkillSource) -> FoundSkills:
    """What a source holds. Raises ImportRefused."""
    if source.data is None:
        bundle = await read_source(source.name)
    else:
        bundle = await asyncio.to_thread(read_attachment, source.name, source.data)
    return await asyncio.to_thread(found_in, bundle, Format(source.format))


def found_in(bundle: Bundle, wanted: Format) -> FoundSkills:
    """The skills of a bundle. Blocking."""
    skills, findings = read_bundle(bundle, wanted)
    return FoundSkills(
        bundle.source,
        bundle.kind,
        skills,
        (*bundle.findings, *findings),
        bundle.executable,
        bundle.commit,
    )


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

"""Finds the skills of a bundle, and the format of each (`--format`)."""

from collections.abc import Mapping
from pathlib import PurePosixPath

from bot.workshop.importing.bundle import Bundle
from bot.workshop.importing.findings import Finding, Severity
from bot.workshop.importing.foreign import ForeignSkill, Format
from bot.workshop.importing.json_files import read_json_file
from bot.workshop.importing.skill_md import read_skill_md

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
        prefix = _folder(path)
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


def _folder(path: str) -> str:
    parent = str(PurePosixPath(path).parent)
    return "" if parent == "." else f"{parent}/"


def _skill_folders(files: Mapping[str, bytes]) -> dict[str, Mapping[str, bytes]]:
    """Each SKILL.md with its folder's files; files of a nested skill belong to that one."""
    found = sorted(path for path in files if PurePosixPath(path).name.casefold() == _SKILL)
    folders = {_folder(path): path for path in found}
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

"""Rewrites skills and tools in Bellhop's form, so that no foreign text is a grant."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from bot.domain.access import Access
from bot.domain.confinement import Confinement
from bot.errors import DefinitionError
from bot.skills.skill_file import DESCRIPTION_CHARS, FILE_BYTES, SKILL_FILE, parse_skill_file
from bot.tools.definitions.definition import parse_tool_file
from bot.tools.definitions.guard_text import may_give_roles
from bot.workshop.review.findings import Finding, ImportRefused, Severity, shown
from bot.workshop.review.foreign import ForeignSkill, ForeignTool

_LIMITS = {"allowed-tools": "tools", "hosts": "hosts", "paths": "paths"}
_BODY_TOO_LONG = (
    f"the instructions are longer than {FILE_BYTES // 1024} KB; move details into files beside them"
)


def one_line(text: str, chars: int) -> str:
    """Text for a list or a prompt: one line, without what can't be seen, cut at `chars`."""
    folded = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    visible = "".join(
        char
        for char in folded
        if not 0xFE00 <= ord(char) <= 0xFE0F and not 0xE0100 <= ord(char) <= 0xE01EF
    )
    return visible if len(visible) <= chars else f"{visible[: chars - 1].rstrip()}…"


def render_skill(
    skill: ForeignSkill, name: str, command: str | None, access: Access
) -> tuple[bytes, tuple[Finding, ...]]:
    """The SKILL.md of a skill. Raises ImportRefused when its instructions can't be a skill's."""
    description = one_line(skill.description, DESCRIPTION_CHARS) or f"Instructions of {name}."
    findings: list[Finding] = []
    if len(" ".join(skill.description.split())) > DESCRIPTION_CHARS:
        text = f"the description is longer than {DESCRIPTION_CHARS} characters and was cut"
        findings.append(Finding(Severity.WARN, "size", skill.file, skill.line, text))
    words = [one_line(phrase, DESCRIPTION_CHARS) for phrase in skill.words]
    front = [
        f"name: {name}",
        f"description: {json.dumps(description, ensure_ascii=False)}",
        f"roles: {access.describe()}",
        *([f"command: {command}"] if command else []),
        *([] if skill.auto_invoke else ["auto_invoke: false"]),
        *([f"words: {json.dumps(words, ensure_ascii=False)}"] if words else []),
        *_limit_lines(skill.limits),
    ]
    body = skill.body.replace("{baseDir}", f"/skills/{name}")
    data = "\n".join(["---", *front, "---", "", body, ""]).encode("utf-8", "replace")
    if len(data) > FILE_BYTES:
        raise ImportRefused(f"{skill.file}, line {skill.line}: {_BODY_TOO_LONG}")
    try:
        parse_skill_file(data, Path(name) / SKILL_FILE)
    except DefinitionError as error:
        raise ImportRefused(
            f"{skill.file}, line {skill.line}: can't be a skill ({shown(str(error), 200)})"
        ) from error
    return data, tuple(findings)


def render_tool(tool: ForeignTool, name: str, access: Access, origin: str) -> bytes:
    """A tool file: who may use it comes first, so that no text below can hide it.

    Raises ImportRefused.

    It says nothing of how it is done: a declared function has no implementation, and gets none
    here.
    """
    description = (
        "\n".join(plain_line(line) for line in tool.description.splitlines())
        or f"Imported tool {name}."
    )
    text = (
        f"# {name}\n\n## Access\n{access.describe()}\n\n## Description\n{description.strip()}\n\n"
        f"(Imported from {origin}.)\n\n"
        f"## Parameters\n{json.dumps(tool.parameters, indent=2)}\n"
    )
    data = text.encode("utf-8", "replace")
    try:
        read = parse_tool_file(data.decode(), path=Path(f"{name}.md"), folder="readytools")
    except DefinitionError as error:
        raise ImportRefused(
            f"{tool.file}, line {tool.line}: can't be a tool ({shown(str(error), 200)})"
        ) from error
    if (
        read.name != name
        or read.access != access
        or read.parameters != tool.parameters
        or read.risk
        or read.aliases
    ):
        raise ImportRefused(
            f"{tool.file}, line {tool.line}: {shown(tool.name, 60)} would be read as something else"
        )
    return data


def plain_line(line: str) -> str:
    """A line that a tool file's reader takes for no heading, fence or list of roles."""
    text = "".join(char if char.isprintable() else " " for char in line).strip()
    roles = re.match(r"[*_]*allowed[ _-]?roles", text, re.IGNORECASE) or may_give_roles(text)
    marked = text.startswith(("#", "```", "~~~")) or roles
    return f"\\{text}" if marked else text


def unique_files(files: Mapping[str, bytes], reserved: Sequence[str]) -> dict[str, bytes]:
    """Files beside a skill without those that would replace Bellhop's own."""
    taken = {name.casefold() for name in reserved}
    return {name: data for name, data in files.items() if name.casefold() not in taken}


def _limit_lines(limits: Confinement | None) -> list[str]:
    """The limits of a skill as lines of its front matter."""
    if limits is None:
        return []
    return [
        f"{key}: {json.dumps(getattr(limits, name), ensure_ascii=False)}"
        for key, name in _LIMITS.items()
        if getattr(limits, name) is not None
    ]

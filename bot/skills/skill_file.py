"""Reads a SKILL.md: agentskills.io front matter plus `agents:`, then instructions."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bot.domain.access import Access
from bot.domain.skills import Skill
from bot.errors import DefinitionError
from bot.regular_file import undecoded_line
from bot.skills.front_matter import DESCRIPTION_CHARS, FrontMatter, read_front_matter

__all__ = ["DESCRIPTION_CHARS", "FILE_BYTES", "SKILL_FILE", "SkillFile", "parse_skill_file"]

SKILL_FILE = "SKILL.md"
FILE_BYTES = 64 * 1024

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_COMMAND = re.compile(r"[a-z0-9_-]{1,32}")


@dataclass(frozen=True)
class SkillFile:
    """What a SKILL.md says.

    `skill` is None when the file only switches a shipped one off (`disabled: true`).
    """

    skill: Skill | None
    body: str
    lines: Mapping[str, int]
    """On which line each key of the front matter stands."""


def parse_skill_file(data: bytes, path: Path) -> SkillFile:
    """Read the file of the skill whose folder is `path.parent`.

    Raises DefinitionError that names file, line and remedy. Unknown keys are left alone: other
    programs' skills have them.
    """
    return skill_from(path, decoded(data, path))


def skill_from(path: Path, text: str) -> SkillFile:
    """The same of the file's text. Raises DefinitionError."""
    keys = read_front_matter(text, str(path))
    if keys.flag("disabled", default=False):
        return SkillFile(None, "", keys.lines)
    if not keys.body:
        raise keys.bad("", "the skill has no instructions; write them below the second ---")
    return SkillFile(_skill(keys, path), keys.body, keys.lines)


def skill_access(path: Path, text: str) -> Access:
    """Only whom the skill is for, of a file that can't be read as a whole.

    Raises DefinitionError when that is not certain.
    """
    keys = read_front_matter(text, str(path))
    if keys.flag("disabled", default=False):
        raise keys.bad("disabled", "the skill is switched off")
    return keys.access()


def _skill(keys: FrontMatter, path: Path) -> Skill:
    folder = path.parent.name
    name = keys.text("name")
    if not name:
        raise keys.bad("name", f"name is missing; write name: {folder}")
    if not _NAME.fullmatch(name):
        raise keys.bad("name", f"{name!r} is no skill name; use up to 64 of a-z, 0-9, - and _")
    if name != folder:
        raise keys.bad(
            "name", f"the skill is named {name} but its folder {folder}; rename one of them"
        )
    description = keys.description()
    if not description:
        raise keys.bad(
            "description", "description is missing; say in a sentence or two when to read the skill"
        )
    command = keys.text("command").removeprefix("/").lower() or None
    if command is not None and not _COMMAND.fullmatch(command):
        raise keys.bad(
            "command",
            f"{command!r} is no command; use up to 32 of a-z, 0-9, - and _, without the slash",
        )
    auto_invoke = keys.flag("auto_invoke", default=True)
    if not auto_invoke and command is None:
        raise keys.bad(
            "auto_invoke",
            "nothing could ever use this skill; give it a command or set auto_invoke: true",
        )
    return Skill(
        name=name,
        description=description,
        path=f"/skills/{folder}/{SKILL_FILE}",
        command=command,
        auto_invoke=auto_invoke,
        agents=keys.agents(),
        source=path,
        access=keys.access(),
        runs=keys.runs(),
        words=keys.words(),
        family=keys.family(),
        example=keys.example(),
        confinement=keys.confinement(f"the skill {name}", f"/skills/{folder}"),
    )


def decoded(data: bytes, path: Path) -> str:
    """The text of a SKILL.md. Raises DefinitionError for one that is too large or no UTF-8."""
    if len(data) > FILE_BYTES:
        raise DefinitionError(
            f"{path}: is larger than {FILE_BYTES // 1024} KB; keep the skill short and put details "
            "into files beside it"
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DefinitionError(
            f"{path}, line {undecoded_line(error)}: is not UTF-8 text; save the file as UTF-8"
        ) from None

"""Reads one SKILL.md: front matter as agentskills.io and ruling 31 have it, then instructions."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from bot.domain.skills import Skill
from bot.errors import DefinitionError, SettingsError
from bot.yaml_file import YamlDocument, kind_of, parse_yaml

SKILL_FILE = "SKILL.md"
FILE_BYTES = 64 * 1024
DESCRIPTION_CHARS = 1_024

_FENCE = "---"
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_COMMAND = re.compile(r"[a-z0-9_-]{1,32}")
_AGENT = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")


@dataclass(frozen=True)
class SkillFile:
    """What a SKILL.md says. `skill` is None when the file only switches a shipped one off (`disabled: true`)."""

    skill: Skill | None
    body: str
    lines: Mapping[str, int]
    """On which line each key of the front matter stands."""


def parse_skill_file(data: bytes, path: Path) -> SkillFile:
    """Read the file of the skill whose folder is `path.parent`.

    Raises DefinitionError that names file, line and remedy. Unknown keys are left alone: other programs' skills
    have them.
    """
    front, body = _split(_decode(data, path), path)
    try:
        # The blank line stands for the opening ---, so that line numbers are those of the file.
        document = parse_yaml(f"\n{front}", str(path))
    except SettingsError as error:
        raise DefinitionError(str(error)) from None
    values: Any = {} if document.value is None else document.value
    if not isinstance(values, dict):
        raise DefinitionError(f"{path}, line 2: the front matter is not a list of `key: value` lines; write it so")
    keys = _Keys(path, document, cast("dict[str, Any]", values))
    lines = {str(where[0]): line for where, line in document.lines.items() if len(where) == 1}
    if keys.flag("disabled", default=False):
        return SkillFile(None, "", lines)
    if not body:
        raise keys.bad("", "the skill has no instructions; write them below the second ---")
    return SkillFile(_skill(keys, path), body, lines)


def _skill(keys: "_Keys", path: Path) -> Skill:
    folder = path.parent.name
    name = keys.text("name")
    if not name:
        raise keys.bad("name", f"name is missing; write name: {folder}")
    if not _NAME.fullmatch(name):
        raise keys.bad("name", f"{name!r} is no skill name; use up to 64 of a-z, 0-9, - and _")
    if name != folder:
        raise keys.bad("name", f"the skill is named {name} but its folder {folder}; rename one of them")
    description = " ".join(keys.text("description").split())
    if not description:
        raise keys.bad("description", "description is missing; say in a sentence or two when to read the skill")
    if len(description) > DESCRIPTION_CHARS:
        text = f"description has {len(description)} characters, the limit is {DESCRIPTION_CHARS}; move details below"
        raise keys.bad("description", text)
    command = keys.text("command").removeprefix("/").lower() or None
    if command is not None and not _COMMAND.fullmatch(command):
        raise keys.bad("command", f"{command!r} is no command; use up to 32 of a-z, 0-9, - and _, without the slash")
    auto_invoke = keys.flag("auto_invoke", default=True)
    if not auto_invoke and command is None:
        raise keys.bad("auto_invoke", "nothing could ever use this skill; give it a command or set auto_invoke: true")
    return Skill(
        name=name,
        description=description,
        path=f"/skills/{folder}/{SKILL_FILE}",
        command=command,
        auto_invoke=auto_invoke,
        agents=keys.agents(),
        source=path,
    )


def _decode(data: bytes, path: Path) -> str:
    if len(data) > FILE_BYTES:
        raise DefinitionError(
            f"{path}: is larger than {FILE_BYTES // 1024} KB; keep the skill short and put details into files beside it"
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise DefinitionError(f"{path}, line {line}: is not UTF-8 text; save the file as UTF-8") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _split(text: str, path: Path) -> tuple[str, str]:
    """Front matter and body."""
    lines = text.split("\n")
    if lines[0].rstrip() != _FENCE:
        raise DefinitionError(
            f"{path}, line 1: the front matter is missing; begin with the lines ---, name: …, description: …, ---"
        )
    end = next((number for number, line in enumerate(lines[1:], 1) if line.rstrip() == _FENCE), None)
    if end is None:
        raise DefinitionError(f"{path}, line 1: the front matter has no end; close it with a line ---")
    return "\n".join(lines[1:end]), "\n".join(lines[end + 1 :]).strip()


@dataclass(frozen=True)
class _Keys:
    """The front matter, read key by key."""

    path: Path
    document: YamlDocument
    values: Mapping[str, Any]

    def text(self, key: str) -> str:
        """A text value, stripped; empty when it isn't there."""
        value = self.values.get(key)
        if value is None:
            return ""
        if not isinstance(value, str):
            raise self.bad(key, f"{key} must be a text, not a {kind_of(value)}; put it in quotes")
        return value.strip()

    def flag(self, key: str, *, default: bool) -> bool:
        value = self.values.get(key)
        if value is None:
            return default
        if not isinstance(value, bool):
            raise self.bad(key, f"{key} must be true or false")
        return value

    def agents(self) -> tuple[str, ...]:
        """`agents:` as a comma list or a YAML list; empty means all."""
        value = self.values.get("agents")
        if isinstance(value, str):
            value = [item for item in value.split(",") if item.strip()]
        if not isinstance(value, list | None):
            raise self.bad("agents", "agents must be names separated by commas, such as cognitive, observer")
        given = cast("list[Any]", value or [])
        names = [str(item).strip().lower() for item in given]
        for name in names:
            if not _AGENT.fullmatch(name):
                text = f"agents: {name!r} is no agent; use names, all, all_specialists or cognitive"
                raise self.bad("agents", text)
        return tuple(dict.fromkeys(names))

    def bad(self, key: str, message: str) -> DefinitionError:
        return DefinitionError(f"{self.path}, line {self.document.line((key,)) if key else 1}: {message}")

"""A skill file's front matter, read key by key with line numbers, and its instructions."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from typing import Any, cast

from bot.domain.access import Access
from bot.domain.confinement import Confinement
from bot.domain.runs import RunShape
from bot.errors import DefinitionError, SettingsError, ToolError, raised_as
from bot.regular_file import plain_lines
from bot.tools.definitions.guard_text import reads_like_roles
from bot.yaml_file import YamlDocument, kind_of, parse_yaml

FENCE = "---"
DESCRIPTION_CHARS = 1_024
_ROLE_KEYS = ("roles", "access", "allowed-roles")
_NEAR = 0.6
_AGENT = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_FAMILY = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")
_IN_METADATA = ("family", "example", "words", "command")
"""Keys of ours that may stand in `metadata:`, where the standard has room for them."""
EXAMPLE_CHARS = 120


@dataclass(frozen=True)
class FrontMatter:
    """The keys of one file. Every error names `file`, the line and the remedy."""

    file: str
    document: YamlDocument
    values: Mapping[str, Any]
    body: str
    """The text below, stripped."""
    body_line: int
    """The line on which it begins."""

    @property
    def lines(self) -> dict[str, int]:
        """The line of each key."""
        return {
            str(where[0]): line for where, line in self.document.lines.items() if len(where) == 1
        }

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

    def description(self) -> str:
        """`description:` on one line, at most 1,024 characters; empty when it isn't there."""
        description = " ".join(self.text("description").split())
        if len(description) > DESCRIPTION_CHARS:
            text = (
                f"description has {len(description)} characters, the limit is {DESCRIPTION_CHARS}; "
                "move details below"
            )
            raise self.bad("description", text)
        return description

    def agents(self) -> tuple[str, ...]:
        """`agents:` (docs/rules.md#skills); empty means all."""
        names = [name.lower() for name in self._list("agents", "cognitive, observer")]
        for name in names:
            if not _AGENT.fullmatch(name):
                text = f"agents: {name!r} is no agent; use names, all, all_specialists or cognitive"
                raise self.bad("agents", text)
        return tuple(dict.fromkeys(names))

    def words(self) -> tuple[str, ...]:
        """`words:`, phrases that people use for it, in any language."""
        return tuple(dict.fromkeys(self._list("words", "check a host, Server prüfen")))

    def family(self) -> str:
        """`family:`, the id of the group of skills that it belongs to; empty for none."""
        family = self.text("family").lower()
        if family and not _FAMILY.fullmatch(family):
            raise self.bad("family", f"{family!r} is no family; use up to 32 of a-z, 0-9 and -")
        return family

    def example(self) -> str:
        """`example:`, a request in a person's words that the skill is for."""
        example = " ".join(self.text("example").split())
        if len(example) > EXAMPLE_CHARS:
            raise self.bad("example", f"example has more than {EXAMPLE_CHARS} characters; cut it")
        return example

    def access(self) -> Access:
        """`roles:` in the grammar of tools' `## Access`; without it everyone but Banned."""
        if self.values.get("roles") is None:
            self._refuse_misspelt_roles()
            return Access()
        names = self._list("roles", "Partner, MasterAdmin")
        try:
            return Access.parse(", ".join(names))
        except ValueError as error:
            raise self.bad("roles", f"roles: {error}") from None

    def _refuse_misspelt_roles(self) -> None:
        """Refuse keys that resemble `roles:`, because without it a skill is open to everyone."""
        for key, value in self.values.items():
            items = cast("list[Any]", value) if isinstance(value, list) else [value]
            named = [item for item in items if isinstance(item, str)]
            if _resembles_roles(str(key)) and named and reads_like_roles(", ".join(named)):
                raise self.bad(
                    key,
                    f"{key} holds roles, but only roles is read; write roles: {', '.join(named)}",
                )

    def runs(self) -> frozenset[RunShape] | None:
        """`runs:`, the run shapes in which the skill is listed; None means all."""
        if self.values.get("runs") is None:
            return None
        try:
            return frozenset(
                RunShape(name.lower()) for name in self._list("runs", "triggered, scheduled")
            )
        except ValueError as error:
            raise self.bad("runs", f"runs: {error}; there are {', '.join(RunShape)}") from None

    def confinement(self, holder: str, own: str) -> Confinement | None:
        """The limits `allowed-tools:` (split at spaces), `hosts:`, `paths:`; None without any.

        `holder` and `own` are as in Confinement. A suffix from other programs, `Bash(git:*)`, is
        dropped.
        """
        found: dict[str, list[str] | None] = {}
        for key in ("allowed-tools", "hosts", "paths"):
            items = self._list(key, "read_file, send") if self.values.get(key) is not None else None
            if items is not None and key == "allowed-tools":
                items = [
                    name for item in items for name in re.sub(r"\([^()]*\)", " ", item).split()
                ]
            name = key.removeprefix("allowed-")
            try:
                Confinement.parse(holder, {name: items})
            except ValueError as error:
                raise self.bad(key, f"{key}: {error}") from None
            found[name] = items
        return Confinement.parse(holder, found, own)

    def confinement_of(self, key: str, tools: list[str]) -> tuple[str, ...] | None:
        """Names of tools that stand under another key, checked; None when there are none."""
        try:
            limits = Confinement.parse("", {"tools": tools})
        except ValueError as error:
            raise self.bad(key, f"{key}: {error}") from None
        return limits.tools if limits is not None else None

    def _list(self, key: str, example: str) -> list[str]:
        """A comma list or a YAML list."""
        value = self.values.get(key)
        if isinstance(value, str):
            value = [item for item in value.split(",") if item.strip()]
        if not isinstance(value, list | None):
            raise self.bad(key, f"{key} must be names separated by commas, such as {example}")
        return [str(item).strip() for item in cast("list[Any]", value or [])]

    def placed(self, error: ToolError, fields: Mapping[str, str]) -> ToolError:
        """The error of a tool that was given what the file says, with the fields of the file.

        `fields`: the names of the tool's arguments that the file calls something else.
        """
        said = str(error).rstrip(".")
        for name, key in fields.items():
            said = re.sub(rf"\b{name}\b", key, said)
        line = self.lines.get(said.partition(":")[0])
        where = f"{self.file}, line {line}" if line else self.file
        return ToolError(f"{where}: {said}. Nothing was saved")

    def bad(self, key: str, message: str) -> DefinitionError:
        return self.bad_at(self.document.line((key,)) if key else 1, message)

    def bad_at(self, line: int, message: str) -> DefinitionError:
        return DefinitionError(f"{self.file}, line {line}: {message}")


@lru_cache(maxsize=64)
def _resembles_roles(key: str) -> bool:
    """Files have the same few keys, and each comparison takes as long as the rest of a file."""
    return bool(get_close_matches(key.casefold().replace("_", "-"), _ROLE_KEYS, 1, _NEAR))


def read_front_matter(text: str, file: str) -> FrontMatter:
    """Split a skill file.

    Raises DefinitionError; unknown keys are left alone: other programs' skills have them.
    """
    lines = plain_lines(text).split("\n")
    if lines[0].rstrip() != FENCE:
        raise DefinitionError(
            f"{file}, line 1: the front matter is missing; begin with the lines ---, name: …, "
            "description: …, ---"
        )
    end = next((number for number, line in enumerate(lines[1:], 1) if line.rstrip() == FENCE), None)
    if end is None:
        raise DefinitionError(
            f"{file}, line 1: the front matter has no end; close it with a line ---"
        )
    with raised_as(DefinitionError, SettingsError):
        # The blank line stands for the opening ---, so that line numbers are those of the file.
        document = parse_yaml("\n" + "\n".join(lines[1:end]), file)
    values: Any = {} if document.value is None else document.value
    if not isinstance(values, dict):
        raise DefinitionError(
            f"{file}, line 2: the front matter is not a list of `key: value` lines; write it so"
        )
    body = "\n".join(lines[end + 1 :]).strip()
    return FrontMatter(file, document, _unfolded(cast("dict[str, Any]", values)), body, end + 2)


def _unfolded(values: dict[str, Any]) -> dict[str, Any]:
    """The keys with ours from `metadata:`; one of the same name beside it wins."""
    metadata = values.get("metadata")
    if not isinstance(metadata, dict):
        return values
    found = cast("dict[str, Any]", metadata)
    return {key: found[key] for key in _IN_METADATA if key in found} | values

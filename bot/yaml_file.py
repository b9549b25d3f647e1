"""Hand-written YAML files, read with line numbers so that errors name their place."""

import logging
import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import yaml

from bot.errors import SettingsError
from bot.log import redact
from bot.regular_file import read_text_file, undecoded_line

log = logging.getLogger(__name__)

YamlPath = tuple[Hashable, ...]
"""Keys and list positions from the top of a document to a value."""


@dataclass(frozen=True)
class YamlDocument:
    """A parsed YAML file that still knows on which line everything stands."""

    file: str
    value: Any
    lines: Mapping[YamlPath, int]

    def line(self, path: Sequence[Hashable]) -> int:
        """Line (from 1) of the nearest part of `path` that stands in the file."""
        parts = tuple(path)
        while parts and parts not in self.lines:
            parts = parts[:-1]
        return self.lines.get(parts, 1)

    def also_at(self, path: YamlPath, earlier: YamlPath) -> "YamlDocument":
        """The document with what stands at `earlier` also at `path`, where nothing stands."""
        below = len(earlier)
        known = {
            (*path, *part[below:]): line
            for part, line in self.lines.items()
            if part[:below] == earlier
        }
        return replace(self, lines={**known, **self.lines})


def read_yaml(path: Path) -> YamlDocument:
    """Parse a YAML file that a person wrote; a missing or empty one has the value None.

    Raises SettingsError.

    Only `true` and `false` are booleans and only decimal digits are numbers, so that `threads: off`
    and `12:30` stay the text that they look like. Keys given twice are refused.
    """
    return parse_yaml(read_text(path), path.name)


def parse_yaml(text: str, file: str) -> YamlDocument:
    """Parse YAML text; see `read_yaml`. `file` is the name for messages."""
    try:
        return _parse(text, file)
    except (yaml.YAMLError, ValueError) as error:  # a number of 5,000 digits is a ValueError
        raise SettingsError(_yaml_trouble(error, file, text)) from error
    except RecursionError as error:
        raise SettingsError(f"{file}: is nested too deeply; write it flatter") from error


def _parse(text: str, file: str) -> YamlDocument:
    if _FAST is not None and not _READ_OTHERWISE.search(text) and not _nests_deeply(text):
        try:
            return _read(_FAST(text), file)
        except (yaml.YAMLError, ValueError):
            log.debug("file=<%s> | not read by libyaml; the other parser says why", file)
    return _read(_PlainLoader(text), file)


def _read(loader: Any, file: str) -> YamlDocument:
    try:
        node = loader.get_single_node()
        lines: dict[YamlPath, int] = {}
        if node is not None:
            _note_lines(node, (), lines, file)
        value = None if node is None else loader.construct_document(node)
        return YamlDocument(file, value, lines)
    finally:
        loader.dispose()


class TreeLoader(yaml.SafeLoader):
    """SafeLoader without aliases: a few lines of `*name` could expand beyond all memory."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        if cast("Any", self).check_event(yaml.AliasEvent):
            event = cast("Any", self).peek_event()
            problem = f"the alias *{event.anchor} is not allowed, write the value out"
            raise yaml.MarkedYAMLError(None, None, problem, event.start_mark)
        return super().compose_node(parent, index)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]


class _PlainLoader(TreeLoader):
    """TreeLoader without YAML 1.1's surprises: `off` is text, `12:30` is text, a date is text."""


class _PlainDumper(yaml.SafeDumper):
    """Quotes what either YAML 1.1 or `_PlainLoader` would read as something else than text."""


_PlainLoader.yaml_implicit_resolvers = {}
for _tag, _pattern, _first in (
    ("bool", r"true|True|false|False", "tTfF"),
    ("int", r"[-+]?(?:0|[1-9][0-9]*)", "-+0123456789"),
    (
        "float",
        r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?|[-+]?[0-9]+[eE][-+]?[0-9]+",
        "-+.0123456789",
    ),
    ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    ("merge", r"<<", "<"),
):
    for _reads_or_writes in (_PlainLoader, _PlainDumper):
        _reads_or_writes.add_implicit_resolver(  # pyright: ignore[reportUnknownMemberType]
            f"tag:yaml.org,2002:{_tag}", re.compile(rf"^(?:{_pattern})$"), list(_first)
        )


def _fast_loader() -> type[Any] | None:
    """_PlainLoader on libyaml, which is ten times as fast; None where PyYAML was built without it.

    It resolves aliases by itself and allows tabs, so it is for texts without `_READ_OTHERWISE`. Its
    words about mistakes differ.
    """
    on_libyaml: type[Any] | None = getattr(yaml, "CSafeLoader", None)
    if on_libyaml is None:
        return None
    rules = {"yaml_implicit_resolvers": _PlainLoader.yaml_implicit_resolvers}
    return type("_FastLoader", (on_libyaml,), rules)


_FAST = _fast_loader()
_READ_OTHERWISE = re.compile(r"[*\t!?%\ufeff]|[|>][-+\d]*#")
"""What libyaml reads in another way than the parser in Python, or reads where that one refuses."""


_BRACKETS = re.compile(r"[\[\]{}]")
_BULLETS_IN_ROW = re.compile(r"(?:- +){50}")
_MOST_BRACKETS = 200


def _nests_deeply(text: str) -> bool:
    """Whether brackets or bullets may stand in so many others that libyaml would crash.

    It has no limit of its own. The parser in Python ends with RecursionError. What nests by
    indentation alone takes a megabyte for 1,500 levels, which libyaml bears.
    """
    depth = 0
    for found in _BRACKETS.finditer(text):
        depth += 1 if found[0] in "[{" else -1
        if depth > _MOST_BRACKETS:
            return True
    return _BULLETS_IN_ROW.search(text) is not None


def write_yaml(value: Any, *, flow: bool = False) -> str:
    """The value as YAML that `parse_yaml` reads back the same; long lines are not folded.

    `flow`: on one line.
    """
    return yaml.dump(
        value,
        Dumper=_PlainDumper,
        allow_unicode=True,
        sort_keys=False,
        width=100_000,
        default_flow_style=flow,
    )


def inline_yaml(value: object) -> str:
    """A value on one line, as after a key; quoted if it would be read as something else."""
    return write_yaml(value, flow=True).removesuffix("...\n").strip()


def _note_lines(node: yaml.Node, path: YamlPath, lines: dict[YamlPath, int], file: str) -> None:
    lines.setdefault(path, node.start_mark.line + 1)
    if isinstance(node, yaml.SequenceNode):
        for index, item in enumerate(cast("list[yaml.Node]", node.value)):
            _note_lines(item, (*path, index), lines, file)
    elif isinstance(node, yaml.MappingNode):
        for key, item in cast("list[tuple[yaml.Node, yaml.Node]]", node.value):
            below = (*path, str(key.value) if isinstance(key, yaml.ScalarNode) else repr(key.value))
            line = key.start_mark.line + 1
            if below in lines:
                name = ".".join(map(str, below))
                raise SettingsError(
                    f"{file}, line {line}: {name} is there twice (first on line "
                    f"{lines[below]}); keep one"
                )
            lines[below] = line
            _note_lines(item, below, lines, file)


def _line_of(error: Exception, text: str) -> int:
    """The line of a character that YAML doesn't take; 0 when the error names no place."""
    position = getattr(error, "position", None)
    return text.count("\n", 0, position) + 1 if isinstance(position, int) else 0


def _yaml_trouble(error: Exception, file: str, text: str) -> str:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    line = mark.line + 1 if mark else _line_of(error, text)
    where = f"{file}, line {line}" if line else file
    problem = getattr(error, "problem", None) or getattr(error, "reason", None) or str(error)
    return redact(
        f"{where}: is not valid YAML ({problem}); check the indentation, colons and quotes there"
    )


def read_text(path: Path) -> str:
    """The text of a file that a person wrote, empty when there is none.

    Raises SettingsError, also for a link to nothing.
    """
    try:
        return read_text_file(path)
    except FileNotFoundError as error:
        if path.is_symlink():  # it was meant to say something: rules, people, secrets
            raise SettingsError(
                f"{path}: links to {path.readlink()}, which is not there; put it back, or remove"
                " the link"
            ) from error
        return ""
    except UnicodeDecodeError as error:
        raise SettingsError(
            f"{path.name}, line {undecoded_line(error)}: is not UTF-8; save the file as UTF-8"
        ) from error
    except OSError as error:
        raise SettingsError(
            f"{path}: cannot be read ({error.strerror}); make it a readable text file"
        ) from error


def kind_of(value: object) -> str:
    """What a YAML value is, in a word for people."""
    names: dict[type, str] = {
        dict: "mapping",
        list: "list",
        str: "text",
        bool: "yes/no value",
        int: "number",
        float: "number",
    }
    return names.get(type(value), "empty value" if value is None else type(value).__name__)

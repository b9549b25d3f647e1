"""Hand-written YAML files, read with line numbers so that errors name their place."""

import logging
import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import yaml

from bot.errors import SettingsError
from bot.log import redact
from bot.regular_file import leads_nowhere, read_text_file, undecoded_line

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
    if _FAST is not None and not _READ_OTHERWISE.search(text):
        try:
            return _Reader(_FAST(text), file).document()
        except (yaml.YAMLError, ValueError):
            log.debug("file=<%s> | not read by libyaml; the other parser says why", file)
    return _Reader(_PlainLoader(text), file).document()


class _Reader:
    """Makes values of a parser's events. PyYAML would make a tree first, of 8 KB for each contact.

    Aliases are refused: a few lines of `*name` could expand beyond all memory. What nests too
    deeply ends with RecursionError.
    """

    def __init__(self, loader: Any, file: str) -> None:
        self._loader = loader
        self._next: Callable[[], Any] = loader.get_event
        self._file = file
        self._lines: dict[YamlPath, int] = {}

    def document(self) -> YamlDocument:
        try:
            self._next()  # the stream begins
            value = None
            if isinstance(self._next(), yaml.DocumentStartEvent):
                value = self._value(self._next(), ())
                self._next()  # the document ends
                if not isinstance(more := self._next(), yaml.StreamEndEvent):
                    raise _refused("but found another document", more)
            return YamlDocument(self._file, value, self._lines)
        finally:
            self._loader.dispose()

    def _value(self, event: Any, path: YamlPath) -> Any:
        self._lines.setdefault(path, event.start_mark.line + 1)
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event)
        if isinstance(event, yaml.AliasEvent):
            name = cast("Any", event).anchor
            raise _refused(f"the alias *{name} is not allowed, write the value out", event)
        if event.tag not in _PLAIN_TAGS:
            raise _refused(f"the tag {event.tag} is not known", event)
        if isinstance(event, yaml.SequenceStartEvent):
            items: list[Any] = []
            while not isinstance(item := self._next(), yaml.SequenceEndEvent):
                items.append(self._value(item, (*path, len(items))))
            return items
        found: dict[Any, Any] = {}
        while not isinstance(key := self._next(), yaml.MappingEndEvent):
            if not isinstance(key, yaml.ScalarEvent):
                raise _refused("a key must be plain text", key)
            name, below = self._scalar(key), (*path, cast("Any", key).value)
            self._note_key(below, cast("Any", key).start_mark.line + 1)
            found[name] = self._value(self._next(), below)
        return found

    def _scalar(self, event: Any) -> Any:
        tag = event.tag
        if tag is None or tag == "!":
            tag = self._loader.resolve(yaml.ScalarNode, event.value, event.implicit)
        if tag == f"{_YAML}str":
            return event.value
        node = yaml.ScalarNode(tag, event.value, event.start_mark, event.end_mark)
        return self._loader.construct_object(node, deep=True)  # else `!!seq x` is an empty list

    def _note_key(self, path: YamlPath, line: int) -> None:
        if path in self._lines:
            raise SettingsError(
                f"{self._file}, line {line}: {'.'.join(map(str, path))} is there twice (first on "
                f"line {self._lines[path]}); keep one"
            )
        self._lines[path] = line


def _refused(problem: str, event: Any) -> yaml.MarkedYAMLError:
    return yaml.MarkedYAMLError(None, None, problem, event.start_mark)


_YAML = "tag:yaml.org,2002:"
_PLAIN_TAGS = {None, "!", f"{_YAML}seq", f"{_YAML}map"}
"""Of lists and mappings."""


class _PlainLoader(yaml.SafeLoader):
    """SafeLoader without YAML 1.1's surprises: `off` is text, `12:30` is text, a date is text."""


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
):
    for _reads_or_writes in (_PlainLoader, _PlainDumper):
        _reads_or_writes.add_implicit_resolver(  # pyright: ignore[reportUnknownMemberType]
            f"{_YAML}{_tag}", re.compile(rf"^(?:{_pattern})$"), list(_first)
        )


def _fast_loader() -> type[Any] | None:
    """_PlainLoader on libyaml, which is ten times as fast; None where PyYAML was built without it.

    It allows tabs, so it is for texts without `_READ_OTHERWISE`. Its words about mistakes differ.
    """
    on_libyaml: type[Any] | None = getattr(yaml, "CSafeLoader", None)
    if on_libyaml is None:
        return None
    rules = {"yaml_implicit_resolvers": _PlainLoader.yaml_implicit_resolvers}
    return type("_FastLoader", (on_libyaml,), rules)


_FAST = _fast_loader()
_READ_OTHERWISE = re.compile(r"[\t!?%\ufeff]|[|>][-+\d]*#")
"""What libyaml reads in another way than the parser in Python, or reads where that one refuses."""


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
            raise SettingsError(f"{path}: {leads_nowhere(path)}") from error
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

"""Reads the sections of a tool file into values, each by itself."""

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, TypeVar, cast

from bot.domain.access import Access
from bot.domain.confinement import Confinement
from bot.domain.json_types import JsonObject
from bot.domain.lasting import Lasting, LastingRule
from bot.domain.runs import RunShape
from bot.domain.targets import ID_MARK, MARK, PART_MARK, WORDS_MARK, has_mark
from bot.domain.tools import Reads, Risk
from bot.tools.definitions.sections import FileSection, unfenced
from bot.tools.definitions.targets import is_kind, mark_problem
from bot.tools.schemas.validation import schema_problem

NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
MAX_TIMEOUT_S = 3600.0
_OPEN = Access()
_ASIDE = re.compile(r"\([^()]*\)")

T = TypeVar("T")
_RESULT_DEPTH = 64
_LASTING_KINDS = ", ".join(Lasting)


class SectionError(ValueError):
    """A section is wrong; `line` is its number in the file."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


def plain_text(text: str) -> str:
    """A one-value body without the decoration that markdown authors put around it."""
    return text.strip().strip("`").strip()


def no_parameters() -> JsonObject:
    """The schema of a tool without `## Parameters`."""
    return {"type": "object", "properties": {}}


# --- text ---


def description_of(section: FileSection | None) -> str:
    """The description. Raises SectionError, also when there is none."""
    line = section.line if section else 1
    body = section.body if section else ""
    if not body:
        raise SectionError(
            line,
            "the tool has no description; say in ## Description what it does and when to use it",
        )
    _check_text(body, line, "Description")
    return body


def _check_text(text: str, line: int, name: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise SectionError(
            line, f"## {name} holds characters that are not valid Unicode; remove them"
        ) from None


# --- JSON ---


def parameters_of(section: FileSection) -> JsonObject:
    """The schema of the arguments, with sound marks. Raises SectionError."""
    if not section.body:
        return no_parameters()
    schema, source, first = _schema(section, "Parameters", "arguments")
    schema = schema or no_parameters()
    if problem := schema_problem(schema, source):
        raise SectionError(first, f"## Parameters {problem}")
    if MARK in source or "\\" in source:  # an escape may hide either
        _check_marks(schema, source, first)
        _check_text(json.dumps(schema, ensure_ascii=False), first, "Parameters")
    return schema


def result_of(section: FileSection) -> JsonObject:
    """The schema of the result, with sound marks. Raises SectionError."""
    schema, _, first = _schema(section, "Result", "result")
    if problem := _result_problem(schema):
        raise SectionError(first, f"## Result {problem}")
    return schema


def _schema(section: FileSection, title: str, of: str) -> tuple[JsonObject, str, int]:
    """The JSON object in a section, its source, and the number of the source's first line."""
    source, skipped = unfenced(section.body)
    first = section.body_line + skipped
    try:
        value = _JSON.decode(source)
    except json.JSONDecodeError as error:
        line = first + error.lineno - 1
        text = f"is not valid JSON: {error.msg} (column {error.colno}); correct it there"
        raise SectionError(line, f"## {title} {text}") from None
    except (ValueError, RecursionError) as error:
        raise SectionError(first, f"## {title} is not valid JSON: {error}; correct it") from None
    if not isinstance(value, dict):
        raise SectionError(first, f"## {title} must be a JSON object with the schema of the {of}")
    return cast("JsonObject", value), source, first


def _check_marks(schema: JsonObject, source: str, first: int) -> None:
    wrong = mark_problem(schema)
    if wrong is None:
        return
    number, problem = wrong
    marks = list(re.finditer(rf'"{MARK}"\s*:', source))
    before = source[: marks[number].start()] if number < len(marks) else ""
    raise SectionError(first + before.count("\n"), f"## Parameters: {problem}")


def _unique(pairs: list[tuple[str, Any]]) -> JsonObject:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = max(names, key=names.count)
        raise ValueError(f"the key {twice!r} appears twice in one object")
    return found


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON number")


_JSON = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_refuse_constant)


# --- lists and words ---


def access_of(section: FileSection | None, loose: list[tuple[str, int]]) -> Access:
    """Who may use the tool, from `## Access` and `AllowedRoles:` lines. Raises SectionError."""
    if section is None and not loose:
        return _OPEN
    given = [(section.body, section.body_line)] if section is not None else []
    given += loose
    if len(given) > 1:
        raise SectionError(
            given[1][1], "the roles are given twice; keep ## Access or the AllowedRoles: line"
        )
    text, line = given[0]
    try:
        return _access(_list_text(_ASIDE.sub("", text)))
    except ValueError as error:
        raise SectionError(line, f"## Access: {error}") from None


@lru_cache(maxsize=64)
def _access(text: str) -> Access:
    """Many files name the same roles, and share one value."""
    return Access.parse(text)


def confinement_of(
    tool: str, sections: Mapping[str, FileSection], *, script: bool
) -> Confinement | None:
    """`## Hosts` and `## Paths`: the tool's limits, one per line or separated by commas.

    Raises SectionError, also for limits of a script, which nothing would enforce.
    """
    found: dict[str, list[str]] = {}
    for title in ("Hosts", "Paths"):
        if (section := sections.get(title)) is None:
            continue
        if script:
            text = (
                f"## {title} can't hold a script; its sandbox does: use network: and read: in ## "
                "Implementation"
            )
            raise SectionError(section.line, text)
        found[title.lower()] = _items(section.body)
        try:
            Confinement.parse("", {title.lower(): found[title.lower()]})
        except ValueError as error:
            raise SectionError(section.body_line, f"## {title}: {error}") from None
    return Confinement.parse(f"the tool {tool}", found) if found else None


def names_of(section: FileSection) -> tuple[str, ...]:
    """Names, each once. Raises SectionError."""
    names = _items(section.body)
    for name in names:
        if not NAME.fullmatch(name):
            text = (
                f"## {section.title}: {name!r} is not a name; use letters, digits, _ and -, "
                "separated by commas"
            )
            raise SectionError(section.body_line, text)
    if not names:
        raise SectionError(section.line, f"## {section.title} is empty; fill it or remove it")
    return tuple(dict.fromkeys(names))


def words_of(section: FileSection) -> tuple[str, ...]:
    """What people say who want the tool: phrases, separated by commas or lines."""
    _check_text(section.body, section.line, section.title)
    return tuple(dict.fromkeys(_items(section.body)))


def risk_of(section: FileSection) -> Risk:
    """The risk. Raises SectionError."""
    return _choice(section, Risk, Risk)


def runs_of(section: FileSection) -> frozenset[RunShape]:
    """The run shapes in which the tool exists. Raises SectionError."""
    names = _items(section.body)
    if not names:
        raise SectionError(section.line, "## Runs is empty; name run shapes or remove it")
    return frozenset(
        _choice(FileSection(section.title, section.line, [name]), RunShape, RunShape)
        for name in names
    )


def _choice(section: FileSection, kind: Callable[[str], T], among: type[Risk | RunShape]) -> T:
    try:
        return kind(plain_text(section.body).casefold())
    except ValueError:
        text = f"{section.body[:60]!r} is unknown; use one of {', '.join(among)}"
        raise SectionError(section.body_line, f"## {section.title}: {text}") from None


def timeout_of(section: FileSection) -> float:
    """Seconds. Raises SectionError."""
    match = re.fullmatch(
        r"(\d+(?:\.\d+)?)\s*(?:s|sec|secs|seconds?)?", plain_text(section.body), re.ASCII
    )
    seconds = float(match[1]) if match else math.nan
    if not 0 < seconds <= MAX_TIMEOUT_S:
        text = f"is not a number of seconds between 0 and {MAX_TIMEOUT_S:g}"
        raise SectionError(section.body_line, f"## Timeout: {section.body[:60]!r} {text}")
    return seconds


def yes_of(section: FileSection) -> bool:
    """Whether it says yes. Raises SectionError."""
    word = plain_text(section.body).casefold()
    if word not in {"yes", "no", "true", "false"}:
        raise SectionError(
            section.body_line, f"## Idempotent: {section.body[:60]!r} is unknown; use yes or no"
        )
    return word in {"yes", "true"}


def _list_text(text: str) -> str:
    return "\n".join(re.sub(r"^\s*[-*]\s+", "", line).replace("`", "") for line in text.split("\n"))


def _items(text: str) -> list[str]:
    return [item.strip() for item in _list_text(text).replace("\n", ",").split(",") if item.strip()]


def _result_problem(schema: JsonObject) -> str:
    """The problem of the marks in a result's schema; empty without one."""
    return next(_result_problems(schema, "", 0), "")


def _result_problems(schema: Any, place: str, depth: int) -> Iterator[str]:
    if not isinstance(schema, dict) or depth > _RESULT_DEPTH:
        return
    part = cast("JsonObject", schema)
    fields = cast("JsonObject", part.get("properties") or {})
    marked = [name for name, field in fields.items() if has_mark(field, ID_MARK)]
    if len(marked) > 1:
        yield (
            f"marks {' and '.join(marked)}{place} as ids of one record; mark the record's own id "
            "alone"
        )
    if marked and not any(has_mark(field, WORDS_MARK) for field in fields.values()):
        yield (
            f"marks the id {marked[0]}{place} but no field as {WORDS_MARK}; nobody could name that "
            "record"
        )
    for name, field in fields.items():
        for mark in (ID_MARK, PART_MARK):
            if has_mark(field, mark) and not is_kind(field[mark]):
                yield f"{mark} of {name}{place} must say what kind of record it is, such as event"
        yield from _result_problems(field, f" of {name}{place}", depth + 1)
    yield from _result_problems(part.get("items"), place, depth + 1)


def parse_lasting(text: str, parameters: JsonObject | None) -> tuple[LastingRule, ...]:
    """Read lines such as `replaces` and `acts-later: action: create, resume`.

    Raises ValueError, in words for the author of the file. Without known parameters nobody can call
    the tool, and arguments are not checked.
    """
    rules = tuple(_lasting_rule(line, parameters) for line in text.splitlines() if line.strip())
    if not rules:
        raise ValueError(f"write a kind, one of {_LASTING_KINDS}")
    return rules


def _lasting_rule(line: str, parameters: JsonObject | None) -> LastingRule:
    kind, *rest = [part.strip() for part in line.strip().lstrip("-*").split(":", 2)]
    if kind not in set(Lasting):
        raise ValueError(f"{kind!r} is none of {_LASTING_KINDS}")
    if not rest:
        return LastingRule(Lasting(kind))
    values = [value.strip() for value in rest[-1].split(",") if value.strip()]
    if len(rest) != 2 or not rest[0] or not values:
        raise ValueError(
            f"write the argument and its values behind the kind: `{kind}: action: create`"
        )
    _check_lasting(rest[0], values, parameters)
    return LastingRule(Lasting(kind), rest[0], frozenset(values))


def _check_lasting(argument: str, values: list[str], parameters: JsonObject | None) -> None:
    """A misspelt argument or value must not free the calls that are meant."""
    if parameters is None:
        return
    allowed = _enum_of(argument, parameters)
    if not allowed:
        raise ValueError(f"{argument!r} must be an argument with an enum in ## Parameters")
    _require_known(argument, values, allowed)


def _enum_of(argument: str, parameters: JsonObject) -> list[object] | None:
    known = cast("JsonObject", parameters.get("properties") or {}).get(argument)
    allowed = cast("JsonObject", known).get("enum") if isinstance(known, dict) else None
    return cast("list[object]", allowed) if isinstance(allowed, list) else None


def _require_known(argument: str, values: list[str], allowed: list[object]) -> None:
    if unknown := [value for value in values if value not in allowed]:
        raise ValueError(f"{argument} has no value {unknown[0]!r}; use those of its enum")


def parse_reads(text: str, parameters: JsonObject | None, risky: bool) -> Reads:
    """Read `action: list, read`. Raises ValueError, in words for the author of the file.

    The argument has to be required and an enum: a call without it, or with another value, must not
    pass as reading. Without known parameters nobody can call the tool, and this is not checked.
    """
    argument, _, rest = text.partition(":")
    name, values = argument.strip(), [value.strip() for value in rest.split(",") if value.strip()]
    if not name or not values:
        raise ValueError(
            "write the argument and its values that only read, such as `action: list, read`"
        )
    if not risky:
        raise ValueError(
            "it says which calls have no risk, but the tool has none; remove it or add ## Risk"
        )
    if parameters is None:
        return Reads(name, frozenset(values))
    allowed = _enum_of(name, parameters)
    if allowed is None or name not in (parameters.get("required") or []):
        raise ValueError(f"{name!r} must be a required argument with an enum in ## Parameters")
    _require_known(name, values, allowed)
    return Reads(name, frozenset(values))

"""Reads any SKILL.md's front matter: sound, small YAML, else line by line; never fails."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

import yaml

from bot.plugin.imports import BadJson, Finding, Severity, parse_yaml, plain, read_json5, shown
from bot.plugin.plugin import SettingsError

FRONT_CHARS = 32 * 1024
_MOST_DEPTH = 20
_FENCE = "---"
_KEY = re.compile(r"([A-Za-z_][A-Za-z0-9_.-]{0,63})\s*:(?:\s+(.*)|)$")
_OPENING = (
    yaml.FlowSequenceStartToken,
    yaml.FlowMappingStartToken,
    yaml.BlockSequenceStartToken,
    yaml.BlockMappingStartToken,
)
_CLOSING = (yaml.FlowSequenceEndToken, yaml.FlowMappingEndToken, yaml.BlockEndToken)


@dataclass(frozen=True)
class ForeignFrontMatter:
    """The keys of a file with the line of each, and what stands below them."""

    values: Mapping[str, Any]
    lines: Mapping[str, int]
    body: str
    body_line: int
    findings: tuple[Finding, ...] = ()

    def line(self, key: str) -> int:
        return self.lines.get(key, 1)


def read_front_matter(text: str, file: str) -> ForeignFrontMatter:
    """Keys and body of a text; without front matter everything is body."""
    lines = text.split("\n")
    first = next((number for number, line in enumerate(lines) if line.strip()), 0)
    if lines[first].rstrip() != _FENCE:
        note = Finding(
            Severity.INFO,
            "front-matter",
            file,
            1,
            "no front matter; name and description are taken from the text",
        )
        return ForeignFrontMatter({}, {}, text.strip(), _body_line(lines, 0), (note,))
    end = next(
        (
            n
            for n, line in enumerate(lines[first + 1 :], first + 1)
            if line.rstrip() in {_FENCE, "..."}
        ),
        None,
    )
    findings: list[Finding] = []
    if end is None:
        text_ = "the front matter has no end; the lines that look like keys were taken"
        findings.append(Finding(Severity.WARN, "front-matter", file, first + 1, text_))
        end = _guessed_end(lines, first + 1)
        body_from = end
    else:
        body_from = end + 1
    front = lines[first + 1 : end]
    values, where, trouble = _values(front, first + 2, file)
    body = "\n".join(lines[body_from:]).strip()
    return ForeignFrontMatter(
        values, where, body, _body_line(lines, body_from), (*findings, *trouble)
    )


def _body_line(lines: list[str], start: int) -> int:
    return next(
        (number + 1 for number, line in enumerate(lines[start:], start) if line.strip()), start + 1
    )


def _guessed_end(lines: list[str], start: int) -> int:
    end = start
    while end < len(lines) and (_KEY.match(lines[end]) or lines[end][:1] in {" ", "\t", "-"}):
        end += 1
    return end


def _values(
    front: list[str], first: int, file: str
) -> tuple[dict[str, Any], dict[str, int], tuple[Finding, ...]]:
    text = "\n".join(front)
    try:
        if len(text) > FRONT_CHARS:
            raise _Unsound(
                f"has {len(text):,} characters, at most {FRONT_CHARS:,} are read as YAML"
            )
        _check_tokens(text)
        document = parse_yaml(text, file)
        values: Any = {} if document.value is None else document.value
        if not isinstance(values, dict):
            raise _Unsound("is not a list of `key: value` lines")
        found = cast("dict[str, Any]", plain(values))
        lines = {
            str(where[0]): line + first - 1
            for where, line in document.lines.items()
            if len(where) == 1
        }
        return found, lines, ()
    except (_Unsound, SettingsError, BadJson, yaml.YAMLError, RecursionError, ValueError) as error:
        line, reason = _where(error, first)
        note = f"the front matter {reason}; it was read line by line"
        severity = Severity.BLOCK if isinstance(error, _Tricky) else Severity.WARN
        values, lines = _line_by_line(front[:1_000], first)
        return values, lines, (Finding(severity, "front-matter", file, line, note),)


class _Unsound(ValueError):
    """YAML that is not even handed to the parser."""


class _Tricky(_Unsound):
    """YAML that uses what no skill needs and attacks do."""


def _check_tokens(text: str) -> None:
    """Refuse anchors, aliases and tags, which expand small files, and depth, which fills stacks."""
    depth = 0
    for token in yaml.scan(text, yaml.SafeLoader):  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        if isinstance(
            token, yaml.AliasToken | yaml.AnchorToken | yaml.TagToken | yaml.DirectiveToken
        ):
            raise _Tricky("uses YAML anchors, aliases, tags or directives, which are not followed")
        depth += isinstance(token, _OPENING)
        depth -= isinstance(token, _CLOSING)
        if depth > _MOST_DEPTH:
            raise _Unsound(f"is nested more than {_MOST_DEPTH} levels deep")


def _where(error: Exception, first: int) -> tuple[int, str]:
    if isinstance(error, _Unsound):
        return first, str(error)
    mark = getattr(error, "problem_mark", None)
    if mark is None and error.__cause__ is not None:
        mark = getattr(error.__cause__, "problem_mark", None)
    line = first + (mark.line if mark is not None else 0)
    if (
        isinstance(error, SettingsError)
        and mark is None
        and (match := re.search(r", line (\d+): (.*?);", str(error)))
    ):
        return first + int(match[1]) - 1, shown(match[2])
    return line, "is not valid YAML"


def _line_by_line(front: list[str], first: int) -> tuple[dict[str, Any], dict[str, int]]:
    """`key: value` at the start of a line; indented lines below belong to it."""
    values: dict[str, Any] = {}
    lines: dict[str, int] = {}
    number = 0
    while number < len(front):
        match = _KEY.match(front[number])
        start = number
        number += 1
        if match is None:
            continue
        below: list[str] = []
        while number < len(front) and (not front[number].strip() or front[number][0] in " \t-"):
            below.append(front[number])
            number += 1
        if match[1] not in values:
            values[match[1]] = _value((match[2] or "").strip(), below)
            lines[match[1]] = start + first
    return values, lines


def _value(text: str, below: list[str]) -> Any:
    if text in {"|", ">", "|-", ">-", "|+", ">+"}:
        return " ".join(line.strip() for line in below if line.strip())
    whole = "\n".join([text, *below]).strip()
    if whole.startswith(("{", "[")):
        try:
            return read_json5(whole)
        except BadJson:
            return plain(whole)
    if not text and below and all(line.strip().startswith("- ") for line in below if line.strip()):
        return [_scalar(line.strip()[2:].strip()) for line in below if line.strip()]
    return _scalar(" ".join([text, *(line.strip() for line in below if line.strip())]).strip())


def _scalar(text: str) -> Any:
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "\"'":
        return plain(text[1:-1])
    if text.casefold() in {"true", "false"}:
        return text.casefold() == "true"
    return plain(text)

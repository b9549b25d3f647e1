"""The static audit of an import; a MasterAdmin judges its findings.

Blocking: runs in a thread.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from bot.workshop.review.findings import Finding, Severity, shown

_ZERO_WIDTH = frozenset(
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b\u2060\u3164\ufeff\uffa0"
) | frozenset(map(chr, (*range(0x2061, 0x2065), *range(0x206A, 0x2070), *range(0xFFF9, 0xFFFC))))
_BIDI = frozenset(map(chr, (0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))))
_JOINERS = frozenset("\u200c\u200d")
_TEXT = frozenset("\t\n")


@dataclass(frozen=True)
class _Hidden:
    """Characters of one kind on one line.

    `says`: what tag characters spell, when they spell something.
    """

    kind: str
    count: int
    column: int
    says: str = ""


def _hidden_on(line: str) -> tuple[_Hidden, ...]:
    """The hidden characters of a line; fast for the usual line without any."""
    if line.isascii() and line.isprintable():
        return ()
    counts: dict[str, list[int]] = {}
    spelt: list[str] = []
    for position, kind in _kinds(line):
        counts.setdefault(kind, []).append(position)
        if kind == "tag":
            spelt.append(chr(ord(line[position]) - 0xE0000))
    says = "".join(char for char in spelt if char.isprintable())
    return tuple(
        _Hidden(kind, len(where), where[0] + 1, says if kind == "tag" else "")
        for kind, where in counts.items()
    )


def _kinds(line: str) -> Iterator[tuple[int, str]]:
    for position, char in enumerate(line):
        if " " <= char <= "~" or char in _TEXT:
            continue
        kind = _kind(line, position, char)
        if kind:
            yield position, kind


def _kind(line: str, position: int, char: str) -> str:
    code = ord(char)
    if char in _ZERO_WIDTH:
        return "zero-width"
    if char in _BIDI:
        return "bidirectional"
    if 0xE0000 <= code <= 0xE007F:
        return "" if _in_flag(line, position) else "tag"
    if 0xE0100 <= code <= 0xE01EF:
        return "variation selector"
    if 0xFE00 <= code <= 0xFE0F:
        return "" if position and _takes_selector(line[position - 1]) else "variation selector"
    if char in _JOINERS:
        return "" if _joins(line, position) else "zero-width"
    category = unicodedata.category(char)
    return {"Cc": "control", "Co": "private-use", "Cs": "broken", "Cf": "format"}.get(category, "")


def _in_flag(line: str, position: int) -> bool:
    """Tags spell the flags of a few countries, after a black flag and at most six of them."""
    start = line.rfind("\U0001f3f4", max(0, position - 7), position)
    return start >= 0 and all(
        0xE0000 <= ord(char) <= 0xE007F for char in line[start + 1 : position]
    )


def _takes_selector(char: str) -> bool:
    return (
        unicodedata.category(char) in {"So", "Sm", "Lo", "Po"} or char in "0123456789#*©®‼⁉™\u2139↔"
    )


def _joins(line: str, position: int) -> bool:
    """Joiners belong between emoji and inside scripts that need them, not beside ASCII."""
    before, after = line[position - 1 : position], line[position + 1 : position + 2]
    if not before or not after or before.isascii() or after.isascii():
        return False
    return (
        unicodedata.category(before) in {"So", "Sk", "Mn", "Mc", "Lo"}
        and after not in _ZERO_WIDTH | _JOINERS
    )


PER_RULE = 5
"""Findings of one rule in one file that are listed; the others are counted."""
_PIECE = 2_000
_OVERLAP = 500
_LONG_LINE = 10_000
_MACH = (b"\xcf\xfa\xed\xfe", b"\xce\xfa\xed\xfe", b"\xca\xfe\xba\xbe")
_PROGRAMS = (b"\x7fELF", b"MZ", b"\x00asm", *_MACH)
_ARCHIVES = (b"PK\x03\x04", b"\x1f\x8b", b"7z\xbc\xaf", b"Rar!", b"\xfd7zXZ", b"BZh")
_PICTURES = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"RIFF", b"%PDF", b"\x00\x00\x01\x00")
_SCRIPTS = (
    *(".sh", ".bash", ".zsh", ".ps1", ".bat", ".cmd", ".command"),
    *(".py", ".js", ".ts", ".mjs", ".rb", ".pl", ".php", ".lua"),
)
_INSTALLERS = frozenset(
    {"setup.py", "package.json", "makefile", "install.sh", "postinstall.sh", "pyproject.toml"}
)
_UPWARDS = re.compile(r"(?:\]\(|[\"'`\s(=]|^)(?:\./)?((?:\.\./){1,40}|\.\.(?=[)\"'`]))")


@dataclass(frozen=True)
class AuditedText:
    """A text and its place."""

    file: str
    line: int
    """The line of the file on which it begins, from 1."""
    text: str
    on_one_line: bool = False
    """A JSON string: its line breaks are escapes, so all of it stands on `line`."""


def audit_texts(texts: Sequence[AuditedText]) -> tuple[Finding, ...]:
    """Findings in texts, each with its file and line."""
    return _limited([found for text in texts for found in _findings_of(text)])


def _findings_of(text: AuditedText) -> Iterator[Finding]:
    for found in _lines(text.file, text.line, text.text):
        yield replace(found, line=text.line) if text.on_one_line else found


def decode(data: bytes, file: str) -> tuple[str, tuple[Finding, ...]]:
    """A file's text with line feeds as line ends; bytes that aren't UTF-8 are reported."""
    encoding = "utf-16" if data[:2] in {b"\xff\xfe", b"\xfe\xff"} else "utf-8-sig"
    findings: tuple[Finding, ...] = ()
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        told = "not UTF-8; what is unreadable was replaced"
        findings = (Finding(Severity.WARN, "encoding", file, line, told),)
        text = data.decode("utf-8", "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n"), findings


def audit_files(
    folder: str, files: Mapping[str, bytes], executable: frozenset[str]
) -> tuple[Finding, ...]:
    """Findings in the files beside a SKILL.md.

    `folder` is their place in the bundle, `executable` full paths.
    """
    findings: list[Finding] = []
    for name in sorted(files):
        path = f"{folder}{name}"
        findings.extend(_file(path, name, files[name], executable=path in executable))
    return _limited(findings)


def _file(path: str, name: str, data: bytes, *, executable: bool) -> Iterator[Finding]:
    suffix, file = PurePosixPath(name).suffix.casefold(), shown(path)

    def note(severity: Severity, rule: str, text: str) -> Finding:
        return Finding(severity, rule, file, 1, text)

    if data.startswith((*_PROGRAMS, *_ARCHIVES)):
        kind = "a program" if data.startswith(_PROGRAMS) else "an archive"
        yield note(Severity.BLOCK, "binary", f"{kind}, which nobody can review here")
        return
    if data.startswith(_PICTURES):
        yield note(Severity.INFO, "binary", "a picture or document; it was not read")
        return
    if b"\0" in data and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        yield note(Severity.BLOCK, "binary", "no text, so nobody can review it here")
        return
    if suffix in _SCRIPTS or data.startswith(b"#!") or executable:
        yield note(Severity.WARN, "script", "a script; it is kept without the right to run")
    if PurePosixPath(name).name.casefold() in _INSTALLERS:
        yield note(Severity.WARN, "install", "a file that installers run; nothing here runs it")
    text, unreadable = decode(data, file)
    yield from unreadable
    yield from _lines(file, 1, text, name.count("/"))


def _lines(file: str, first: int, text: str, depth: int = 0) -> Iterator[Finding]:
    """`depth` is the file's depth in the skill's folder: links back into it stay inside."""
    from bot.workshop.review.audit_rules import RULES  # noqa: PLC0415 - many patterns to compile

    for number, line in enumerate(text.split("\n"), first):
        yield from _hidden(file, number, line)
        for match in _UPWARDS.finditer(line[:_LONG_LINE]):
            if max(1, match[1].count("/")) > depth:
                told = "points outside the skill's folder"
                around = shown(line[match.start() :], 60)
                yield Finding(Severity.BLOCK, "path-escape", file, number, told, around)
                break
        if len(line) > _LONG_LINE:
            long = f"a line of {len(line):,} characters"
            yield Finding(Severity.WARN, "size", file, number, long, shown(line[:80]))
        seen: set[tuple[str, str]] = set()
        for piece in _pieces(line):
            for rule in RULES:
                if (rule.name, rule.text) not in seen and (match := rule.pattern.search(piece)):
                    seen.add((rule.name, rule.text))
                    around = piece[max(0, match.start() - 20) : match.end() + 40]
                    yield Finding(rule.severity, rule.name, file, number, rule.text, shown(around))


def _pieces(line: str) -> Iterator[str]:
    """A line in overlapping pieces, so that no pattern ever works on megabytes at once."""
    if len(line) <= _PIECE:
        yield line
        return
    for start in range(0, len(line), _PIECE - _OVERLAP):
        yield line[start : start + _PIECE]


def _hidden(file: str, number: int, line: str) -> Iterator[Finding]:
    for hidden in _hidden_on(line):
        severity = Severity.WARN if hidden.kind == "private-use" else Severity.BLOCK
        says = f"; they spell {shown(hidden.says, 60)!r}" if hidden.says else ""
        many = "character" if hidden.count == 1 else "characters"
        found = f"{hidden.count} invisible {hidden.kind} {many}"
        text = f"{found} from column {hidden.column} on{says}"
        around = line[max(0, hidden.column - 20) : hidden.column + 40]
        yield Finding(severity, "hidden-unicode", file, number, text, shown(around))


def _limited(findings: list[Finding]) -> tuple[Finding, ...]:
    """At most `PER_RULE` of a kind and file; what was cut is said with its severity."""
    seen: Counter[tuple[str, str, Severity]] = Counter()
    kept: list[Finding] = []
    for finding in findings:
        key = (finding.file, finding.rule, finding.severity)
        seen[key] += 1
        if seen[key] <= PER_RULE:
            kept.append(finding)
    for (file, rule, severity), count in seen.items():
        if count > PER_RULE:
            more = f"{count - PER_RULE} more of this kind in the file"
            kept.append(Finding(severity, rule, file, 1, more))
    return tuple(kept)

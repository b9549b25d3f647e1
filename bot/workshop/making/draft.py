"""The draft of a tool or skill: the content of its files, its test cases, and what it must meet.

Drafts lie in the home's `data/drafts/`, which no agent can read. Blocking: runs in a thread.
"""

import contextlib
import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, cast

from bot.domain.json_types import JsonObject
from bot.domain.origins import Origin
from bot.domain.tools import HttpImplementation, ShellImplementation, ToolDefinition
from bot.errors import ToolError
from bot.skills.skill_file import SKILL_FILE
from bot.storage.confined import open_folder, read_bytes, replace_bytes
from bot.workshop.importing.audit import AuditedText, audit_texts
from bot.workshop.importing.findings import Finding, Severity, blocking
from bot.workshop.importing.names import skeleton
from bot.workshop.importing.provenance import content_digest, digest

NAME = re.compile(r"[a-z][a-z0-9_]{1,49}")
_MOST_DRAFTS = 100
"""The most drafts; stage or drop one before adding more."""
_DRAFT_BYTES = 1024 * 1024
_RESERVED = ("agent_", "mcp__", "agents_using_")
_READING = frozenset({"GET", "HEAD"})
_DESTRUCTIVE = tuple(
    (re.compile(pattern, re.IGNORECASE), text)
    for pattern, text in (
        (
            r"\brm\s+(?:-{1,2}[\w-]+\s+)*-{1,2}(?:[a-z]*r|recursive)"
            r"[\w-]*\s+(?:-{1,2}[\w-]*\s+)*[\"']?(?:/|~|\$\{?HOME|\*|\.\.)",
            "deletes whole folders",
        ),
        (r"--no-preserve-root|\bfind\s+/\S*\s[^\n]{0,200}-delete\b", "deletes whole folders"),
        (r"\bmkfs(?:\.\w+)?\b|\bwipefs\b|\b(?:fdisk|parted|sfdisk)\s", "formats or divides disks"),
        (
            r"\bdd\b[^\n]{0,200}\bof=/dev/|>\s*/dev/(?:sd|nvme|vd|hd|disk)|\bshred\b",
            "overwrites disks",
        ),
        (
            r"(?:^|[;&|`(\s])(?:shutdown|reboot|halt|poweroff|init\s+[06])\b",
            "turns the machine off",
        ),
        (r":\s*\(\s*\)\s*\{[^\n]{0,40}:\s*\|\s*:", "starts processes without end"),
        (
            r"\bchmod\s+(?:-\w+\s+)*(?:a\+rwx|0?777)\s+/|\bchown\s+-R\s+\S+\s+/",
            "opens the whole machine",
        ),
        (r"(?:^|[;&|`(\s])(?:sudo|doas|pkexec|su\s+-)\b", "asks for another user's rights"),
        (r"\bkill(?:all)?\s+(?:-\w+\s+)*-1\b|\bkillall\b", "ends other programs"),
    )
)


class Kind(StrEnum):
    """The kind of thing that a draft becomes."""

    TOOL = "tool"
    SKILL = "skill"
    MANIFEST = "manifest"


@dataclass(frozen=True)
class Case:
    """A call and its expected result; every expectation that is not None must hold."""

    arguments: JsonObject
    contains: str | None = None
    equals: str | None = None
    is_error: bool = False

    def problem(self, said: str, *, is_error: bool) -> str | None:
        """How a result differs from the expected one; None if it doesn't."""
        if is_error != self.is_error:
            return "is an error" if is_error else "is no error"
        if self.equals is not None and said.strip() != self.equals.strip():
            return f"is not {self.equals[:200]!r}"
        if self.contains is not None and self.contains not in said:
            return f"does not contain {self.contains[:200]!r}"
        return None


@dataclass(frozen=True)
class Draft:
    """Files by their later names; `live` has hashes of those that they would replace."""

    name: str
    kind: Kind
    files: Mapping[str, str]
    roles: str
    origin: Origin
    """The least trusted text that its maker had read when it was written."""
    made_by: str
    folder: str = "shared"
    cases: tuple[Case, ...] = ()
    live: Mapping[str, str] = field(default_factory=dict[str, str])
    command: str | None = None
    passed: str = ""
    """`tested` of the content whose cases have all passed."""

    @property
    def tool_file(self) -> str:
        return f"{self.name}.md"

    @property
    def script(self) -> str | None:
        """The name of its script, when it has one."""
        name = f"{self.name}.sh"
        return name if name in self.files else None

    def digests(self, *names: str) -> dict[str, str]:
        return {name: digest(self.files[name].encode()) for name in names}

    @property
    def content(self) -> str:
        """One hash over everything that would become live."""
        return content_digest(self.digests(*self.files), {"folder": self.folder})

    @property
    def tested(self) -> str:
        """One hash over the content and its cases: a test holds for exactly these."""
        cases = json.dumps([asdict(case) for case in self.cases], sort_keys=True)
        return hashlib.sha256(f"{self.content}\0{cases}".encode()).hexdigest()

    @property
    def ready(self) -> bool:
        return self.passed == self.tested

    def with_passed(self) -> "Draft":
        return replace(self, passed=self.tested)

    def dump(self) -> bytes:
        data = {
            **vars(self),
            "origin": self.origin.to_json(),
            "cases": [asdict(case) for case in self.cases],
        }
        return (json.dumps(data, indent=2) + "\n").encode()

    @classmethod
    def load(cls, data: bytes) -> "Draft":
        """Raises ValueError for anything that `dump` did not write."""
        try:
            value = cast("dict[str, Any]", json.loads(data))
            value["origin"] = Origin.from_json(value["origin"])
            value["cases"] = tuple(Case(**case) for case in value["cases"])
            value["kind"] = Kind(value["kind"])
            return cls(**value)
        except (TypeError, KeyError, AttributeError, RecursionError) as error:
            raise ValueError(f"is no draft: {error}") from error


def main_file(kind: Kind, name: str) -> str:
    """The file that says what a draft is."""
    match kind:
        case Kind.TOOL:
            return f"{name}.md"
        case Kind.SKILL:
            return SKILL_FILE
        case Kind.MANIFEST:
            return f"{name}.json"


class Drafts:
    """Drafts of one home, a file each, written whole or not at all."""

    def __init__(self, home: Path) -> None:
        self._data = home / "data"

    def put(self, draft: Draft) -> None:
        """Raises ToolError when there are too many or it is too large."""
        data = draft.dump()
        if len(data) > _DRAFT_BYTES:
            raise ToolError(f"the draft is larger than {_DRAFT_BYTES // 1024} KB; make it smaller")
        names = self.names()
        if draft.name not in names and len(names) >= _MOST_DRAFTS:
            raise ToolError(
                f"there are {_MOST_DRAFTS} drafts already; the operator has to tidy data/drafts"
            )
        with open_folder(self._data, ("drafts",), create=True) as folder:
            replace_bytes(folder, f"{draft.name}.json", data)

    def get(self, name: str) -> Draft:
        """Raises ToolError, naming those there are."""
        if NAME.fullmatch(name):
            with (
                contextlib.suppress(OSError, ValueError),
                open_folder(self._data, ("drafts",)) as folder,
            ):
                draft = Draft.load(read_bytes(folder, f"{name}.json", _DRAFT_BYTES))
                if draft.name == name:
                    return draft
        raise ToolError(
            f"there is no draft {name[:60]!r}; there is {', '.join(self.names()) or 'none at all'}"
        )

    def names(self) -> tuple[str, ...]:
        return tuple(
            sorted(
                path.stem
                for path in (self._data / "drafts").glob("*.json")
                if NAME.fullmatch(path.stem)
            )
        )


def findings_of(draft: Draft) -> tuple[Finding, ...]:
    """The static audit of every file, and of its lines joined as a shell would join them."""
    texts = [(name, 1, text) for name, text in sorted(draft.files.items())]
    joined = [
        (name, 1, folded) for name, _, text in texts if (folded := text.replace("\\\n", "")) != text
    ]
    found = [
        found
        for some in (texts, joined)
        for found in audit_texts([AuditedText(*one) for one in some])
    ]
    for name, first, text in (*texts, *joined):
        if name.endswith(".sh"):
            found.extend(_destructive(name, first, text))
    return tuple(dict.fromkeys(found))


def _destructive(name: str, first: int, text: str) -> Iterator[Finding]:
    for number, line in enumerate(text.split("\n"), first):
        for pattern, says in _DESTRUCTIVE:
            if pattern.search(line[:4_000]):
                yield Finding(Severity.BLOCK, "destructive", name, number, says, line.strip()[:120])


def forbidden(draft: Draft) -> list[str]:
    """Findings that the audit would block, a sentence each."""
    return [
        f"{finding.file}, line {finding.line}: {finding.text}; leave it out"
        for finding in blocking(findings_of(draft))
    ]


def clash(name: str, taken: Iterable[str]) -> str | None:
    """Why a name can't be used: it is reserved, taken, or looks like a taken one."""
    if name.startswith(_RESERVED):
        return f"name: {name} begins like names that Bellhop gives; choose another"
    looks = skeleton(name)
    for other in taken:
        if other == name:
            return (
                f"name: {name} is taken here; choose another, or set `update` if you are to change "
                "it"
            )
        if skeleton(other) == looks:
            return f"name: {name} looks like {other}, which is here already; choose another"
    return None


def risky(definition: ToolDefinition) -> str | None:
    """The problem of a tool that writes outside without declaring it."""
    if definition.risk is not None:
        return None
    match definition.implementation:
        case HttpImplementation(method, free=False) if method.upper() not in _READING:
            return f"risk: {method} changes something elsewhere; say external-write or destructive"
        case ShellImplementation(network=True):
            return (
                "risk: a script with the network can send anything out; say external-write or "
                "destructive"
            )
        case _:
            return None

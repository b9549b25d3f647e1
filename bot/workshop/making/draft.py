"""The draft of a tool or skill: the content of its files, and its test cases."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import Any, cast

from bot.domain.json_types import JsonObject
from bot.domain.origins import Origin
from bot.skills.skill_file import SKILL_FILE
from bot.workshop.importing.provenance import content_digest, digest


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

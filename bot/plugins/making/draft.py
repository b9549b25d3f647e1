"""Drafts with their test cases, as they are kept until they are handed in.

They lie in the home's `data/drafts/`, which no agent can read. Blocking: runs in a thread.
"""

import contextlib
import hashlib
import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, cast

from bot.plugin.drafts import DRAFT_NAME, Draft, DraftKind
from bot.plugin.folders import open_folder, read_bytes, replace_bytes
from bot.plugin.tools import JsonObject, Origin, ToolError

_MOST_DRAFTS = 100
"""The most drafts; stage or drop one before adding more."""
_DRAFT_BYTES = 1024 * 1024


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


@dataclass(frozen=True, kw_only=True)
class KeptDraft(Draft):
    """A draft, who made it, and how it is tested."""

    origin: Origin
    """The least trusted text that its maker had read when it was written."""
    made_by: str
    cases: tuple[Case, ...] = ()
    passed: str = ""
    """`tested` of the content whose cases have all passed."""

    @property
    def tested(self) -> str:
        """One hash over the content and its cases: a test holds for exactly these."""
        cases = json.dumps([asdict(case) for case in self.cases], sort_keys=True)
        return hashlib.sha256(f"{self.content}\0{cases}".encode()).hexdigest()

    @property
    def ready(self) -> bool:
        return self.passed == self.tested

    def with_passed(self) -> "KeptDraft":
        return replace(self, passed=self.tested)

    def dump(self) -> bytes:
        data = {
            **vars(self),
            "origin": self.origin.to_json(),
            "cases": [asdict(case) for case in self.cases],
        }
        return (json.dumps(data, indent=2) + "\n").encode()

    @classmethod
    def load(cls, data: bytes) -> "KeptDraft":
        """Raises ValueError for anything that `dump` did not write."""
        try:
            value = cast("dict[str, Any]", json.loads(data))
            value["origin"] = Origin.from_json(value["origin"])
            value["cases"] = tuple(Case(**case) for case in value["cases"])
            value["kind"] = DraftKind(value["kind"])
            return cls(**value)
        except (TypeError, KeyError, AttributeError, RecursionError) as error:
            raise ValueError(f"is no draft: {error}") from error


class Drafts:
    """Drafts of one home, a file each, written whole or not at all."""

    def __init__(self, data: Path) -> None:
        self._data = data

    def put(self, draft: KeptDraft) -> None:
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

    def get(self, name: str) -> KeptDraft:
        """Raises ToolError, naming those there are."""
        if DRAFT_NAME.fullmatch(name):
            with (
                contextlib.suppress(OSError, ValueError),
                open_folder(self._data, ("drafts",)) as folder,
            ):
                draft = KeptDraft.load(read_bytes(folder, f"{name}.json", _DRAFT_BYTES))
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
                if DRAFT_NAME.fullmatch(path.stem)
            )
        )

"""mrtool's workbench: draft, test, validate and stage, release.

Drafts with their test cases are kept until they are handed in. They lie in the home's
`data/drafts/`, which no agent can read. Their files are read and written in a thread.
"""

import asyncio
import contextlib
import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, cast

from bot.plugin.drafts import DRAFT_NAME, Draft, DraftDesk, DraftKind, HandedIn, NotHandedIn
from bot.plugin.folders import open_folder, read_bytes, replace_bytes
from bot.plugin.tools import JsonObject, Origin, Person, Role, ToolContext, ToolError

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


_SHOWN_CHARS = 500


@dataclass(frozen=True)
class Trial:
    """The result of one case. `problem`: its difference from the expected result."""

    case: Case
    said: str
    problem: str | None

    def line(self, number: int) -> str:
        verdict = "passed" if self.problem is None else f"FAILED: the result {self.problem}"
        said = self.said if len(self.said) <= _SHOWN_CHARS else f"{self.said[:_SHOWN_CHARS]} …"
        return f"{number}. {verdict}\n   gave: {said or '(nothing)'}"


class Workbench:
    """Prepares drafts for the decision of a MasterAdmin.

    Everything raises ToolError with what the agent can do.
    """

    def __init__(self, desk: DraftDesk, drafts: Drafts) -> None:
        self._desk = desk
        self._drafts = drafts

    async def draft(self, draft: KeptDraft, person: Person, *, update: bool) -> KeptDraft:
        """Store a draft, which replaces an earlier one of the same name."""
        fitting = await self._desk.fit(draft, person, update=update)
        kept = replace(draft, live=fitting.live)
        await asyncio.to_thread(self._drafts.put, kept)
        return kept

    async def find(self, name: str) -> KeptDraft:
        return await asyncio.to_thread(self._drafts.get, name)

    async def test(self, name: str, context: ToolContext) -> tuple[KeptDraft, Sequence[Trial]]:
        """Run a tool's cases, or parse a skill; records what passed for this content."""
        draft = await self.find(name)
        self._desk.check_readable(draft)
        trials: Sequence[Trial] = ()
        if draft.kind is DraftKind.TOOL:
            trials = await self._trials(draft, context)
        elif problems := self._desk.problems(draft):
            raise ToolError("\n".join(problems))
        if all(trial.problem is None for trial in trials):
            draft = draft.with_passed()
            await asyncio.to_thread(self._drafts.put, draft)
        return draft, trials

    async def _trials(self, draft: KeptDraft, context: ToolContext) -> Sequence[Trial]:
        if not draft.cases:
            raise ToolError(
                f"{draft.name} declares no cases; make it again with an ordinary, an empty and a "
                "wrong one"
            )
        calls = [case.arguments for case in draft.cases]
        given = await self._desk.try_tool(draft, calls, context)
        return [
            Trial(case, one.said, case.problem(one.said, is_error=one.is_error))
            for case, one in zip(draft.cases, given, strict=True)
        ]

    async def stage(self, name: str, context: ToolContext) -> HandedIn:
        """Stage a draft that passes everything. Raises ToolError with every problem, one a line."""
        draft = await self.find(name)
        untested = ("its cases have not all passed on exactly this content; call test_tool",)
        return await self._desk.stage(
            draft,
            context,
            f"mrtool, asked by {context.person.id}",
            lambda: self._receipt(draft, context),
            lacking=() if draft.ready else untested,
        )

    def _receipt(self, draft: KeptDraft, context: ToolContext) -> JsonObject:
        """What the approval card shows, and what a release must repeat word for word."""
        summary = self._desk.summary(draft)
        origin = max(draft.origin, context.origin, key=lambda one: one.trust)
        return {
            "name": draft.name,
            "kind": str(draft.kind),
            "content": draft.content,
            "roles": draft.roles,
            "risk": summary.risk,
            "does": summary.does,
            "changes_live": bool(draft.live),
            "cases_passed": len(draft.cases),
            "findings": summary.findings,
            "written_from": f"{origin.trust.name.lower()}: {origin.source}",
        }

    async def releasable(self, receipt: JsonObject, person: Person) -> None:
        """Raises ToolError if a yes to this card could not make anything live."""
        if person.role is not Role.MASTER_ADMIN:
            raise ToolError("only a MasterAdmin can make a tool or skill live")
        name = str(receipt["name"])
        staged = await self._desk.staged(name)
        if not staged.made or staged.receipt != receipt:
            raise ToolError(
                f"{name}: what is staged is not what validate_tool gave; call release_draft with "
                "exactly that, or validate it again"
            )

    async def receipt(self, name: str) -> JsonObject:
        """What the card of a staged draft shows. Raises ToolError if there is none of mrtool's.

        That of a live one stands for a release that a crash cut off.
        """
        try:
            staged = await self._desk.staged(name)
        except NotHandedIn:
            live = await self._desk.live(name)
            if live is None or not live.made:
                raise ToolError(
                    f"{name} is not staged, so nobody can be asked; call validate_tool first"
                ) from None
            staged = live
        if not staged.made:
            raise ToolError(f"{name} was not made here; a MasterAdmin decides with /tools approve")
        return staged.receipt

    async def release(self, receipt: JsonObject, person: Person) -> HandedIn:
        """Make live what a MasterAdmin approved, if every word of the card is true."""
        if person.role is not Role.MASTER_ADMIN:
            raise ToolError("only a MasterAdmin can make a tool or skill live")
        name, content = str(receipt["name"]), str(receipt["content"])
        try:
            staged = await self._desk.staged(name)
            if not staged.made or staged.receipt != receipt:
                raise ToolError(
                    f"{name}: what is staged is not what the card said; validate it again and ask "
                    "anew"
                )
            return await self._desk.release(person, name, content)
        except NotHandedIn:
            live = await self._desk.live(name)
            if live is not None and live.content == content:
                return live  # released before a crash
            raise

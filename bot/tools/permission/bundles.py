"""Several calls of one turn that wait for the same people: one approval with a line for each.

Each call keeps its own approval, which runs byte for byte. They are decided together, or line by
line (`/approve REF 1,3`); what a yes leaves out is rejected.

See docs/rules.md#approvals.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from bot.domain.approvals import Approval, ApprovalState
from bot.domain.card_words import About
from bot.domain.clock import Clock
from bot.domain.database import Database, Unit
from bot.tools.permission import store
from bot.tools.permission.plans_store import PLAN_CALLS, SEVERAL_CALLS, allowed_of_plan
from bot.tools.permission.shown import digest_of_approval
from bot.turns.refs import hashed_ref


def grouped(waiting: Sequence[Approval]) -> list[list[Approval]]:
    """Calls that share a card, in order: those of one risk that the same rank decides."""
    groups: dict[object, list[Approval]] = {}
    for one in waiting:
        same = (one.approver_rank, one.risk, one.conversation, one.session_id)
        groups.setdefault(one.ref if one.each_time else same, []).append(one)
    return list(groups.values())


def bundle_of(calls: Sequence[Approval]) -> Approval:
    """The approval that asks about these; the same calls give the same one."""
    first = calls[0]
    stems = [
        replace(stem, target=replace(stem.target, field=f"{number}. {stem.target.field}"))
        for number, one in enumerate(calls, 1)
        for stem in one.stems
    ]
    return replace(
        first,
        ref=hashed_ref("a", SEVERAL_CALLS, *(one.ref for one in calls)),
        tool=SEVERAL_CALLS,
        arguments={
            "calls": [{"tool": one.tool, "arguments": one.arguments} for one in calls],
            "approvals": [one.ref for one in calls],
        },
        reason=reasons_of([one.reason for one in calls]),
        expires_at=min(one.expires_at for one in calls),
        targets=(),
        stems=tuple(stems),
        about=lines_about([one.about for one in calls]),
        each_time=True,
    )


def lines_about(calls: Sequence[About]) -> About:
    """The words of several calls, each under its number."""
    languages = {language for one in calls for language in one.others}
    others = {language: _lines([one.read_in(language) for one in calls]) for language in languages}
    return replace(_lines(calls), others=others)


def _lines(calls: Sequence[About]) -> About:
    lines = [
        f"{number}. {line}"
        for number, one in enumerate(calls, 1)
        for line in ((one.words,) if one.words else ()) + one.names
    ]
    return About(names=tuple(lines))


def reasons_of(calls: Sequence[str]) -> str:
    """Why several calls are asked about: a line for each reason, with the numbers of its calls.

    A reason that all have stands alone.
    """
    numbers: dict[str, list[str]] = {}
    for number, reason in enumerate(calls, 1):
        numbers.setdefault(" ".join(reason.split()), []).append(str(number))
    if len(numbers) == 1:
        return calls[0]
    return "\n".join(f"{', '.join(of)}: {reason}" for reason, of in numbers.items())


def bundled_unit(bundle: Approval) -> Unit:
    """Store it, and let its calls be decided by it alone."""
    parts = [store.bundle(ref, bundle.ref) for ref in refs_of(bundle)]
    return Unit.of(store.insert_once(bundle), *parts)


def refs_of(bundle: Approval) -> list[str]:
    """The references of its calls, by line."""
    return cast("list[str]", bundle.arguments["approvals"])


async def allowed_lines(database: Database, approval: Approval) -> list[int]:
    """The numbers of the calls of a card that its yes let run; none for a card about one call."""
    if approval.tool == PLAN_CALLS:
        return await allowed_of_plan(database, approval.ref)
    if approval.tool != SEVERAL_CALLS:
        return []
    refs = refs_of(approval)
    kept = {str(row["ref"]) for row in await database.read(store.LEFT_OF, (json.dumps(refs),))}
    return [number for number, ref in enumerate(refs, 1) if ref in kept]


class Bundles:
    """Reads and decides the calls of bundles."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def calls(self, bundle: Approval, lines: Sequence[int] = ()) -> list[Approval]:
        """The calls of these lines (all without lines), in order."""
        found: list[Approval] = []
        for number, ref in enumerate(refs_of(bundle), 1):
            row = await self._database.read_one(store.BY_REF, (ref,))
            if row is not None and (not lines or number in lines):
                found.append(store.approval_of(row))
        return found

    def approve_unit(self, bundle: Approval, person: str, lines: Sequence[int] = ()) -> Unit:
        """Approve the calls of these lines (all without lines), and reject the others."""
        now, writes = self._clock.now(), list[store.Write]()
        for number, (ref, call) in enumerate(
            zip(refs_of(bundle), bundle.arguments["calls"], strict=True), 1
        ):
            chosen = not lines or number in lines
            one = replace(bundle, tool=call["tool"], arguments=call["arguments"])
            state = ApprovalState.APPROVED if chosen else ApprovalState.REJECTED
            shown = digest_of_approval(one) if chosen else ""
            writes.append(store.decide(ref, state, person, now, shown))
        return Unit(tuple(writes))

    def reject_unit(self, bundle: Approval, person: str) -> Unit:
        now = self._clock.now()
        refs = refs_of(bundle)
        return Unit.of(*(store.decide(ref, ApprovalState.REJECTED, person, now) for ref in refs))

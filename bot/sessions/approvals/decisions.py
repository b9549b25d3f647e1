"""Decisions about approvals: who may make them, and their effects."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from bot.agents.prompt.notes import quote
from bot.domain.access import Person
from bot.domain.approvals import SHARE, Approval, ApprovalState, Grant, GrantScope
from bot.domain.clock import Clock
from bot.domain.database import Database, Unit
from bot.domain.languages import Language, Phrase
from bot.domain.origins import BELLHOP
from bot.domain.sessions import StoredBlock
from bot.domain.tool_outcomes import ToolResult
from bot.domain.work import DecisionWork, dump_work
from bot.errors import UnitRejected
from bot.sessions.outbox.card_store import readers_of
from bot.sessions.people.pairing import PAIR, ROLES
from bot.sessions.wording import phrases as words
from bot.tools.budget.extending import EXTEND_BUDGET, extend_unit
from bot.tools.permission.approvals import ApprovalStore, may_decide
from bot.tools.permission.bundles import Bundles, refs_of
from bot.tools.permission.grants import GrantStore, offered
from bot.tools.permission.plans_store import PLAN_CALLS, SEVERAL_CALLS, Plans, has_lines, lines_of
from bot.tools.permission.shown import digest_of_approval, hides
from bot.turns.engine import TurnEngine

CARDS_OF_THE_HOUSE = frozenset({EXTEND_BUDGET, PAIR, SEVERAL_CALLS, SHARE})
"""What stands in place of a tool's name in approvals that are no call of a tool.

No tool may be called so: a yes to one of its calls would be one to such a card.
"""
ENDED = {
    ApprovalState.APPROVED: Phrase("Approval {ref} is already approved."),
    ApprovalState.REJECTED: Phrase("Approval {ref} is already rejected."),
    ApprovalState.EXPIRED: Phrase("Approval {ref} is already expired."),
    ApprovalState.DONE: Phrase("Approval {ref} is already done."),
}

log = logging.getLogger(__name__)


async def _nobody(_approval: Approval) -> Sequence[str]:
    return ()


@dataclass(frozen=True)
class CardAnswer:
    """What somebody says about an approval, and what they have read of it."""

    approve: bool
    grant: GrantScope | None = None
    """The yes covers more than this call."""
    lines: Sequence[int] = ()
    """The numbers of the approved calls of a plan, instead of all."""
    alone: bool = False
    """Whether they say it where nobody else reads."""
    by_ref: bool = True
    """Whether they named the approval; otherwise its card is what they look at."""
    read: str = ""
    """Identifies the calls that a command line showed them; empty where only cards did."""


@dataclass(frozen=True)
class Decisions:
    """Takes decisions, and words their outcome for the agent."""

    approvals: ApprovalStore
    grants: GrantStore
    plans: Plans
    bundles: Bundles
    engine: TurnEngine
    clock: Clock
    database: Database
    decided: Callable[[str], None] = lambda _ref: None
    """Is told which approval was just decided."""

    async def decide(
        self,
        ref: str,
        person: Person,
        said: CardAnswer,
        *,
        again: bool = False,
        asked: Callable[[Approval], Awaitable[Sequence[str]]] = _nobody,
        language: Language = Language.EN,
    ) -> str:
        """Decide an open approval; returns the sentence for the person who decided.

        Never raises for a wrong ref.

        `again`: this very decision was begun before a crash, and may have been recorded. `asked`
        gives the names of those who may decide, for somebody who may not.
        """
        approval = await self.approvals.get(ref)
        if approval is None:
            return words.NO_APPROVAL.said(language, ref=ref)
        if said.approve and approval.tool == PAIR:
            return words.SAY_ROLE.said(language, ref=approval.ref, roles="|".join(ROLES))
        if wrong := _wrong_choice(approval, said):
            most = len(lines_of(approval)) if has_lines(approval) else 1
            return wrong.said(language, ref=approval.ref, most=most)
        if (
            again
            and approval.decided_by == person.id
            and (approval.state is ApprovalState.REJECTED) is not said.approve
        ):
            return _verdict(approval, said, language)
        if why := await self.why_not(approval, person, asked, language):
            return why
        return await self._take(approval, person, said, language)

    async def _take(
        self, approval: Approval, person: Person, said: CardAnswer, language: Language
    ) -> str:
        """Record a decision, unless its person has not read what they approve."""
        ref, work = approval.ref, DecisionWork(approval.envelope, approval.ref)
        if said.approve and not await self.has_read(approval, person, said):
            return Phrase(
                "Approval {ref} was not shown to you whole, so your yes can't count. Send me "
                "`/approve {ref}` in a direct message, or ask for it again."
            ).said(language, ref=ref)
        shown = digest_of_approval(approval) if said.approve else ""
        decided = self.approvals.decide_unit(ref, person.id, approve=said.approve, shown=shown)
        verdict = _verdict(approval, said, language)
        work = replace(work, known=not said.approve and person.id == approval.person)
        if not said.approve and approval.tool == SEVERAL_CALLS:
            decided += self.bundles.reject_unit(approval, person.id)
        if said.approve:
            more, made = self._follows(approval, person, said.grant, said.lines)
            decided += more
            if made is not None:
                what = words.grant_words(made, language)
                told = Phrase(
                    "From now on I don't ask about {what} (`/grants revoke {ref}` takes it back)."
                ).said(language, what=what, ref=made.ref)
                verdict = f"{verdict} {told}"
            work = replace(work, lines=tuple(sorted(set(said.lines))))
        try:
            body = dump_work(work)
            new = await self.engine.submit(approval.session, f"approval:{ref}", body, unit=decided)
        except UnitRejected:
            new = False
        if not new:
            return Phrase(
                "Approval {ref} was decided by somebody else just now, or has expired."
            ).said(language, ref=ref)
        self.decided(ref)
        log.info("approval=<%s>, by=<%s>, yes=<%s> | decided", ref, person.id, said.approve)
        return verdict

    async def _bundled(self, approval: Approval, language: Language) -> str:
        """How a call is decided that shares a card."""
        bundle = await self.approvals.get(approval.bundle)
        line = 1 if bundle is None else refs_of(bundle).index(approval.ref) + 1
        ref, card = approval.ref, approval.bundle
        told = Phrase("Approval {ref} is call {line} of {card}: use `/approve {card} {line}`.")
        return told.said(language, ref=ref, card=card, line=line)

    async def has_read(self, approval: Approval, person: Person, said: CardAnswer) -> bool:
        """Whether this person could read exactly this call, every byte of it."""
        wanted = digest_of_approval(approval)
        if said.read:
            return said.read == wanted
        readers = await readers_of(self.database, approval.ref, wanted)
        if hides(approval):
            return said.alone and person.id in readers
        return not readers.isdisjoint({"", person.id})

    async def why_not(
        self,
        approval: Approval,
        person: Person,
        asked: Callable[[Approval], Awaitable[Sequence[str]]] = _nobody,
        language: Language = Language.EN,
    ) -> str:
        """Why this person can't decide it now; empty if they can."""
        if closed := self._closed(approval, language):
            return closed
        if approval.bundle:
            return await self._bundled(approval, language)
        if may_decide(approval, person):
            return ""
        names = await asked(approval)
        return words.not_yours(approval.approver_rank, approval.ref, names, language)

    def _follows(
        self, approval: Approval, person: Person, grant: GrantScope | None, lines: Sequence[int]
    ) -> tuple[Unit, Grant | None]:
        """The effects of a yes beside the approval itself, and the grant that it gives."""
        unit = Unit()
        if approval.tool == EXTEND_BUDGET:
            unit = extend_unit(approval, person.id)
        elif approval.tool == SEVERAL_CALLS:
            unit = self.bundles.approve_unit(approval, person.id, lines)
        elif approval.tool == PLAN_CALLS:
            unit = self.plans.approve_unit(approval, lines, rank=person.role.rank)
        if approval.tool in {EXTEND_BUDGET, SEVERAL_CALLS, PLAN_CALLS}:
            unit += self.approvals.done_unit(approval.ref)
        if grant is None:
            return unit, None
        made, granted = self.grants.make_unit(approval, grant, person)
        return unit + granted, made

    async def named(self, approval: Approval, person: Person) -> None:
        """Approve a stranger, who is now a contact: the waiting message goes on, once."""
        body = dump_work(DecisionWork(approval.envelope, approval.ref))
        unit = self.approvals.decide_unit(approval.ref, person.id, approve=True)
        unit += self.approvals.done_unit(approval.ref)
        with suppress(UnitRejected):  # decided before a crash, or just expired
            await self.engine.submit(approval.session, f"approval:{approval.ref}", body, unit=unit)
        self.decided(approval.ref)

    def closed(self, approval: Approval, person: Person, language: Language, *, again: bool) -> str:
        """Why an approval can't be decided; empty if it can, or if this repeats after a crash."""
        decided = again and approval.decided_by == person.id
        return "" if decided else self._closed(approval, language)

    def _closed(self, approval: Approval, language: Language) -> str:
        if approval.state is not ApprovalState.OPEN:
            return ENDED[approval.state].said(language, ref=approval.ref)
        if approval.expires_at <= self.clock.now():
            return Phrase("Approval {ref} has expired; ask for it again.").said(
                language, ref=approval.ref
            )
        return ""


def what_to_do(approval: Approval, *, known: bool) -> str:
    """The agent's instruction about a decision, in our own words: a note, never quoted data."""
    if known:
        return (
            "The person said no to this call and has seen that it did not run, so don't tell them. "
            "Go on with what else they asked for; if nothing is left, finish_task, silent."
        )
    if approval.tool == EXTEND_BUDGET and approval.state is not ApprovalState.REJECTED:
        return "Go on with what you had to leave unfinished."
    if approval.tool == PLAN_CALLS and approval.state is not ApprovalState.REJECTED:
        return (
            "Make the approved calls now, exactly as planned; each is allowed once, for an hour. "
            "Then tell the person what came of it."
        )
    return (
        "An approval was decided: tell the person what came of it, and go on with what was waiting "
        "for it."
    )


def extended_words(approval: Approval) -> StoredBlock:
    """The agent's note after MasterAdmin raised a limit: it continues where it had to stop."""
    text = f"Approval {approval.ref}: {approval.arguments['more']} more may be used today."
    return quote("approval outcome", text, BELLHOP, private=approval.private)


def planned_words(approval: Approval, lines: Sequence[int]) -> StoredBlock:
    """The agent's note after a yes to a plan: the calls themselves are still to be made."""
    count = len(lines_of(approval))
    which = (
        "all of its calls" if not lines else f"its calls {', '.join(map(str, lines))} of {count}"
    )
    text = (
        f"Approval {approval.ref} for {approval.tool} was approved by {approval.decided_by}: "
        f"{which}. None has run yet."
    )
    return quote("approval outcome", text, BELLHOP, private=approval.private)


def _verdict(approval: Approval, said: CardAnswer, language: Language) -> str:
    if not said.approve:
        phrase = Phrase("Approval {ref}: rejected.") if said.by_ref else words.NOT_DONE
    elif said.lines:
        phrase = Phrase("Approval {ref}: approved, of its calls {lines} only.")
    elif said.by_ref:
        phrase = Phrase("Approval {ref}: approved.")
    else:
        phrase = Phrase("OK, I'll do it.")
    return phrase.said(language, ref=approval.ref, lines=", ".join(map(str, said.lines)))


def _wrong_choice(approval: Approval, said: CardAnswer) -> Phrase | None:
    """Why a yes can't be that wide or narrow; None when it can."""
    grant, lines = (said.grant if said.approve else None), said.lines
    if grant is not None and grant not in offered(approval):
        if grant is GrantScope.TARGET and offered(approval):
            return Phrase(
                "Approval {ref} can be given for this one call only: its arguments don't say what "
                "it acts on. Use /approve {ref}."
            )
        return Phrase(
            "Approval {ref} can be given for this one call only: each call of this kind needs its "
            "own yes. Use /approve {ref}."
        )
    if not lines:
        return None
    if not has_lines(approval):
        return Phrase("Approval {ref} is for one call; use /approve {ref}.")
    if all(1 <= line <= len(lines_of(approval)) for line in lines):
        return None
    return Phrase(
        "Approval {ref} has the calls 1 to {most}; name some of these, such as /approve {ref} 1,2."
    )


def rejected_words(approval: Approval) -> StoredBlock:
    """The agent's note about a call that somebody said no to."""
    text = (
        f"Approval {approval.ref} for {approval.tool} was rejected by {approval.decided_by}; "
        "it did not run."
    )
    return quote("approval outcome", text, BELLHOP, private=approval.private)


def decided_words(approval: Approval, result: ToolResult) -> StoredBlock:
    """The agent's quoted note: a call's outcome is data, whoever approved it.

    A call that failed may have taken effect, so only its result says more.
    """
    happened = "it failed" if result.is_error else "it ran"
    text = (
        f"Approval {approval.ref} for {approval.tool} was approved by {approval.decided_by}; "
        f"{happened}.\n{result.content}"
    )
    private = approval.private or result.private
    return quote("approval outcome", text, result.origin, private=private)

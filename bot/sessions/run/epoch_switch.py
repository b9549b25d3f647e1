"""The switch to a session's next epoch: a summary, and a fresh prefix.

The summary and the switch are one step (`compact:<n>`), its writes one unit. After a crash the
session is in the old epoch or in the new one, and the turn reaches the same point either way.

See docs/rules.md#prefix.
"""

import asyncio
import logging
from dataclasses import dataclass, replace

from bot.agents.cycle_log.store import events_unit
from bot.agents.loop.run import Run
from bot.agents.prompt.notes import quote
from bot.agents.prompt.system_prompt import PromptBuilder
from bot.agents.summaries.compaction import (
    Carried,
    CompactionSummary,
    Material,
    NoSummary,
    epoch_opening,
)
from bot.agents.summaries.summarise import Summarised, Summariser
from bot.domain.chat import Pause, Status
from bot.domain.clock import Clock
from bot.domain.database import Unit
from bot.domain.json_types import JsonObject
from bot.domain.models import Model, ModelSize, Usage
from bot.domain.privacy import Viewer
from bot.domain.sessions import StoredBlock, count_chars, history_chars
from bot.domain.step_keys import StepKind, step_key
from bot.domain.turns import Recorded, Turn
from bot.files.daily_notes import notes_of, today
from bot.sessions.learning.spare_calls import SummaryPauses
from bot.sessions.records.session_store import StoredSession
from bot.sessions.records.transcript_store import NewEpoch, epoch_unit
from bot.sessions.run.circumstances import TurnResolver
from bot.sessions.run.opening_quotes import EpochQuotes
from bot.tools.budget.budgets import Measure
from bot.tools.budget.usage import BEFORE_MODEL, Meter
from bot.tools.permission.approvals import ApprovalStore

log = logging.getLogger(__name__)

BEFORE, AGAIN = step_key(StepKind.COMPACT, 1), step_key(StepKind.COMPACT, 2)
"""The steps: before a turn's loop (or on demand), and after exceeding the window in it."""
FACTS_CHARS = 8_000
WORKING = "summarising our conversation to make room"
EXCERPT = (
    "(This is an excerpt: the conversation could not be summarised, and older parts of it are left "
    "out.)"
)
LEAST_EXCERPT_CHARS = 1_000
"""A smaller part of the conversation would give a senseless answer."""


@dataclass(frozen=True)
class Switched:
    """A compaction's result: `problem` says why the old epoch stays, `kind` names the failure."""

    problem: str = ""
    kind: str = ""
    usage: Usage = Usage()


@dataclass(frozen=True)
class EpochSwitch:
    """Summarises what an epoch holds, and stores the next one."""

    resolver: TurnResolver
    prompts: PromptBuilder
    summariser: Summariser
    model: Model
    clock: Clock
    meter: Meter
    approvals: ApprovalStore
    quotes: EpochQuotes
    pauses: SummaryPauses

    async def switch(
        self,
        turn: Turn,
        key: str,
        run: Run,
        stored: StoredSession,
        material: Material,
        excerpt: int = 0,
    ) -> Switched | None:
        """Summarise and switch as one step; None when the person stopped it.

        Without a summary the new epoch begins with `excerpt` characters of the old one; with 0 the
        old one stays.
        """

        async def make() -> Recorded:
            summarised = await self._summarised(key, run, material, rest=excerpt > 0)
            if not isinstance(summarised.result, CompactionSummary):
                if excerpt < LEAST_EXCERPT_CHARS:
                    return self._kept(run, key, summarised)
                log.warning(
                    (
                        "session=<%s>, step=<%s>, reason=<%s> | not summarised; going on from an "
                        "excerpt"
                    ),
                    run.context.session_id, key, summarised.problem,
                )  # fmt: skip
                rest = CompactionSummary(f"{EXCERPT}\n\n{material.render(excerpt)}")
                summarised = replace(summarised, result=rest)
            return await self._new_epoch(turn, key, run, stored, material, summarised)

        if not turn.done(key):
            run.callbacks.live(Status(WORKING, Pause.MAKING_ROOM))
        try:
            with turn.stoppable():
                async with turn.away():
                    value = await turn.step(key, make)
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if not turn.stop_requested or task is None:
                raise
            task.uncancel()
            if not turn.done(key):
                return None
            value = await turn.step(key, make)
        usage = Usage(**value["usage"])
        run.budget.used += usage
        return Switched(value["problem"], value["kind"], usage)

    async def _summarised(
        self, key: str, run: Run, material: Material, *, rest: bool
    ) -> Summarised:
        """A summary, or the reason for none; with `rest`, no call during a pause after failures."""
        session = run.context.session_id
        if rest and self.pauses.rests(session):
            return Summarised(NoSummary("it failed a short while ago"), Usage(), ())
        with self.meter.held(run.context.payer, Measure.MODEL_CALLS, turn=run.spending) as ticket:
            if await self.meter.reached(run.context.payer, run.spending, BEFORE_MODEL, ticket):
                return Summarised(NoSummary("the budget is used up"), Usage(), ())
            summarised = await self.summariser.summarise(run.cycle, key, material)
        if isinstance(summarised.result, CompactionSummary):
            self.pauses.worked(session)
        else:
            self.pauses.failed(session, model_trouble=summarised.kind not in {"", "too_long"})
        return summarised

    def _kept(self, run: Run, key: str, summarised: Summarised) -> Recorded:
        log.warning(
            "session=<%s>, step=<%s>, reason=<%s> | not summarised; the transcript stays",
            run.context.session_id,
            key,
            summarised.problem,
        )
        value = _value(summarised.usage, summarised.problem, summarised.kind)
        return Recorded(value, events_unit(summarised.events) + self._paid(run, summarised))

    async def _new_epoch(
        self,
        turn: Turn,
        key: str,
        run: Run,
        stored: StoredSession,
        material: Material,
        summarised: Summarised,
    ) -> Recorded:
        toolset = self.resolver.compose(run.agent, run.scope)
        unlocked = [toolset.find(name) for name in run.toolset.unlocked]
        toolset.unlock([one.declaration() for one in unlocked if one is not None])
        prefix = await self.prompts.build_system_prompt(run.agent, run.scope, toolset)
        opening = epoch_opening(summarised.text, material, await self._carried(turn, run))
        new = NewEpoch(
            prefix.system,
            prefix.tools,
            tuple(toolset.unlocked.values()),
            opening,
            () if key == BEFORE else material.now,
        )
        sizes = {
            "system": count_chars(prefix.system),
            "tools": count_chars(prefix.tools),
            "opening": history_chars(opening),
        }
        built = run.cycle.curator_assembled(key, sizes)
        log.info(
            "session=<%s>, epoch=<%d>, chars=<%d>, now=<%d> | new epoch",
            run.context.session_id,
            stored.session.epoch + 1,
            material.chars,
            sizes["opening"],
        )
        events = events_unit([*summarised.events, built])
        paid = self._paid(run, summarised)
        return Recorded(_value(summarised.usage), epoch_unit(stored, turn.id, new) + events + paid)

    def _paid(self, run: Run, summarised: Summarised) -> Unit:
        """Counts the cost of a summary on the person who caused it."""
        if not summarised.usage.total_input:
            return Unit()
        name = summarised.answered_by or self.model.name(ModelSize.CHEAP)
        return self.meter.model_unit(run.context.payer, name, summarised.usage)

    async def _carried(self, turn: Turn, run: Run) -> Carried:
        """State with exact origins, which prose of a summary can't keep."""
        blocks = await self._quotes(run)
        if facts := run.facts:
            worst = max((fact.origin for fact in facts.values()), key=lambda one: one.trust)
            private = any(fact.private for fact in facts.values())
            blocks.append(quote("known facts", facts.render(FACTS_CHARS), worst, private=private))
        lines = [f"Active skill: {skill}." for skill in run.active_skills]
        waiting = await self.approvals.waiting_in(turn.session)
        lines += [
            f"Approval {item.ref} for {item.tool} still waits for a yes; it is not done yet."
            for item in waiting
        ]
        return Carried(blocks, "\n".join(lines))

    async def _quotes(self, run: Run) -> list[StoredBlock]:
        person, there = run.scope.person, run.context.conversation
        location = await self.resolver.channels.locate(there)
        day = today(self.clock.now(), self.resolver.people.zone(person))
        notes = await notes_of(self.quotes.files, Viewer.at(location, person), day)
        return await self.quotes.of(person, there, location, notes)


def _value(usage: Usage, problem: str = "", kind: str = "") -> JsonObject:
    return {"problem": problem, "kind": kind, "usage": usage.to_json()}

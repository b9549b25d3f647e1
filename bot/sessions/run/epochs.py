"""Epochs: near the model's window, a session continues from a summary with a fresh prefix.

The summary and the switch are one step (`compact:<n>`), its writes one unit. After a crash the
session is in the old epoch or in the new one, and the turn reaches the same point either way. Rows
of the old epoch stay until they are purged with their session.

See docs/rules.md#prefix.
"""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from bot.agents.cycle_log.store import events_unit
from bot.agents.loop.history import History
from bot.agents.loop.loop import ReactLoop
from bot.agents.loop.outcomes import Failed, LoopOutcome, Stopped, Trouble
from bot.agents.loop.run import Callbacks, Run
from bot.agents.prompt.notes import closing_text, quote, system_note
from bot.agents.prompt.system_prompt import PromptBuilder
from bot.agents.summaries.compaction import (
    Carried,
    CompactionSummary,
    Load,
    Material,
    NoSummary,
    epoch_opening,
    load_of,
    room,
    words_again,
)
from bot.agents.summaries.summarise import Summarised, Summariser
from bot.domain.chat import Pause, Status
from bot.domain.clock import Clock
from bot.domain.cycles import CycleStatus
from bot.domain.database import Database, Unit
from bot.domain.json_types import JsonObject
from bot.domain.languages import Language, Phrase, Translations
from bot.domain.models import Model, ModelSize, Unlock, Usage
from bot.domain.privacy import Viewer
from bot.domain.retelling import Retelling
from bot.domain.sessions import FrozenSizes, StoredBlock, count_chars, history_chars
from bot.domain.step_keys import StepKind, step_key
from bot.domain.turns import Recorded, Turn
from bot.errors import TurnError
from bot.files.daily_notes import notes_of, today
from bot.llm.unlocking import definitions_text
from bot.sessions.inbox.session_names import session_key
from bot.sessions.learning.spare_calls import SummaryPauses
from bot.sessions.records.session_store import StoredSession, newest_session
from bot.sessions.records.transcript_store import NewEpoch, epoch_unit, usage_write
from bot.sessions.run.circumstances import Circumstances, TurnResolver
from bot.sessions.run.opening_quotes import EpochQuotes
from bot.sessions.run.setup import Burst, Prepared, RunSetup
from bot.sessions.wording.languages import language_for
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


NOTHING_TO_SUMMARISE = Phrase("There is nothing to summarise yet.")
WHY_NOT_SUMMARISED = Retelling(
    (
        Phrase("the model could not write it ({kind})"),
        Phrase("the summary ended with {reason}"),
        Phrase("the summary has {count} characters for a conversation of {all}"),
        Phrase("the summary is no shorter than the conversation"),
        Phrase("it failed a short while ago"),
        Phrase("the budget is used up"),
    )
)
"""By the English words of the reason."""

COMPACT_PERCENT = 75
"""How full the model's window may get before a session continues from a summary."""
GOING_ON = (
    "The conversation was summarised while you worked on this request. What you had done for it "
    "stands in the summary:"
    " go on from there and don't do it again."
)


@dataclass(frozen=True)
class Epochs:
    """Runs a turn's loop in an epoch with enough room, and opens new epochs on demand."""

    setup: RunSetup
    switching: EpochSwitch
    loop: ReactLoop
    model: Model
    database: Database
    sizes: FrozenSizes = field(default_factory=FrozenSizes)

    async def run(
        self, turn: Turn, prepared: Prepared, words: Sequence[StoredBlock]
    ) -> tuple[Prepared, LoopOutcome]:
        """Run the turn; open a new epoch before it if one is due, and once within it if needed."""
        prepared, blocked = await self._before(turn, prepared, words)
        self._begin(prepared, words)
        if blocked is not None:
            prepared.run.history.append(closing_text(f"(no answer: {blocked.reason})"))
            return prepared, blocked
        outcome = await self.loop.run(prepared.run, turn)
        if not isinstance(outcome, Failed) or not outcome.overflowed:
            return prepared, outcome
        again = await self._again(turn, prepared, words)
        if again is None:
            return prepared, Stopped(tuple(prepared.run.deeds)) if turn.stop_requested else outcome
        return again, await self.loop.run(again.run, turn)

    async def on_demand(
        self, turn: Turn, about: Circumstances, callbacks: Callbacks
    ) -> tuple[str, Unit]:
        """`/compact`: the sentence for the person, and the result of its turn."""
        key, language = session_key(about.message, about.scope.person), language_for(about.message)
        stored = await newest_session(self.database, key)
        if stored is None or stored.state != "open":
            return NOTHING_TO_SUMMARISE.said(language), Unit()
        burst = Burst(about.message.sent_at)
        run = await self.setup.run_in(turn, about, stored, callbacks, burst)
        messages = run.history.messages
        material = Material.of(messages, len(messages), stored.session.epoch)
        if not material.worth_it and not turn.done(BEFORE):
            return NOTHING_TO_SUMMARISE.said(language), Unit()
        # The log finds a cycle by its start.
        await self.database.write(events_unit([run.cycle.start("/compact")]))
        switched = await self.switching.switch(turn, BEFORE, run, stored, material)
        told = _told_of(switched, turn.ref)
        self.setup.records.transcripts.forget(stored.session)
        usage = switched.usage if switched else Usage()
        failed, text = switched is None or bool(switched.problem), told.said(Language.EN)
        ended = run.cycle.complete(
            CycleStatus.ABANDONED if failed else CycleStatus.COMPLETE,
            text=text,
            error=text if failed else None,
            usage=usage,
        )
        unit = Unit.of(usage_write(stored.session.id, usage)) + events_unit([ended])
        return told.said(language), unit

    # --- in a turn ---

    async def _before(
        self, turn: Turn, prepared: Prepared, words: Sequence[StoredBlock]
    ) -> tuple[Prepared, Failed | None]:
        """The turn in a new epoch if one is due.

        A failed summary is not tried again for a while: the turn continues unchanged or, when the
        window is full, from an excerpt. The turn fails if not even that fits.
        """
        load = self._load(prepared, words)
        material = Material.of(
            prepared.run.history.messages, prepared.before, prepared.session.session.epoch
        )
        due = load.due(COMPACT_PERCENT) and material.worth_it
        # A turn that has begun stays in its epoch, even if a restart changes the settings.
        if not turn.done(BEFORE):
            rests = load.fits and self.switching.pauses.rests(prepared.session.session.id)
            if not due or rests or turn.done(step_key(StepKind.MODEL, 1)):
                return prepared, None
        excerpt = 0 if load.fits else load.excerpt_chars
        switched = await self.switching.switch(
            turn, BEFORE, prepared.run, prepared.session, material, excerpt
        )
        if switched is not None and not switched.problem:
            return await self._moved(prepared), None
        if switched is None or load.fits:
            return prepared, None
        kind = Trouble.MODEL if switched.kind else Trouble.CUT
        return prepared, Failed(kind, f"the window is full and {switched.problem}", switched.kind)

    async def _again(
        self, turn: Turn, prepared: Prepared, words: Sequence[StoredBlock]
    ) -> Prepared | None:
        """The turn's opening again in a new epoch, after a summary of the turn so far."""
        run = prepared.run
        material = Material.of(
            run.history.messages, prepared.before, prepared.session.session.epoch
        )
        if not material.worth_it and not turn.done(AGAIN):
            return None
        excerpt = max(self._load(prepared, words).excerpt_chars, LEAST_EXCERPT_CHARS)
        session = prepared.session
        switched = await self.switching.switch(turn, AGAIN, run, session, material, excerpt)
        if switched is None or switched.problem:
            return None
        said = [*words_again(material.now, words), system_note(GOING_ON)]
        moved = await self._moved(prepared)
        # The new epoch declares tools that this run unlocked: `begin` would not withdraw them.
        kept = replace(moved.session, session=replace(moved.session.session, unlocked=()))
        self._begin(replace(moved, session=kept), said)
        return moved

    def _load(self, prepared: Prepared, words: Sequence[StoredBlock]) -> Load:
        run, reported = prepared.run, prepared.session.context_tokens
        prefix = self.sizes.chars(run.history.system)
        prefix += self.sizes.chars(run.history.tools)
        history = history_chars(run.history.messages)
        coming = sum(count_chars(stored.block) for stored in (*prepared.context, *words))
        tokens = room(self.model.capabilities, run.agent.max_tokens)
        return load_of(reported, prefix, history, coming, tokens)

    async def _moved(self, prepared: Prepared) -> Prepared:
        """The same run at the beginning of its session's new epoch."""
        records, run = self.setup.records, prepared.run
        records.transcripts.forget(prepared.session.session)
        stored = await records.sessions.load(prepared.session.session.id)
        if stored is None:
            raise TurnError(f"session {prepared.session.session.id} is gone from the database")
        session, messages = stored.session, await records.transcripts.load(stored)
        run.go_on_from(History(session.system, session.tools, messages))
        return replace(prepared, session=stored, before=len(messages))

    def _begin(self, prepared: Prepared, words: Sequence[StoredBlock]) -> None:
        """Append the opening message: context, then `words` (a message or a decision's outcome)."""
        blocks = [*prepared.context, *words]
        old = prepared.session.session.unlocked if self.setup.forget_unlocked else ()
        removed = [str(declaration["name"]) for declaration in old]
        declarations, notes = self._opened(prepared), [prepared.note]
        if declarations and self.model.capabilities.unlock is Unlock.DISPATCH:
            notes.append(definitions_text(declarations))
        prepared.run.history.append_user(
            self.model.capabilities, blocks, notes=notes, declarations=declarations, removed=removed
        )

    def _opened(self, prepared: Prepared) -> list[JsonObject]:
        """Unlock the tools that the opening message names; returns what is to be declared.

        By reference a tool can be declared in a result alone, so there it stays locked.
        """
        toolset = prepared.run.toolset
        if self.model.capabilities.unlock is Unlock.REFERENCE:
            return []
        named = [toolset.find(name) for name in prepared.opens if not toolset.is_callable(name)]
        declarations = [tool.declaration() for tool in named if tool is not None]
        toolset.unlock(declarations)
        return declarations


def _told_of(switched: Switched | None, ref: str) -> Translations:
    """The sentence about a summary that a person asked for."""
    if switched is None:
        return Phrase("Stopped. Our conversation stays as it is.").filled()
    if not switched.problem:
        return Phrase(
            "Done: I go on from a summary of our conversation. /new would forget the conversation "
            "itself; files, todos, notes and memory stay either way."
        ).filled()
    why = WHY_NOT_SUMMARISED.in_all(switched.problem)
    return Translations.by(
        lambda language: Phrase(
            "I could not summarise it: {why}. Our conversation stays as it is. (reference {ref})"
        ).said(language, why=why.said(language), ref=ref)
    )

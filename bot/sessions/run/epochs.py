"""Epochs: near the model's window, a session continues from a summary with a fresh prefix.

The summary and the switch are one step (`compact:<n>`), its writes one unit. After a crash the
session is in the old epoch or in the new one, and the turn reaches the same point either way. Rows
of the old epoch stay until they are purged with their session.

See docs/rules.md#prefix.
"""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.agents.cycle_log.store import events_unit
from bot.agents.loop.callbacks import Callbacks
from bot.agents.loop.history import History
from bot.agents.loop.outcomes import Failed, LoopOutcome, Stopped, Trouble
from bot.agents.loop.run import Run
from bot.agents.prompt.notes import closing_text, quote, system_note
from bot.agents.summaries.compaction import (
    Carried,
    CompactionSummary,
    FrozenSizes,
    Load,
    Material,
    NoSummary,
    epoch_opening,
    history_chars,
    load_of,
    room,
    words_again,
)
from bot.agents.summaries.summarise import Summarised, Summariser
from bot.domain.chat import Status
from bot.domain.cycles import CycleStatus
from bot.domain.database import Unit
from bot.domain.json_types import JsonObject
from bot.domain.messages import IncomingMessage
from bot.domain.models import ModelSize, Usage
from bot.domain.sessions import StoredBlock, count_chars
from bot.domain.step_keys import StepKind, step_key
from bot.domain.turns import Recorded, Turn
from bot.errors import TurnError
from bot.sessions.house import House
from bot.sessions.inbox.router import session_key
from bot.sessions.learning.summary_pauses import SummaryPauses
from bot.sessions.records.session_store import StoredSession, newest_session
from bot.sessions.run.epoch_store import NewEpoch, epoch_unit, usage_write
from bot.sessions.run.setup import Burst, Prepared, RunSetup
from bot.tools.budget.budgets import Measure
from bot.tools.budget.usage import BEFORE_MODEL

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
NOTHING = "There is nothing to summarise yet."
GOING_ON = (
    "The conversation was summarised while you worked on this request. What you had done for it "
    "stands in the summary:"
    " go on from there and don't do it again."
)


@dataclass(frozen=True)
class Switched:
    """A compaction's result: `problem` says why the old epoch stays, `kind` names the failure."""

    problem: str = ""
    kind: str = ""
    usage: Usage = Usage()


class Epochs:
    """Runs a turn's loop in an epoch with enough room, and opens new epochs on demand."""

    def __init__(self, house: House, setup: RunSetup) -> None:
        self._house = house
        self._setup = setup
        self._summariser = Summariser(house.model, house.crew.prompts, house.clock)
        self._sizes = FrozenSizes()
        self._pauses = SummaryPauses(house.clock)

    async def run(
        self, turn: Turn, prepared: Prepared, words: Sequence[StoredBlock]
    ) -> tuple[Prepared, LoopOutcome]:
        """Run the turn; open a new epoch before it if one is due, and once within it if needed."""
        prepared, blocked = await self._before(turn, prepared, words)
        self._setup.begin(prepared, words)
        if blocked is not None:
            prepared.run.history.append(closing_text(f"(no answer: {blocked.reason})"))
            return prepared, blocked
        outcome = await self._house.crew.loop.run(prepared.run, turn)
        if not _overflowed(outcome):
            return prepared, outcome
        again = await self._again(turn, prepared, words)
        if again is None:
            return prepared, Stopped(
                tuple(prepared.run.record.tools_used)
            ) if turn.stop_requested else outcome
        return again, await self._house.crew.loop.run(again.run, turn)

    async def on_demand(
        self, turn: Turn, message: IncomingMessage, callbacks: Callbacks
    ) -> tuple[str, Unit]:
        """`/compact`: the sentence for the person, and the result of its turn."""
        key = session_key(message, self._house.person(message))
        stored = await newest_session(self._house.database, key)
        if stored is None or stored.state != "open":
            return NOTHING, Unit()
        location = await self._house.channels.locate(message.conversation)
        run = await self._setup.run_in(turn, message, location, stored, callbacks, Burst(message))
        material = Material.of(
            run.history.messages, len(run.history.messages), stored.session.epoch
        )
        if not material.worth_it and not turn.done(BEFORE):
            return NOTHING, Unit()
        switched = await self._switch(turn, BEFORE, run, stored, material)
        if switched is None:
            text = "Stopped. Our conversation stays as it is."
        elif switched.problem:
            text = (
                f"I could not summarise it: {switched.problem}. Our conversation stays as it is. "
                f"(reference {turn.ref})"
            )
        else:
            text = (
                "Done: I go on from a summary of our conversation. /new would forget the "
                "conversation itself; files,"
                " todos, notes and memory stay either way."
            )
        self._house.transcripts.forget(stored.session)
        usage = switched.usage if switched else Usage()
        failed = switched is None or bool(switched.problem)
        ended = run.cycle.complete(
            CycleStatus.ABANDONED if failed else CycleStatus.COMPLETE,
            text=text,
            error=text if failed else None,
            usage=usage,
        )
        return text, Unit.of(usage_write(stored.session.id, usage)) + events_unit([ended])

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
        due = load.due(self._house.rules.compact_percent) and material.worth_it
        # A turn that has begun stays in its epoch, even if a restart changes the settings.
        if not turn.done(BEFORE) and (not due or turn.done(step_key(StepKind.MODEL, 1))):
            return prepared, None
        if not turn.done(BEFORE) and load.fits and self._pauses.rests(prepared.session.session.id):
            return prepared, None
        excerpt = 0 if load.fits else load.excerpt_chars
        switched = await self._switch(
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
        switched = await self._switch(turn, AGAIN, run, prepared.session, material, excerpt)
        if switched is None or switched.problem:
            return None
        said = [*words_again(material.now, words), system_note(GOING_ON)]
        moved = await self._moved(prepared)
        # The new epoch declares tools that this run unlocked: `begin` would not withdraw them.
        kept = replace(moved.session, session=replace(moved.session.session, unlocked=()))
        self._setup.begin(replace(moved, session=kept), said)
        return moved

    def _load(self, prepared: Prepared, words: Sequence[StoredBlock]) -> Load:
        run, reported = prepared.run, prepared.session.context_tokens
        tokens = room(self._house.model.capabilities, run.agent.max_tokens)
        prefix = self._sizes.chars(run.history.system)
        prefix += self._sizes.chars(run.history.tools)
        history = history_chars(run.history.messages)
        coming = sum(count_chars(stored.block) for stored in (*prepared.context, *words))
        return load_of(reported, prefix, history, coming, tokens)

    async def _moved(self, prepared: Prepared) -> Prepared:
        """The same run at the beginning of its session's new epoch."""
        house, run = self._house, prepared.run
        house.transcripts.forget(prepared.session.session)
        stored = await house.sessions.load(prepared.session.session.id)
        if stored is None:
            raise TurnError(f"session {prepared.session.session.id} is gone from the database")
        session, messages = stored.session, await house.transcripts.load(stored)
        run.go_on_from(History(session.system, session.tools, messages))
        return replace(prepared, session=stored, before=len(messages))

    # --- the switch ---

    async def _switch(
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

        async def switch() -> Recorded:
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
                summarised = replace(
                    summarised, result=CompactionSummary(f"{EXCERPT}\n\n{material.render(excerpt)}")
                )
            return await self._new_epoch(turn, key, run, stored, material, summarised)

        if not turn.done(key):
            run.callbacks.live(Status(WORKING))
        try:
            with turn.stoppable():
                async with turn.away():
                    value = await turn.step(key, switch)
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if not turn.stop_requested or task is None:
                raise
            task.uncancel()
            if not turn.done(key):
                return None
            value = await turn.step(key, switch)
        usage = Usage(**value["usage"])
        run.budget.used += usage
        return Switched(value["problem"], value["kind"], usage)

    async def _summarised(
        self, key: str, run: Run, material: Material, *, rest: bool
    ) -> Summarised:
        """A summary, or the reason for none; with `rest`, no call during a pause after failures."""
        house, session = self._house, run.context.session_id
        if rest and self._pauses.rests(session):
            return Summarised(NoSummary("it failed a short while ago"), Usage(), ())
        async with house.meter.held(
            run.context.payer, Measure.MODEL_CALLS, turn=run.spending
        ) as ticket:
            if await house.meter.reached(run.context.payer, run.spending, BEFORE_MODEL, ticket):
                return Summarised(NoSummary("the budget is used up"), Usage(), ())
            summarised = await self._summariser.summarise(run.cycle, key, material)
        if isinstance(summarised.result, CompactionSummary):
            self._pauses.worked(session)
        else:
            self._pauses.failed(session, model_trouble=summarised.kind not in {"", "too_long"})
        return summarised

    def _kept(self, run: Run, key: str, summarised: Summarised) -> Recorded:
        log.warning(
            "session=<%s>, step=<%s>, reason=<%s> | not summarised; the transcript stays",
            run.context.session_id,
            key,
            summarised.problem,
        )
        value = _value(summarised.usage, summarised.problem, summarised.kind)
        return Recorded(value, events_unit(summarised.events) + self._paid(run, summarised.usage))

    async def _new_epoch(
        self,
        turn: Turn,
        key: str,
        run: Run,
        stored: StoredSession,
        material: Material,
        summarised: Summarised,
    ) -> Recorded:
        house = self._house
        toolset = house.crew.compose(run.agent, run.scope)
        unlocked = [toolset.find(str(item["name"])) for item in run.toolset.unlocked_declarations()]
        toolset.unlock(
            [definition.declaration() for definition in unlocked if definition is not None]
        )
        prefix = await house.crew.prompts.build_system_prompt(run.agent, run.scope, toolset)
        opening = epoch_opening(summarised.text, material, await self._carried(turn, run))
        new = NewEpoch(
            prefix.system,
            prefix.tools,
            toolset.unlocked_declarations(),
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
        paid = self._paid(run, summarised.usage)
        return Recorded(_value(summarised.usage), epoch_unit(stored, turn.id, new) + events + paid)

    def _paid(self, run: Run, usage: Usage) -> Unit:
        """Counts the cost of a summary on the person who caused it."""
        if not usage.total_input:
            return Unit()
        return self._house.meter.model_unit(
            run.context.payer, self._house.model.name(ModelSize.CHEAP), usage
        )

    async def _carried(self, turn: Turn, run: Run) -> Carried:
        """State with exact origins, which prose of a summary can't keep."""
        blocks = await self._setup.opening.quotes(run.scope.person, run.context.conversation)
        if run.facts:
            worst = max(
                (fact.origin for fact in run.facts.values()), key=lambda origin: origin.trust
            )
            private = any(fact.private for fact in run.facts.values())
            blocks.append(
                quote("known facts", run.facts.render(FACTS_CHARS), worst, private=private)
            )
        lines = [f"Active skill: {skill}." for skill in run.active_skills]
        waiting = await self._house.approvals.waiting_in(turn.session)
        lines += [
            f"Approval {item.ref} for {item.tool} still waits for a yes; it is not done yet."
            for item in waiting
        ]
        return Carried(blocks, "\n".join(lines))


def _value(usage: Usage, problem: str = "", kind: str = "") -> JsonObject:
    counted = {name: getattr(usage, name) for name in Usage.__dataclass_fields__}
    return {"problem": problem, "kind": kind, "usage": counted}


def _overflowed(outcome: LoopOutcome) -> bool:
    """Whether the model found the conversation too long for its window."""
    return isinstance(outcome, Failed) and (
        outcome.kind is Trouble.CUT or outcome.model_kind == "too_long"
    )

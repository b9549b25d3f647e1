"""A round of tool calls: order, steering, questions, effects; single calls run in the pipeline."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.agents.loop.history import (
    INTERRUPTED,
    SKIPPED_FINISHED,
    SKIPPED_STEERED,
    STOPPED,
    skipped,
    stored_result,
    unlocking_result,
    with_definitions,
)
from bot.agents.loop.outcomes import Failed, Trouble
from bot.agents.loop.pipeline import Ran, ToolPipeline
from bot.agents.loop.run import Asking, Progress, Run
from bot.domain.chat import Pause, Status
from bot.domain.json_types import JsonObject
from bot.domain.models import ModelCapabilities, Unlock
from bot.domain.origins import Origin, Trust, escape
from bot.domain.sessions import StoredBlock
from bot.domain.step_keys import StepKind, step_key
from bot.domain.tool_outcomes import (
    AskPerson,
    BudgetExtended,
    Confined,
    FactForgotten,
    FactSaved,
    Finish,
    ForAsker,
    Rescheduled,
    RunNote,
    SkillActivated,
    ToolResult,
    Unlocked,
)
from bot.domain.tools import ToolCall
from bot.domain.turns import Turn
from bot.tools.toolset.run_rules import AGENT_PREFIX
from bot.tools.toolset.toolset import Toolset

SAME_CALL = 3
"""How often a run may repeat an exact call; then it is refused, and soon the run ends."""
READERS_AT_ONCE = 4
"""Calls of one reply that wait for servers outside at the same time."""
CALLS_PER_MESSAGE = 2
"""Model calls that a joining message adds to its run, up to the run's maximum."""
LONGEST_UNSEEN_S = 60.0
"""How long a card may wait for the answer, below which it stands."""
LAST_CALLS = (
    "2 model calls are left in this run. Answer now, or call request_more_turns with a reason if "
    "more is needed."
)

LAST_CALL = (
    "This is the last model call of this run. Call no tool. Answer now: what is done, and what "
    "isn't."
)

FOR_ASKER = (
    "This is the asker's alone, and others read here. Answer them in full all the same: they alone "
    "get it, and the place reads one line that you answered them."
)


@dataclass(eq=False)
class Round:
    """The calls of one reply, from the first to their results in the history; made per reply."""

    pipeline: ToolPipeline
    capabilities: ModelCapabilities
    run: Run
    turn: Turn
    calls: Sequence[ToolCall]

    def __post_init__(self) -> None:
        self._results: dict[str, StoredBlock] = {}
        """By the id of its call."""
        self._beside: list[StoredBlock] = []
        """Declarations that do not fit into results, see `history.unlocking_result`."""
        self._steered: list[StoredBlock] = []
        """The person's messages meanwhile; they follow the results."""
        self._questions: list[tuple[ToolCall, AskPerson]] = []
        self._declarations: list[JsonObject] = []
        """Tools that were unlocked, declared to the model with the results."""
        self._unlocked_by_call: list[str] = []
        """Tools that were locked until they were called; the model is told."""

    async def go(self, n: int) -> Finish | Failed | None:
        """Run the calls of reply `n` and append their results, in the model's order.

        Finish when finish_task ended the run, Failed when it goes in circles, else None.
        """
        try:
            return await self._go(n)
        except asyncio.CancelledError:
            self._close()
            raise

    async def _go(self, n: int) -> Finish | Failed | None:
        finish: Finish | None = None
        looping: Failed | None = None
        progress = self.run.progress
        spared, progress.skipped = progress.skipped, False
        for group in _groups(self.calls, self.run.toolset):
            self._steered += await self._steer(before=group[0].key, spared=spared)
            if finish or self._steered:
                reason = SKIPPED_FINISHED if finish else SKIPPED_STEERED
                self._results.update({call.id: skipped(call, reason) for call in group})
                progress.skipped = progress.skipped or finish is None
                continue
            for call in group:
                looping = _count(progress, call) or looping
            for call, ran in zip(group, await self._together(group), strict=True):
                finish = self._keep(call, ran) or finish
        await self.run.callbacks.show_cards(LONGEST_UNSEEN_S)
        await self._ask_all()
        if finish is None:
            self._steered += await self._steer(before=step_key(StepKind.MODEL, n + 1))
        self._append_results()
        return finish or looping

    def _keep(self, call: ToolCall, ran: Ran) -> Finish | None:
        """Record the result of a call."""
        match ran.outcome:
            case Finish() as finish:
                ended = ToolResult("the run is finished")
                self._results[call.id] = stored_result(call.id, ended)
                return finish
            case AskPerson() as question:
                self._questions.append((call, question))
            case ToolResult() as result:
                unlock = self.capabilities.unlock
                self._results[call.id], more = unlocking_result(call.id, result, unlock)
                self._beside += more
                self._apply(result)
                if ran.wrote:
                    _forget_repeats(self.run.progress, call)
        return None

    def _apply(self, result: ToolResult) -> None:  # noqa: C901 - one line per effect
        run = self.run
        for effect in result.effects:
            match effect:
                case Unlocked(declarations, called=called):
                    self._unlock(declarations, called=called)
                case FactSaved(fact):
                    run.facts.save(fact)
                    if fact.source_agent != run.agent.name:
                        run.record.untold_facts.append(fact.key)
                case FactForgotten(key):
                    run.facts.forget(key)
                    left = [untold for untold in run.record.untold_facts if untold != key]
                    run.record.untold_facts = left
                case BudgetExtended(extra):
                    run.budget.extend(extra)
                case Confined(limits, lifted=True):
                    run.release(limits)
                case Confined(limits):
                    run.confine(limits)
                case SkillActivated(skill_id, active, tools):
                    run.activate(skill_id, tools, active=active)
                case Rescheduled():
                    run.callbacks.on_rescheduled()
                case RunNote():
                    run.record.notes.append(effect)
                case ForAsker():
                    run.narrow()

    def _unlock(self, declarations: Sequence[JsonObject], *, called: bool) -> None:
        toolset = self.run.toolset
        new = [item for item in declarations if not toolset.is_callable(str(item["name"]))]
        toolset.unlock(new)
        self._declarations += new
        if called:
            self._unlocked_by_call += [str(declaration["name"]) for declaration in new]

    def _append_results(self) -> None:
        run, named = self.run, ", ".join(self._unlocked_by_call)
        notes = [f"Unlocked now: {named}."] if named else []
        if run.for_asker and not run.scope.depth and not run.record.told_alone:
            run.record.told_alone = True
            notes.append(FOR_ASKER)
        offer = run.budget.calls_left == 2 and not run.progress.offered_more
        run.progress.offered_more = run.progress.offered_more or offer
        if offer or run.budget.calls_left == 1:
            notes.append(LAST_CALLS if offer else LAST_CALL)
        results = [self._results[call.id] for call in self.calls]
        more_turns = run.toolset.find("request_more_turns") if offer else None
        if more_turns is not None:
            declaration = more_turns.declaration()
            match self.capabilities.unlock:
                case Unlock.INLINE | Unlock.APPEND:
                    self._declarations.append(declaration)
                case Unlock.DISPATCH:
                    results[-1] = with_definitions(results[-1], [declaration])
                case Unlock.REFERENCE:
                    pass  # declared from the first request on, see `declared_early`
        self._append(results, notes)

    def _close(self) -> None:
        """After a stop: keep the results, unlocked tools and words so far."""
        begun = self.run.begun
        self._append(
            [
                self._results.get(call.id)
                or skipped(call, INTERRUPTED if call.id in begun else STOPPED)
                for call in self.calls
            ]
        )

    def _append(self, results: Sequence[StoredBlock], notes: Sequence[str] = ()) -> None:
        blocks = [*results, *self._beside, *self._steered]
        self.run.history.append_user(
            self.capabilities, blocks, notes=notes, declarations=self._declarations
        )

    # --- steering and questions ---

    async def _steer(self, *, before: str, spared: bool = False) -> list[StoredBlock]:
        """Take the person's messages meanwhile.

        A replay takes the same messages at the same point. A `spared` round reads them at its end.
        Each taken message adds model calls.
        """
        run, turn, on_steer = self.run, self.turn, self.run.callbacks.on_steer
        if on_steer is None:
            return []
        run.progress.steer_checks += 1
        checks = run.progress.steer_checks
        if (spared or turn.done(before)) and not turn.done(step_key(StepKind.STEER, checks)):
            return []
        waiting = await turn.take(checks, before=before)
        if not waiting:
            return []
        run.budget.extend(CALLS_PER_MESSAGE * len(waiting))
        blocks = [block for item in waiting for block in await on_steer(item)]
        if blocks:
            run.record.sent.clear()  # an earlier `send` can't be the answer to this
            run.callbacks.live(Status("reading your new message", Pause.READING_MORE))
        return blocks

    async def _ask_all(self) -> None:
        """Ask all questions of the round at once; the person's one answer goes to each of them."""
        if not self._questions:
            return
        first, only = self._questions[0]
        text, options = only.question, only.options
        if len(self._questions) > 1:
            asked = enumerate((ask.question for _, ask in self._questions), 1)
            text, options = "\n".join(f"{number}. {question}" for number, question in asked), ()
        key = step_key(StepKind.ASK, within=first.key)
        if self.turn.stop_requested and not self.turn.done(key):
            raise asyncio.CancelledError
        files = any(ask.files for _, ask in self._questions)
        asking = Asking(text, options, self.run.origin.trust, files)
        result, typed = await self._answer(key, asking)
        if self.run.callbacks.heard is not None:
            self._beside += await self.run.callbacks.heard(self.turn, first.key)
        for call, _ in self._questions:
            self._results[call.id] = replace(stored_result(call.id, result), typed=typed)

    async def _answer(self, key: str, asking: Asking) -> tuple[ToolResult, str]:
        """The person's answer as a result, and the part that they typed."""
        run, ask = self.run, self.run.callbacks.ask
        if ask is None:
            nobody = (
                "nobody is there to answer; decide yourself or say in your answer what is missing"
            )
            return ToolResult(nobody, is_error=True), ""
        answer = await ask(self.turn, key, asking)
        run.record.answered = True
        origin = Origin(Trust.PERSON, f"person:{run.scope.person.id}")
        said = escape(answer.text)  # as a message of theirs
        return ToolResult(said, origin=origin, private=run.context.private), answer.typed

    # --- single calls ---

    async def _together(self, group: Sequence[ToolCall]) -> list[Ran]:
        if len(group) == 1:
            return [await self._one(group[0])]
        return list(await asyncio.gather(*(self._one(call) for call in group)))

    async def _one(self, call: ToolCall) -> Ran:
        run = self.run
        run.budget.tool_calls_made += 1
        if run.progress.repeats.get(_signature(call), 0) > SAME_CALL:
            text = f"not run: you made this exact call {SAME_CALL} times; use its result"
            return Ran(await self.pipeline.repeated(run, self.turn, call, text))
        return await self.pipeline.run(run, self.turn, call)


def _groups(calls: Sequence[ToolCall], toolset: Toolset) -> list[list[ToolCall]]:
    """Calls in a row that run in parallel: different agents, or a few that read outside.

    The others run in sequence.
    """
    groups: list[list[ToolCall]] = []
    for call in calls:
        if groups and (_agents([*groups[-1], call]) or _readers([*groups[-1], call], toolset)):
            groups[-1].append(call)
        else:
            groups.append([call])
    return groups


def _agents(calls: Sequence[ToolCall]) -> bool:
    names = {call.name for call in calls}
    return len(names) == len(calls) and all(name.startswith(AGENT_PREFIX) for name in names)


def _readers(calls: Sequence[ToolCall], toolset: Toolset) -> bool:
    return len(calls) <= READERS_AT_ONCE and all(map(toolset.reads_outside, calls))


def _signature(call: ToolCall) -> str:
    return f"{call.name} {json.dumps(call.arguments, sort_keys=True)}"


def _forget_repeats(progress: Progress, call: ToolCall) -> None:
    """After a change, other calls may give a different result than before."""
    signature = _signature(call)
    progress.repeats = {signature: progress.repeats.get(signature, 1)}


def _count(progress: Progress, call: ToolCall) -> Failed | None:
    signature = _signature(call)
    progress.repeats[signature] = times = progress.repeats.get(signature, 0) + 1
    if times > SAME_CALL + 1:
        why = f"{call.name} was called {times} times in exactly the same way"
        return Failed(Trouble.LOOPING, why)
    return None

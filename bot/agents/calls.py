"""Rounds of tool calls: order, steering, questions, effects; single calls run in the pipeline."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace

from bot.agents.pipeline import Settled, ToolPipeline
from bot.agents.rounds import (
    SKIPPED_FINISHED,
    SKIPPED_STEERED,
    append_user,
    skipped,
    stored_result,
    unlocking_result,
)
from bot.agents.run import Asking, Failed, Run, Trouble
from bot.domain.approvals import Approval
from bot.domain.chat import Status
from bot.domain.models import ModelCapabilities
from bot.domain.origins import Origin, Trust
from bot.domain.sessions import StoredBlock
from bot.domain.step_keys import StepKind, step_key
from bot.domain.tools import (
    AskPerson,
    BudgetExtended,
    Confined,
    Discovered,
    FactForgotten,
    FactSaved,
    Finish,
    PlanKept,
    Rescheduled,
    SkillActivated,
    SwarmKept,
    ToolCall,
    ToolResult,
    Unlocked,
)
from bot.domain.turns import Turn
from bot.tools.toolset.dispatcher import declares_offered

SAME_CALL = 3
"""How often a run may repeat an exact call; then it is refused, and soon the run ends."""
CALLS_PER_MESSAGE = 2
"""Model calls that a joining message adds to its run, up to the run's maximum."""
LAST_CALLS = (
    "2 model calls are left in this run. Answer now, or call request_more_turns with a reason if "
    "more is needed."
)

LAST_CALL = (
    "This is the last model call of this run. Call no tool. Answer now: what is done, and what "
    "isn't."
)


class ToolCalls:
    """Runs rounds of tool calls for the loop; holds no state of a run."""

    def __init__(self, pipeline: ToolPipeline, capabilities: ModelCapabilities) -> None:
        self._pipeline = pipeline
        self._capabilities = capabilities

    async def run_round(
        self, run: Run, turn: Turn, calls: Sequence[ToolCall], n: int
    ) -> Finish | Failed | None:
        """Run one reply's calls; append their results as one user message, in the model's order.

        Finish if finish_task ended the run, Failed if it goes in circles, else None.
        """
        run.results.clear()
        run.steered.clear()
        run.beside.clear()
        questions: list[tuple[ToolCall, AskPerson]] = []
        finish: Finish | None = None
        looping: Failed | None = None
        spared, run.skipped = run.skipped, False
        for group in _groups(calls):
            run.steered += await self._steer(run, turn, before=group[0].key, spared=spared)
            if finish or run.steered:
                reason = SKIPPED_FINISHED if finish else SKIPPED_STEERED
                run.results.update({call.id: skipped(call, reason) for call in group})
                run.skipped = run.skipped or finish is None
                continue
            for call in group:
                looping = _count(run, call) or looping
            for call, outcome in zip(group, await self._together(run, turn, group), strict=True):
                match outcome:
                    case Finish():
                        finish = outcome
                        run.results[call.id] = stored_result(
                            call.id, ToolResult("the run is finished")
                        )
                    case AskPerson():
                        questions.append((call, outcome))
                    case ToolResult():
                        self._keep(run, call, outcome)
        await self._ask_all(run, turn, questions)
        if finish is None:
            run.steered += await self._steer(run, turn, before=step_key(StepKind.MODEL, n + 1))
        self._append_results(run, calls)
        if finish is None and looping is not None:
            return looping
        return finish

    def _keep(self, run: Run, call: ToolCall, result: ToolResult) -> None:
        run.results[call.id], more = unlocking_result(call.id, result, self._capabilities.unlock)
        run.beside += more
        _apply_effects(run, result)
        if call.id in run.wrote:
            _forget_repeats(run, call)

    def _append_results(self, run: Run, calls: Sequence[ToolCall]) -> None:
        offer = run.budget.calls_left == 2 and not run.offered_more
        run.offered_more = run.offered_more or offer
        notes = (
            [f"Unlocked now: {', '.join(run.unlocked_by_call)}."] if run.unlocked_by_call else []
        )
        run.unlocked_by_call.clear()
        if offer or run.budget.calls_left == 1:
            notes.append(LAST_CALLS if offer else LAST_CALL)
        declarations, run.new_declarations = run.new_declarations, ()
        more_turns = run.toolset.find("request_more_turns") if offer else None
        if more_turns is not None and not declares_offered(self._capabilities.unlock):
            declarations = (*declarations, more_turns.declaration())
        append_user(
            run,
            self._capabilities,
            [*(run.results[call.id] for call in calls), *run.beside, *run.steered],
            notes=notes,
            declarations=declarations,
        )
        run.results.clear()
        run.beside.clear()
        run.steered.clear()

    # --- steering and questions ---

    async def _steer(
        self, run: Run, turn: Turn, *, before: str, spared: bool = False
    ) -> list[StoredBlock]:
        """Take what the person wrote meanwhile.

        On replay only what was taken then, at the place it was taken.

        A round that is `spared` reads it at its end. What is taken brings model calls with it.
        """
        if run.on_steer is None:
            return []
        run.steer_checks += 1
        if (spared or turn.done(before)) and not turn.done(
            step_key(StepKind.STEER, run.steer_checks)
        ):
            return []
        waiting = await turn.take(run.steer_checks)
        run.budget.extend(CALLS_PER_MESSAGE * len(waiting))
        blocks = [block for item in waiting for block in await run.on_steer(item)]
        if blocks:
            run.sent.clear()  # what was sent before can't be the answer to this
            run.live(Status("reading your new message"))
        return blocks

    async def _ask_all(
        self, run: Run, turn: Turn, questions: Sequence[tuple[ToolCall, AskPerson]]
    ) -> None:
        """Ask all questions of the round at once; the person's one answer goes to each of them."""
        if not questions:
            return
        first, only = questions[0]
        text, options = only.question, only.options
        if len(questions) > 1:
            text = "\n".join(
                f"{number}. {ask.question}" for number, (_, ask) in enumerate(questions, 1)
            )
            options = ()
        key = step_key(StepKind.ASK, within=first.key)
        if turn.stop_requested and not turn.done(key):
            raise asyncio.CancelledError
        typed = ""
        if run.ask is None:
            result = ToolResult(
                "nobody is there to answer; decide yourself or say in your answer what is missing",
                is_error=True,
            )
        else:
            answer = await run.ask(turn, key, Asking(text, options, run.origin.trust))
            typed = answer.typed
            origin = Origin(Trust.PERSON, f"person:{run.person.id}")
            result = ToolResult(answer.text, origin=origin, private=run.private)
        run.results.update(
            {call.id: replace(stored_result(call.id, result), typed=typed) for call, _ in questions}
        )

    async def run_approved(
        self, run: Run, turn: Turn, approval: Approval, call: ToolCall
    ) -> ToolResult:
        """Run a stored call after somebody's yes (docs/rules.md#approvals)."""
        return await self._pipeline.run_approved(run, turn, approval, call)

    async def _together(self, run: Run, turn: Turn, group: Sequence[ToolCall]) -> list[Settled]:
        if len(group) == 1:
            return [await self._one(run, turn, group[0])]
        return list(await asyncio.gather(*(self._one(run, turn, call) for call in group)))

    async def _one(self, run: Run, turn: Turn, call: ToolCall) -> Settled:
        run.budget.tool_calls_made += 1
        if run.repeats.get(_signature(call), 0) > SAME_CALL:
            text = f"not run: you made this exact call {SAME_CALL} times; use its result"
            return await self._pipeline.repeated(run, turn, call, text)
        return await self._pipeline.run(run, turn, call)


def _apply_effects(run: Run, result: ToolResult) -> None:  # noqa: C901, PLR0912 - one line per effect
    for effect in result.effects:
        match effect:
            case Unlocked(declarations, called=called):
                new = [
                    item for item in declarations if not run.toolset.is_callable(str(item["name"]))
                ]
                run.toolset.unlock(new)
                run.new_declarations = (*run.new_declarations, *new)
                if called:
                    run.unlocked_by_call += [str(declaration["name"]) for declaration in new]
            case FactSaved(fact):
                run.facts.save(fact)
                if fact.source_agent != run.agent.name:
                    run.untold_facts.append(fact.key)
            case FactForgotten(key):
                run.facts.forget(key)
                run.untold_facts = [untold for untold in run.untold_facts if untold != key]
            case BudgetExtended(extra):
                run.budget.extend(extra)
            case Confined(limits):
                run.confine(limits)
            case SkillActivated(skill_id, active, tools):
                run.activate(skill_id, tools, active=active)
            case Rescheduled():
                run.on_rescheduled()
            case PlanKept(plan):
                run.plan = plan
            case SwarmKept(swarm):
                run.swarm = swarm
            case Discovered(discovery):
                run.discoveries.append(discovery)


def _groups(calls: Sequence[ToolCall]) -> list[list[ToolCall]]:
    """Different agents called next to each other run in parallel; other calls run in sequence."""
    groups: list[list[ToolCall]] = []
    for call in calls:
        agents = (
            groups
            and call.name.startswith("agent_")
            and all(
                other.name.startswith("agent_") and other.name != call.name for other in groups[-1]
            )
        )
        if agents:
            groups[-1].append(call)
        else:
            groups.append([call])
    return groups


def _signature(call: ToolCall) -> str:
    return f"{call.name} {json.dumps(call.arguments, sort_keys=True)}"


def _forget_repeats(run: Run, call: ToolCall) -> None:
    """After something was changed, other calls may give something else than before."""
    signature = _signature(call)
    run.repeats = {signature: run.repeats.get(signature, 1)}


def _count(run: Run, call: ToolCall) -> Failed | None:
    signature = _signature(call)
    run.repeats[signature] = times = run.repeats.get(signature, 0) + 1
    if times > SAME_CALL + 1:
        return Failed(
            Trouble.LOOPING, f"{call.name} was called {times} times in exactly the same way"
        )
    return None

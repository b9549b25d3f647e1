"""ReactLoop: sample the model, run its tool calls, until there is an answer.

Contract: `run` never raises for model or tool trouble; it returns a LoopOutcome with a reason. It
raises Suspended (the turn waits for a person), ClaimLost and StorageError (nothing more can be
recorded), and CancelledError unless the person asked for the stop. Everything it does is a
journalled step, so that running it again after a crash repeats nothing and comes to the same place.
"""

import asyncio
import logging

from bot.agents.calls import ToolCalls
from bot.agents.cycle_log import CycleLog
from bot.agents.notes import system_note
from bot.agents.outcome_json import reply_from_json, reply_to_json, trouble_to_json
from bot.agents.quotes import mark_unfound
from bot.agents.rounds import (
    CUT_OFF,
    NOT_RUN,
    STOPPED,
    append_user,
    assistant_message,
    close_open_round,
    closing_text,
    results_of,
    skipped,
    tool_calls,
)
from bot.agents.run import Answered, Failed, LoopOutcome, Run, Stopped, Trouble
from bot.agents.specialists import Lead
from bot.agents.spending import Purse
from bot.clock import cut_off_by
from bot.domain.chat import Status, TextDelta, TextReset, Thinking
from bot.domain.clock import Clock
from bot.domain.models import (
    DeltaReset,
    DeltaText,
    DeltaThinking,
    Model,
    ModelDelta,
    ModelReply,
    ModelRequest,
)
from bot.domain.runs import RunShape
from bot.domain.sessions import TranscriptMessage
from bot.domain.step_keys import ANSWER, StepKind, step_key
from bot.domain.tools import Finish
from bot.domain.turns import Recorded, Turn
from bot.errors import ModelError, ModelTrouble

log = logging.getLogger(__name__)

EMPTY_REPLY = "Your last reply was empty. Answer the person in plain words, or call a tool."
HELD_BACK = (
    "Your last reply was not shown: the person was still writing. Answer everything in one reply, "
    "and repeat from that one what they need."
)
MOST_HELD_BACK = 3
"""Replies of one run that are held back; what comes later is answered by a turn of its own."""
"""The step that shows the answer."""
CUT_MARK = "\n\n*(The answer was cut off at the length limit; ask me to go on.)*"


class ReactLoop:
    """Runs any agent, top-level or delegated; holds no state of a run."""

    def __init__(
        self, model: Model, calls: ToolCalls, cycle_log: CycleLog, clock: Clock, purse: Purse
    ) -> None:
        self._model = model
        self._purse = purse
        self._calls = calls
        self._log = cycle_log
        self._clock = clock

    async def run(self, run: Run, turn: Turn, lead: Lead | None = None) -> LoopOutcome:
        """With a `lead`, each model call and each round waits until it is asked for."""
        if not run.budget.calls_made:
            run.budget.started = self._clock.monotonic()
        try:
            with turn.stoppable():
                return await self._in_time(run, turn, lead)
        except TimeoutError:
            return self._closed(
                run, Failed(Trouble.TIME, f"max_seconds={run.budget.wall_s:g} exhausted")
            )
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if run.depth or not turn.stop_requested or task is None:
                raise
            task.uncancel()
            return self._stopped(run)

    async def _in_time(self, run: Run, turn: Turn, lead: Lead | None) -> LoopOutcome:
        """The time limit covers the whole request, its waits and the agents that it calls."""
        if run.depth:
            return await self._cycle(run, turn, lead)
        left = run.budget.wall_s - (self._clock.monotonic() - run.budget.started)
        async with cut_off_by(lambda: self._clock.sleep(left)):
            return await self._cycle(run, turn, lead)

    async def _cycle(self, run: Run, turn: Turn, lead: Lead | None) -> LoopOutcome:
        n = run.budget.calls_made  # more than none when the run goes on in a new epoch
        while True:
            n += 1
            if lead is not None:
                await lead.before_model(n)
            if turn.stop_requested and not turn.done(step_key(StepKind.MODEL, n)):
                return self._stopped(run)
            if limit := run.budget.exhausted(self._clock.monotonic()):
                return self._closed(run, _exhausted(run, limit))
            reply = await self._afforded(run, turn, n)
            if isinstance(reply, Failed):
                return self._closed(run, reply)
            if isinstance(reply, ModelTrouble):
                return self._closed(run, _unanswered(reply))
            run.append(assistant_message(run, reply))
            if lead is not None:
                await lead.replied(reply)
            outcome = await self._react(run, turn, n, reply, lead)
            if outcome is not None:
                return outcome

    # --- one model call ---

    async def _afforded(self, run: Run, turn: Turn, n: int) -> ModelReply | ModelTrouble | Failed:
        """Sample where the budgets allow it; a call that was made already is paid.

        No slot is held meanwhile.
        """
        model = self._model.name(run.agent.model)
        async with turn.away(), self._purse.model_call(run, model) as ticket:
            if not turn.done(step_key(StepKind.MODEL, n)) and (
                spent := await self._purse.before_model(run, turn, n, ticket)
            ):
                return spent
            return await self._sample(run, turn, n)

    async def _sample(self, run: Run, turn: Turn, n: int) -> ModelReply | ModelTrouble:
        key = step_key(StepKind.MODEL, n)

        async def sample() -> Recorded:
            request = ModelRequest(
                run.system,
                run.tools,
                tuple(message.api for message in run.history),
                run.agent.max_tokens,
                run.agent.model,
            )
            asked = run.cycle.llm_request(
                key,
                model=self._model.name(run.agent.model),
                messages=len(request.messages),
                tools=len(request.tools),
                max_tokens=request.max_tokens,
            )
            started = self._clock.monotonic()
            run.shown = ""
            try:
                reply = await self._model.sample(request, lambda delta: _show(run, delta))
            except ModelError as error:
                log.warning(
                    "session=<%s>, step=<%s>, error=<%s> | the model gave no answer",
                    turn.session,
                    key,
                    error,
                )
                failed = run.cycle.llm_error(key, str(error), self._ms(started))
                return Recorded(trouble_to_json(error), self._log.unit([asked, failed]))
            answered = run.cycle.llm_response(key, reply, self._ms(started))
            name = self._model.name(run.agent.model)
            used = self._purse.meter.model_unit(run.payer, name, reply.usage, handed=run.depth > 0)
            # Before work begins it is committed; before an answer is sent, its intent is anyway.
            calls = tool_calls(reply, n, self._model.capabilities.unlock)
            soon = reply.stop_reason != "tool_use" or self._purse.lets_wait(run, calls)
            return Recorded(
                reply_to_json(reply), self._log.unit([asked, answered]) + used, soon=soon
            )

        reply = reply_from_json(await turn.step(key, sample))
        run.budget.calls_made += 1
        if isinstance(reply, ModelReply):
            run.budget.used += reply.usage
            run.spending.model_calls += 1
            run.spending.nano_usd += (
                self._purse.meter.cost(self._model.name(run.agent.model), reply.usage) or 0
            )
            run.context_tokens = reply.usage.total_input + reply.usage.output_tokens
        return reply

    def _ms(self, started: float) -> int:
        return round((self._clock.monotonic() - started) * 1000)

    # --- what to do with a reply ---

    async def _react(
        self, run: Run, turn: Turn, n: int, reply: ModelReply, lead: Lead | None
    ) -> LoopOutcome | None:
        """The outcome of the run, or None when another model call is due."""
        calls = tool_calls(reply, n, self._model.capabilities.unlock)
        match reply.stop_reason:
            case "tool_use" if calls:
                run.live(TextReset())
                run.shown = ""
                if lead is not None:
                    await lead.before_tools(calls)
                ended = await self._calls.run_round(run, turn, calls, n)
                if lead is not None:
                    await lead.ran(results_of(run, calls))
                if isinstance(ended, Finish):
                    return _finished(run, ended)
                return None if ended is None else self._closed(run, ended)
            case "pause_turn":
                return None
            case "refusal":
                return self._closed(run, Failed(Trouble.REFUSED, "the model declined to answer"))
            case "model_context_window_exceeded":
                return self._closed(
                    run, Failed(Trouble.CUT, "the conversation no longer fits the model's window")
                )
            case reason if calls:
                why = CUT_OFF if reason == "max_tokens" else NOT_RUN
                append_user(run, self._model.capabilities, [skipped(call, why) for call in calls])
                return None
            case reason:
                if reply.text and await self._goes_on(run, turn):
                    return None
                return self._final(run, reply, cut=reason == "max_tokens")

    async def _goes_on(self, run: Run, turn: Turn) -> bool:
        """Whether the person was still writing when this reply came: then it is hidden."""
        if run.still_writing is None or run.held_back >= MOST_HELD_BACK:
            return False
        if run.budget.calls_left <= 0 and not run.budget.extend(1):
            return False
        run.steer_checks += 1
        answered = turn.done(ANSWER) or turn.begun(ANSWER)
        if answered and not turn.done(step_key(StepKind.STEER, run.steer_checks)):
            return False
        lines = await run.still_writing(turn, run.steer_checks)
        if not lines:
            return False
        run.held_back += 1
        run.live(TextReset())
        run.shown = ""
        append_user(run, self._model.capabilities, lines, notes=(HELD_BACK,))
        return True

    def _final(self, run: Run, reply: ModelReply, *, cut: bool) -> LoopOutcome | None:
        if reply.text:
            return Answered(_checked(run, reply.text) + (CUT_MARK if cut else ""))
        if run.sent:
            # The run spoke through `send` and has nothing to add: that was the answer.
            return self._closed(run, Answered(""), "(answered with send)")
        if run.nudged:
            return self._closed(run, Failed(Trouble.EMPTY, "two empty replies in a row"))
        run.nudged = True
        if run.history[-1].role != "assistant":
            run.append(closing_text("(empty reply)"))
        run.append(TranscriptMessage("user", (system_note(EMPTY_REPLY),)))
        return None

    # --- other ends ---

    def _stopped(self, run: Run) -> Stopped:
        """The visible part of the answer stays; a started call is told apart from the others."""
        begun, shown = tuple(run.begun.values()), run.shown.strip()
        close_open_round(run, self._model.capabilities, STOPPED)
        if shown:
            run.append(
                closing_text(f"{shown}\n(stopped by the person)", run.origin, private=run.private)
            )
        else:
            run.append(closing_text("(stopped by the person)"))
        return Stopped(tuple(run.tools_used), begun, shown)

    def _closed(self, run: Run, outcome: LoopOutcome, text: str | None = None) -> LoopOutcome:
        """End the history with an assistant message, so that the next turn starts well-formed."""
        close_open_round(run, self._model.capabilities, STOPPED)
        if not run.history or run.history[-1].role != "assistant":
            run.append(
                closing_text(
                    text
                    or f"(no answer: {outcome.reason if isinstance(outcome, Failed) else 'done'})"
                )
            )
        return outcome


def _show(run: Run, delta: ModelDelta) -> None:
    match delta:
        case DeltaText(text):
            run.shown += text
            run.live(TextDelta(text))
        case DeltaThinking(text):
            run.live(Thinking(text))
        case DeltaReset(reason):
            run.shown = ""
            run.live(TextReset())
            run.live(Status(f"trying again ({reason})"))


def _unanswered(trouble: ModelTrouble) -> Failed:
    return Failed(
        Trouble.MODEL, trouble.detail, trouble.kind, trouble.retry_after_s, errors=trouble.tries
    )


def _exhausted(run: Run, limit: str) -> Failed:
    return Failed(
        Trouble.BUDGET, f"{limit} exhausted without final reply", done=tuple(run.tools_used)
    )


def _checked(run: Run, text: str) -> str:
    """What research answers, with the quotations marked that nothing it read holds."""
    return mark_unfound(text, run.history) if run.scope.run.shape is RunShape.RESEARCH else text


def _finished(run: Run, finish: Finish) -> Answered:
    answer = _checked(run, finish.answer)
    run.append(closing_text(answer, run.origin, private=run.private))
    run.ended_as = finish.status
    return Answered(answer, finish.status, finish.follow_up)

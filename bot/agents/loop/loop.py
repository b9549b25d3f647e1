"""ReactLoop: sample the model, run its tool calls, until there is an answer.

Contract: `run` never raises for model or tool failures; it returns a LoopOutcome with a reason. It
raises Suspended (the turn waits for a person), ClaimLost and StorageError (nothing more can be
recorded), and CancelledError unless the person asked for the stop. Everything it does is a
journalled step, so that running it again after a crash repeats nothing and reaches the same point.
"""

import asyncio
import re
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from functools import partial
from typing import Protocol

from bot.agents.loop.history import (
    CUT_OFF,
    NOT_RUN,
    skipped,
    tool_calls,
)
from bot.agents.loop.model_calls import ModelCalls
from bot.agents.loop.outcomes import Answered, Failed, LoopOutcome, Stopped, Trouble
from bot.agents.loop.pipeline import ToolPipeline
from bot.agents.loop.round import Round
from bot.agents.loop.run import Run
from bot.agents.prompt.notes import closing_text, system_note
from bot.clock import cut_off_by
from bot.domain.chat import TextReset
from bot.domain.clock import Clock
from bot.domain.json_types import JsonObject
from bot.domain.models import ModelReply
from bot.domain.runs import RunShape
from bot.domain.sessions import TranscriptMessage
from bot.domain.step_keys import ANSWER, StepKind, step_key
from bot.domain.tool_outcomes import Finish
from bot.domain.tools import ToolCall
from bot.domain.turns import Turn
from bot.errors import ModelTrouble
from bot.tools.permission.provenance import texts_of

EMPTY_REPLY = "Your last reply was empty. Answer the person in plain words, or call a tool."
HELD_BACK = (
    "Your last reply was not shown: the person was still writing. Answer everything in one reply, "
    "and repeat from that one what they need."
)
MOST_HELD_BACK = 3
"""The limit for hidden replies of one run; later messages get a turn of their own."""
CUT_MARK = "\n\n*(The answer was cut off at the length limit; ask me to go on.)*"
MARK = " [not found in what was read]"
_LEAST_WORDS = 4
"""Shorter ones are names and terms."""
_QUOTED = re.compile(
    r'"([^"\n]{1,2000})"|“([^”\n]{1,2000})”|„([^“”\n]{1,2000})[“”]|«([^»\n]{1,2000})»'
)
_LEFT_OUT = re.compile(r"\[\s*(?:…|\.\.\.)\s*\]|…|\.\.\.")
_LINK = re.compile(r"\[([^\]\n]*)\]\([^)\s]*\)")
_WORD = re.compile(r"[^\W_]+")


class Lead(Protocol):
    """Decides at each step whether a loop continues: for a specialist in its own process."""

    async def before_model(self, n: int) -> None:
        """Returns when model call `n` may be made."""
        ...

    async def replied(self, reply: ModelReply) -> None:
        """Called with the model's reply."""
        ...

    async def before_tools(self, calls: Sequence[ToolCall]) -> None:
        """Returns when the calls of the last reply may be made."""
        ...

    async def ran(self, results: Sequence[JsonObject]) -> None:
        """Called with the result blocks of those calls, in their order."""
        ...


class ReactLoop:
    """Runs any agent, top-level or delegated; holds no state of a run."""

    def __init__(self, model_calls: ModelCalls, pipeline: ToolPipeline, clock: Clock) -> None:
        self._model_calls, self._capabilities = model_calls, model_calls.capabilities
        self._pipeline = pipeline
        self._clock = clock

    async def run(self, run: Run, turn: Turn, lead: Lead | None = None) -> LoopOutcome:
        """With a `lead`, each model call and each round waits for the lead's permission."""
        budget = run.budget
        if not budget.calls_made:
            budget.started = self._clock.monotonic()
        left = budget.wall_s - (self._clock.monotonic() - budget.started)
        in_time = partial(self._clock.after, left)
        try:
            with turn.stoppable():
                # The limit covers the whole request with its waits and delegated agents.
                async with nullcontext() if run.scope.depth else cut_off_by(in_time):
                    return await self._cycle(run, turn, lead)
        except TimeoutError:
            return self._closed(
                run, Failed(Trouble.TIME, f"max_seconds={run.budget.wall_s:g} exhausted")
            )
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if run.scope.depth or not turn.stop_requested or task is None:
                raise
            task.uncancel()
            return self._stopped(run)

    async def _cycle(self, run: Run, turn: Turn, lead: Lead | None) -> LoopOutcome:
        n = run.budget.calls_made  # more than 0 when the run continues in a new epoch
        while True:
            n += 1
            if lead is not None:
                await lead.before_model(n)
            if turn.stop_requested and not turn.done(step_key(StepKind.MODEL, n)):
                return self._stopped(run)
            if limit := run.budget.exhausted(self._clock.monotonic()):
                reason = f"{limit} exhausted without final reply"
                failed = Failed(Trouble.BUDGET, reason, done=tuple(run.deeds))
                return self._closed(run, failed)
            reply = await self._model_calls.make(run, turn, n)
            if isinstance(reply, Failed):
                return self._closed(run, reply)
            if isinstance(reply, ModelTrouble):
                return self._closed(run, _unanswered(reply))
            run.history.append_reply(reply, run.origin, private=run.private)
            if lead is not None:
                await lead.replied(reply)
            outcome = await self._react(run, turn, n, reply, lead)
            if outcome is not None:
                return outcome

    # --- what to do with a reply ---

    async def _react(
        self, run: Run, turn: Turn, n: int, reply: ModelReply, lead: Lead | None
    ) -> LoopOutcome | None:
        """The outcome of the run, or None when another model call is due."""
        calls = tool_calls(reply, n, self._capabilities.unlock)
        match reply.stop_reason:
            case "tool_use" if calls:
                run.callbacks.live(TextReset())
                run.progress.shown = ""
                if lead is not None:
                    await lead.before_tools(calls)
                round_ = Round(self._pipeline, self._capabilities, run, turn, calls)
                ended = await round_.go(n)
                if lead is not None:
                    await lead.ran(run.history.results_of(calls))
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
                run.history.append_user(self._capabilities, [skipped(call, why) for call in calls])
                return None
            case reason:
                if reply.text and await self._goes_on(run, turn):
                    return None
                return self._final(run, reply, cut=reason == "max_tokens")

    async def _goes_on(self, run: Run, turn: Turn) -> bool:
        """Whether the person was still writing when this reply came: then it is hidden."""
        if run.callbacks.still_writing is None or run.progress.held_back >= MOST_HELD_BACK:
            return False
        if run.budget.calls_left <= 0 and not run.budget.extend(1):
            return False
        run.progress.steer_checks += 1
        answered = turn.done(ANSWER) or turn.begun(ANSWER)
        if answered and not turn.done(step_key(StepKind.STEER, run.progress.steer_checks)):
            return False
        lines = await run.callbacks.still_writing(turn, run.progress.steer_checks)
        if not lines:
            return False
        run.progress.held_back += 1
        run.callbacks.live(TextReset())
        run.progress.shown = ""
        run.history.append_user(self._capabilities, lines, notes=(HELD_BACK,))
        return True

    def _final(self, run: Run, reply: ModelReply, *, cut: bool) -> LoopOutcome | None:
        if reply.text:
            return Answered(_checked(run, reply.text) + (CUT_MARK if cut else ""))
        if run.record.sent:
            # The run spoke through `send` and has nothing to add: that was the answer.
            return self._closed(run, Answered(""), "(answered with send)")
        if run.progress.nudged:
            return self._closed(run, Failed(Trouble.EMPTY, "two empty replies in a row"))
        run.progress.nudged = True
        if not run.history.answered:
            run.history.append(closing_text("(empty reply)"))
        run.history.append(TranscriptMessage("user", (system_note(EMPTY_REPLY),)))
        return None

    # --- other ends ---

    def _stopped(self, run: Run) -> Stopped:
        """The visible part of the answer stays; a started call is reported separately."""
        unsure, shown = any(run.begun.values()), run.progress.shown.strip()
        run.history.close_open_round(self._capabilities)
        if shown:
            run.history.append(
                closing_text(f"{shown}\n(stopped by the person)", run.origin, private=run.private)
            )
        else:
            run.history.append(closing_text("(stopped by the person)"))
        return Stopped(tuple(run.deeds), unsure=unsure, shown=shown)

    def _closed(self, run: Run, outcome: LoopOutcome, text: str | None = None) -> LoopOutcome:
        """End the history with an assistant message, so that the next turn starts well-formed."""
        run.history.close_open_round(self._capabilities)
        if not run.history.answered:
            run.history.append(
                closing_text(
                    text
                    or f"(no answer: {outcome.reason if isinstance(outcome, Failed) else 'done'})"
                )
            )
        return outcome


def _unanswered(trouble: ModelTrouble) -> Failed:
    return Failed(
        Trouble.MODEL, trouble.detail, trouble.kind, trouble.retry_after_s, errors=trouble.tries
    )


def _checked(run: Run, text: str) -> str:
    """The answer of research, with a mark on quotations that none of its sources contains."""
    return (
        mark_unfound(text, run.history.messages)
        if run.scope.run.shape is RunShape.RESEARCH
        else text
    )


def _finished(run: Run, finish: Finish) -> Answered:
    answer = _checked(run, finish.answer)
    if finish.for_asker:
        run.narrow()
    run.history.append(closing_text(answer, run.origin, private=run.private))
    run.record.ended_as = finish.status
    return Answered(answer, finish.status, finish.follow_up)


def mark_unfound(text: str, history: Sequence[TranscriptMessage]) -> str:
    """Mark each quotation in the text that is in neither a tool result nor the brief.

    Models misquote from memory.
    """
    matches = [match for match in _QUOTED.finditer(text) if any(_parts(match))]
    if not matches:
        return text
    read = [_folded(said) for said in _read(history)]
    marked, end = list[str](), 0
    for match in matches:
        marked.append(text[end : match.end()])
        end = match.end()
        if not any(all(part in said for part in _parts(match)) for said in read):
            marked.append(MARK)
    return "".join(marked) + text[end:]


def _parts(match: re.Match[str]) -> list[str]:
    """The words of a quotation, split at `[…]`; none if it is too short."""
    words = next(group for group in match.groups() if group is not None)
    parts = [folded for part in _LEFT_OUT.split(words) if (folded := _folded(part).strip())]
    return [f" {part} " for part in parts] if len(" ".join(parts).split()) >= _LEAST_WORDS else []


def _folded(text: str) -> str:
    """Only the words, between spaces: quotes, dashes, markdown and line breaks don't count."""
    return f" {' '.join(_WORD.findall(_LINK.sub(lambda match: match[1], text).casefold()))} "


def _read(history: Sequence[TranscriptMessage]) -> Iterator[str]:
    for message in history:
        for stored in message.blocks if message.role == "user" else ():
            yield from texts_of(stored.block)

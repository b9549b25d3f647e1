"""One call of the model: within the budgets, journalled, shown while it streams."""

import logging
from contextlib import AbstractAsyncContextManager

from bot.agents.cycle_log.log import CycleLog
from bot.agents.loop.effects import pure
from bot.agents.loop.history import tool_calls
from bot.agents.loop.outcome_json import reply_from_json, reply_to_json, trouble_to_json
from bot.agents.loop.outcomes import Failed, Trouble
from bot.agents.loop.run import Run
from bot.agents.loop.spending import Purse, rule_of, told
from bot.agents.summaries.compaction import FrozenSizes, history_chars
from bot.domain.chat import Status, TextDelta, TextReset, Thinking
from bot.domain.clock import Clock
from bot.domain.cycles import CycleEventType
from bot.domain.models import (
    DeltaReset,
    DeltaText,
    DeltaThinking,
    Model,
    ModelCapabilities,
    ModelDelta,
    ModelReply,
    ModelRequest,
)
from bot.domain.step_keys import StepKind, step_key
from bot.domain.turns import Recorded, Turn
from bot.errors import ModelError, ModelTrouble
from bot.tools.budget.budgets import Measure
from bot.tools.budget.usage import BEFORE_MODEL
from bot.tools.permission.approvals import ApprovalStore

log = logging.getLogger(__name__)


class ModelCalls:
    """Calls the model for runs; holds no state of a run."""

    def __init__(
        self,
        model: Model,
        purse: Purse,
        approvals: ApprovalStore,
        cycle_log: CycleLog,
        clock: Clock,
    ) -> None:
        self._model = model
        self._purse, self._meter = purse, purse.meter
        self._approvals = approvals
        self._log = cycle_log
        self._clock = clock
        self._sizes = FrozenSizes()

    @property
    def capabilities(self) -> ModelCapabilities:
        return self._model.capabilities

    async def make(self, run: Run, turn: Turn, n: int) -> ModelReply | ModelTrouble | Failed:
        """Call the model as step `model:<n>` if the budgets allow it; a recorded one is paid.

        No slot is held meanwhile.
        """
        model = self._model.name(run.agent.model)
        async with turn.away(), self._held(run, model) as ticket:
            if not turn.done(step_key(StepKind.MODEL, n)) and (
                spent := await self._refused(run, turn, n, ticket)
            ):
                return spent
            return await self._sample(run, turn, n)

    async def _sample(self, run: Run, turn: Turn, n: int) -> ModelReply | ModelTrouble:
        key, model = step_key(StepKind.MODEL, n), self._model.name(run.agent.model)

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
                model=model,
                messages=len(request.messages),
                tools=len(request.tools),
                max_tokens=request.max_tokens,
            )
            started = self._clock.monotonic()
            run.progress.shown = ""
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
            payer, handed = run.context.payer, run.depth > 0
            used = self._meter.model_unit(payer, model, reply.usage, handed=handed)
            # A reply with calls is committed before they begin; an answer is committed with the
            # intent of its send.
            soon = reply.stop_reason != "tool_use" or self._lets_wait(run, reply, n)
            return Recorded(
                reply_to_json(reply), self._log.unit([asked, answered]) + used, soon=soon
            )

        reply = reply_from_json(await turn.step(key, sample))
        run.budget.calls_made += 1
        if isinstance(reply, ModelReply):
            run.budget.used += reply.usage
            run.spending.model_calls += 1
            run.spending.nano_usd += self._meter.cost(model, reply.usage) or 0
            run.progress.context_tokens = reply.usage.total_input + reply.usage.output_tokens
        return reply

    def _lets_wait(self, run: Run, reply: ModelReply, n: int) -> bool:
        """Whether a reply may be recorded together with the results of its calls.

        A reply that counts on a budget is recorded before anything else is allowed.
        """
        calls = tool_calls(reply, n, self.capabilities.unlock)
        limited = self._meter.limits_any(run.context.payer)
        return not limited and all(pure(run, call) for call in calls)

    def _ms(self, started: float) -> int:
        return round((self._clock.monotonic() - started) * 1000)

    def _held(self, run: Run, model: str) -> AbstractAsyncContextManager[object]:
        """The call's reservation in the budgets while it runs, with its maximum cost in dollars."""
        nano = 0
        if self._meter.counts_dollars(run.context.payer):
            chars = (
                self._sizes.chars(run.system)
                + self._sizes.chars(run.tools)
                + history_chars(run.history)
            )
            nano = self._meter.most(model, chars, run.agent.max_tokens)
        return self._meter.held(
            run.context.payer, Measure.MODEL_CALLS, nano_usd=nano, turn=run.spending
        )

    async def _refused(self, run: Run, turn: Turn, n: int, ticket: object) -> Failed | None:
        """None when the model may be called.

        Else MasterAdmin is asked for more, once, and the person is told why.
        """
        reached = await self._meter.reached(run.context.payer, run.spending, BEFORE_MODEL, ticket)
        if reached is None:
            return None
        key = step_key(StepKind.BUDGET, n)

        async def ask() -> Recorded:
            asked, unit = await self._purse.ask_for_more(run, key, turn.session, reached)
            event = run.cycle.event(
                CycleEventType.POLICY_DECISION,
                key,
                gate="budget",
                verdict="deny",
                rule=rule_of(reached),
            )
            return Recorded(asked.ref if asked else None, unit + self._log.unit([event]))

        ref = await turn.step(key, ask)
        show = run.callbacks.on_approval
        if ref and show is not None and (stored := await self._approvals.get(ref)):
            await show(turn, stored, run.origin.trust)
        log.warning(
            "session=<%s>, person=<%s>, budget=<%s>, of=<%s> | used up",
            turn.session, run.person.id, reached.limit.name, reached.subject,
        )  # fmt: skip
        return Failed(Trouble.SPENT, told(reached))


def _show(run: Run, delta: ModelDelta) -> None:
    match delta:
        case DeltaText(text):
            run.progress.shown += text
            run.callbacks.live(TextDelta(text))
        case DeltaThinking(text):
            run.callbacks.live(Thinking(text))
        case DeltaReset(reason):
            run.progress.shown = ""
            run.callbacks.live(TextReset())
            run.callbacks.live(Status(f"trying again ({reason})"))

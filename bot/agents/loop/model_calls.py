"""One call of the model: within the budgets, journalled, shown while it streams."""

import logging
from collections import OrderedDict
from dataclasses import asdict

from bot.agents.cycle_log.store import events_unit
from bot.agents.loop.history import tool_calls
from bot.agents.loop.outcomes import Failed, Trouble
from bot.agents.loop.refusals import Refusals, Sent, Spoken
from bot.agents.loop.run import Run
from bot.agents.loop.spending import Purse, rule_of, told
from bot.domain.chat import Pause, Status, TextDelta, TextReset, Thinking
from bot.domain.clock import Clock
from bot.domain.cycles import CycleEvent, CycleEventType
from bot.domain.database import Unit
from bot.domain.json_types import JsonObject
from bot.domain.models import (
    DeltaReset,
    DeltaText,
    DeltaThinking,
    Model,
    ModelDelta,
    ModelReply,
    ModelRequest,
)
from bot.domain.sessions import FrozenSizes, history_chars
from bot.domain.step_keys import StepKind, step_key
from bot.domain.turns import Recorded, Turn
from bot.errors import ModelError, ModelTrouble
from bot.tools.budget.budgets import BudgetStanding, Measure
from bot.tools.budget.usage import BEFORE_MODEL, Ticket
from bot.tools.permission.approvals import ApprovalStore

log = logging.getLogger(__name__)

KEPT_PERSONS = 1_000


class ModelCalls:
    """Calls the model for runs; holds no state of a run."""

    def __init__(
        self,
        model: Model,
        purse: Purse,
        approvals: ApprovalStore,
        clock: Clock,
        refusals: Refusals,
    ) -> None:
        self.capabilities = model.capabilities
        self._model = model
        self._purse, self._meter = purse, purse.meter
        self._approvals = approvals
        self._clock = clock
        self._refusals = refusals
        self._sizes = FrozenSizes()
        self._told: OrderedDict[tuple[str, str], None] = OrderedDict()
        """Persons who know that a fallback answers for a model, until that one answers them."""

    async def make(self, run: Run, turn: Turn, n: int) -> ModelReply | ModelTrouble | Failed:
        """Call the model as step `model:<n>` if the budgets allow it; a recorded one is paid.

        No slot is held meanwhile.
        """
        key, model = step_key(StepKind.MODEL, n), self._model.name(run.agent.model)
        payer, spent = run.context.payer, run.spending
        held = self._meter.held(
            payer, Measure.MODEL_CALLS, most=lambda: self._most(run, model), turn=spent
        )
        async with turn.away():
            with held as ticket:
                if ticket.limited and not turn.done(key):
                    reached = await self._meter.reached(payer, spent, BEFORE_MODEL, ticket)
                    if reached is not None:
                        return await self._refused(run, turn, n, reached)
                recorded = await turn.step(key, lambda: self._sample(run, turn, n, model, ticket))
                # Counted before the reservation ends, so that no parallel call misses both.
                run.budget.calls_made += 1
                if "trouble" in recorded:
                    return ModelTrouble(**recorded["trouble"])
                if unseen := recorded.get("unseen"):
                    run.record.unseen.append(str(unseen))
                if recorded.get("stands_in"):
                    run.record.unseen.append("fallback")
                reply = ModelReply.from_json(recorded["reply"])
                run.budget.used += reply.usage
                spent.model_calls += 1
                spent.nano_usd += self._meter.cost(reply.answered_by or model, reply.usage) or 0
                run.progress.context_tokens = reply.usage.total_input + reply.usage.output_tokens
                return reply

    async def _sample(self, run: Run, turn: Turn, n: int, model: str, ticket: Ticket) -> Recorded:
        """The work of the step: a reply or the trouble, with its events and its cost.

        What the model refuses is asked again in a plainer form.
        """
        key, spoken = step_key(StepKind.MODEL, n), Spoken.of(run)
        sent = await self._refusals.first(spoken, model)
        refused: list[tuple[Sent, ModelTrouble]] = []
        events: list[CycleEvent] = []
        while True:
            step = f"{key}/{sent.plainness}" if refused else key
            reply, of_try = await self._try(run, turn, step, model, sent.request)
            events += of_try
            if isinstance(reply, ModelReply):
                break
            further = self._refusals.plainer(spoken, model, sent, reply)
            if further is None:
                trouble = asdict(refused[0][1] if refused else reply)
                return Recorded({"trouble": trouble}, events_unit(events))
            refused.append((sent, reply))
            sent = further
        learned, unseen = Unit(), ""
        if refused:
            learned, unseen = self._refusals.learned(
                spoken, model, refused, sent, stands_in=bool(reply.answered_by)
            )
        payer, handed = run.context.payer, run.scope.depth > 0
        used = self._meter.model_unit(payer, reply.answered_by or model, reply.usage, handed=handed)
        # An answer is committed with the intent of its send, and a reply that only makes pure calls
        # with the first result; before all other calls, and where a budget counts it, it is
        # committed alone.
        soon = reply.stop_reason != "tool_use" or (
            not ticket.limited
            and all(
                run.toolset.pure(call) for call in tool_calls(reply, n, self.capabilities.unlock)
            )
        )
        value: JsonObject = {"reply": reply.to_json()}
        if unseen:
            value["unseen"] = unseen
        if self._to_be_told(run, model, reply):
            value["stands_in"] = True
        return Recorded(value, events_unit(events) + used + learned, soon)

    def _to_be_told(self, run: Run, model: str, reply: ModelReply) -> bool:
        """Whether the person doesn't know yet that another model answers."""
        key = (run.scope.person.id, model)
        if not reply.answered_by:
            self._told.pop(key, None)
            return False
        if run.scope.depth or key in self._told:
            return False
        self._told[key] = None
        if len(self._told) > KEPT_PERSONS:
            self._told.popitem(last=False)
        return True

    async def _try(
        self, run: Run, turn: Turn, step: str, model: str, request: ModelRequest
    ) -> tuple[ModelReply | ModelTrouble, list[CycleEvent]]:
        """Ask once: the reply or the trouble, and the events about it."""
        asked = run.cycle.llm_request(
            step,
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
                step,
                error,
            )
            ms = round((self._clock.monotonic() - started) * 1000)
            return error.trouble, [asked, run.cycle.llm_error(step, str(error), ms)]
        ms = round((self._clock.monotonic() - started) * 1000)
        return reply, [asked, run.cycle.llm_response(step, reply, ms)]

    def _most(self, run: Run, model: str) -> int:
        """The most that a call may cost, in billionths of a dollar."""
        history = run.history
        frozen = self._sizes.chars(history.system) + self._sizes.chars(history.tools)
        chars = frozen + history_chars(history.messages)
        names = {model, self.capabilities.fallback.get(run.agent.model, model)}
        return max(self._meter.most(name, chars, run.agent.max_tokens) for name in names)

    async def _refused(self, run: Run, turn: Turn, n: int, reached: BudgetStanding) -> Failed:
        """A budget is used up: MasterAdmin is asked for more, once, and the person is told why."""
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
            return Recorded(asked.ref if asked else None, unit + events_unit([event]))

        ref = await turn.step(key, ask)
        show = run.callbacks.on_approval
        if ref and show is not None and (stored := await self._approvals.get(ref)):
            await show(turn, stored, run.origin.trust)
        log.warning(
            "session=<%s>, person=<%s>, budget=<%s>, of=<%s> | used up",
            turn.session, run.scope.person.id, reached.limit.name, reached.subject,
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
            run.callbacks.live(Status(f"trying again ({reason})", Pause.TRYING_AGAIN))

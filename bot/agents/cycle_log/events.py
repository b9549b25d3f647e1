"""The events of one cycle: one method per event type, with exactly its documented fields.

The methods only make events; the loop writes them with the unit of the step that they describe.
"""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, Self

from bot.domain.clock import Clock
from bot.domain.cycles import CycleEvent, CycleEventType, CycleStatus
from bot.domain.models import ModelReply, Usage
from bot.domain.places import Location
from bot.domain.privacy import IN_DM, Learned
from bot.domain.step_keys import in_scope
from bot.domain.tool_context import ToolScope
from bot.domain.tools import Risk, ToolCall
from bot.domain.turns import Turn

LOGGED_CHARS = 2000
"""Characters of tool inputs, outputs and texts."""
_SCANNED_CHARS = 16_000
"""Characters of a text searched for secrets: more than is logged, so that none is cut in half."""


def cycle_id(turn_id: int, scope: str = "") -> str:
    """The id of a turn's cycle in a scope (`""`, or `tool:2.0` for a delegate)."""
    return hashlib.sha256(f"{turn_id}:{scope}".encode()).hexdigest()[:32]


@dataclass(frozen=True)
class CycleKey:
    """The position of a cycle: its turn, scope, owner, and the calling cycle (None at the top)."""

    turn: int
    session_id: str
    person: str
    agent: str
    scope: str = ""
    parent_id: str | None = None
    learned: Learned = IN_DM

    @classmethod
    def of(cls, turn: Turn, session_id: str, scope: ToolScope) -> Self:
        """The cycle of a turn's own run."""
        person, learned = scope.person.id, Learned.at(scope.location)
        return cls(turn.id, session_id, person, scope.agent, learned=learned)


@dataclass(frozen=True)
class Cycle:
    """Makes the events of one cycle."""

    key: CycleKey
    log: "Cycles"

    @cached_property
    def id(self) -> str:
        return cycle_id(self.key.turn, self.key.scope)

    def learned_at(self, location: Location) -> "Cycle":
        """The same for events whose readers are those of another location."""
        return Cycle(replace(self.key, learned=Learned.at(location)), self.log)

    def below(self, agent: str, turn: int, scope: str) -> "Cycle":
        """The cycle of an agent that works for this one, in this scope of a turn."""
        key = replace(self.key, turn=turn, agent=agent, scope=scope, parent_id=self.id)
        return Cycle(key, self.log)

    def event(
        self, kind: CycleEventType, step: str, *, ms: int | None = None, **data: Any
    ) -> CycleEvent:
        """Any event; the methods below name the fields of each type."""
        return self._make(kind, step, None if self.key.parent_id is None else self.id, ms, data)

    # --- beginning and end ---

    def start(self, text: str, node_type: str = "cognitive") -> CycleEvent:
        """`node_type`: cognitive or, without a person, scheduler; agent for a delegate."""
        child = self.key.parent_id is not None
        data = {
            "node_type": "agent" if child else node_type,
            "text": self._text(text),
            "agent": self.key.agent,
        }
        kind = CycleEventType.AGENT_CYCLE_START if child else CycleEventType.CYCLE_START
        return self._make(kind, "start", self.key.parent_id, None, data)

    def complete(
        self,
        status: CycleStatus,
        *,
        text: str = "",
        error: str | None = None,
        usage: Usage = Usage(),
        outcome: str = "resolved",
        ms: int | None = None,
    ) -> CycleEvent:
        """`outcome` as finish_task said it: resolved, partial, unresolved or silent.

        `error`: why there is no answer.
        """
        data: dict[str, Any] = {
            "status": status.value,
            "error": None if error is None else self._text(error),
            "text": self._text(text),
            "outcome": outcome,
            "tokens": usage.to_json(),
        }
        child = self.key.parent_id is not None
        kind = CycleEventType.AGENT_CYCLE_COMPLETE if child else CycleEventType.CYCLE_COMPLETE
        return self._make(kind, "complete", self.key.parent_id, ms, data)

    # --- model ---

    def llm_request(
        self, step: str, *, model: str, messages: int, tools: int, max_tokens: int
    ) -> CycleEvent:
        return self.event(
            CycleEventType.LLM_REQUEST,
            step,
            model=model,
            message_count=messages,
            tool_count=tools,
            max_tokens=max_tokens,
        )

    def llm_response(self, step: str, reply: ModelReply, ms: int) -> CycleEvent:
        return self.event(
            CycleEventType.LLM_RESPONSE,
            step,
            ms=ms,
            model=reply.model,
            stop_reason=reply.stop_reason,
            **vars(reply.usage),
            attempts=reply.attempts,
            error=None,
        )

    def llm_error(self, step: str, error: str, ms: int) -> CycleEvent:
        """The model could not answer, even after its own retries."""
        return self.event(
            CycleEventType.LLM_RESPONSE,
            step,
            ms=ms,
            model=None,
            stop_reason=None,
            **Usage().to_json(),
            attempts=None,
            error=self._text(error),
        )

    # --- tools ---

    def tool_call(self, call: ToolCall) -> CycleEvent:
        length = len(json.dumps(call.arguments, ensure_ascii=False, default=str))
        data: dict[str, Any] = {"tool_name": call.name, "tool_input_len": length}
        if self.log.tool_io:
            clean = json.dumps(self.log.redact(call.arguments), ensure_ascii=False, default=str)
            data["tool_input"] = clean[:LOGGED_CHARS]
        return self.event(CycleEventType.TOOL_CALL, call.key, **data)

    def tool_result(
        self, call: ToolCall, output: str, *, success: bool, ms: int | None = None
    ) -> CycleEvent:
        data: dict[str, Any] = {
            "tool_name": call.name,
            "success": success,
            "output_len": len(output),
        }
        if self.log.tool_io:
            data["output"] = self._text(output)
            data["error"] = None if success else data["output"]
        else:
            data["error"] = None if success else "not logged (log.tool_io is off)"
        return self.event(CycleEventType.TOOL_RESULT, call.key, ms=ms, **data)

    def policy_decision(
        self, call: ToolCall, gate: str, verdict: str, rule: str = ""
    ) -> CycleEvent:
        """`gate`: tool or post_exec; `verdict`: allow, ask, deny or defer; `rule`: the reason."""
        return self.event(
            CycleEventType.POLICY_DECISION,
            call.key if gate == "tool" else in_scope(call.key, gate),  # one of each type in a step
            gate=gate,
            verdict=verdict,
            rule=self._text(rule),
            tool_name=call.name,
        )

    def security(self, call: ToolCall, reason: str) -> CycleEvent:
        """A call to a tool that the role, shape or scope does not have."""
        return self.event(
            CycleEventType.SECURITY, call.key, tool_name=call.name, reason=self._text(reason)
        )

    # --- the rest of a run ---

    def tool_turns_extended(
        self, call: ToolCall, *, additional: int, total: int, reason: str
    ) -> CycleEvent:
        return self.event(
            CycleEventType.TOOL_TURNS_EXTENDED,
            call.key,
            additional=additional,
            total=total,
            reason=self._text(reason),
        )

    def approval(self, step: str, tool: str, ref: str, state: str, risk: Risk | None) -> CycleEvent:
        """`state`: at first open, later approved, rejected or expired."""
        return self.event(
            CycleEventType.APPROVAL,
            step,
            ref=ref,
            state=state,
            tool_name=tool,
            risk=None if risk is None else risk.value,
        )

    def watchdog_fire(self, step: str, what: str, after: timedelta) -> CycleEvent:
        """Something took too long and was ended."""
        seconds = round(after / timedelta(seconds=1), 3)
        return self.event(CycleEventType.WATCHDOG_FIRE, step, what=what, after_s=seconds)

    def verification(self, lacking: str) -> CycleEvent:
        """Whether an ant's work was accepted; `lacking` is empty if so."""
        return self.event(
            CycleEventType.VERIFICATION,
            "verification",
            verified=not lacking,
            lacking=self._text(lacking),
        )

    def curator_assembled(self, step: str, sizes: dict[str, int]) -> CycleEvent:
        """The prefix of an epoch was built; characters by part of the system prompt."""
        return self.event(CycleEventType.CURATOR_ASSEMBLED, step, sizes=sizes)

    def _text(self, text: str) -> str:
        return str(self.log.redact(text[:_SCANNED_CHARS]))[:LOGGED_CHARS]

    def _make(
        self,
        kind: CycleEventType,
        step: str,
        parent_id: str | None,
        ms: int | None,
        data: dict[str, Any],
    ) -> CycleEvent:
        return CycleEvent(
            type=kind,
            cycle_id=self.id,
            parent_id=parent_id,
            turn=self.key.turn,
            step=step,
            at=self.log.clock.now(),
            session_id=self.key.session_id,
            person=self.key.person,
            agent=self.key.agent,
            data=data,
            duration_ms=ms,
            learned=self.key.learned,
        )


@dataclass(frozen=True)
class Cycles:
    """Makes the cycles of runs; a replay makes the same again.

    `redact` returns any JSON value without secrets (`bot.log.redact_json`). `tool_io` off: tool
    inputs and outputs are logged by their length only.
    """

    clock: Clock
    redact: Callable[[Any], Any]
    tool_io: bool = True

    def of(self, key: CycleKey) -> Cycle:
        return Cycle(key, self)


def usage_of(reply: CycleEvent) -> Usage:
    """The usage of the model call behind an llm_response."""
    return Usage(**{name: int(reply.data.get(name) or 0) for name in Usage().to_json()})


def rated(events: Sequence[CycleEvent], step: str, at: datetime, *, helped: bool) -> CycleEvent:
    """What its person said of an answer; `events` are its cycle, its start first."""
    return replace(
        events[0],
        type=CycleEventType.RATED,
        step=step,
        at=at,
        duration_ms=None,
        data={"helped": helped},
    )


CUT_OFF = "cut off"
"""The outcome of a cycle whose turn ended without it."""


def ended_without_word(events: Sequence[CycleEvent], at: datetime) -> CycleEvent:
    """The end of a cycle that was cut off: `events` are all of it, its start first."""
    start = events[0]
    child = start.type is CycleEventType.AGENT_CYCLE_START
    replies = [usage_of(event) for event in events if event.type is CycleEventType.LLM_RESPONSE]
    return replace(
        start,
        type=CycleEventType.AGENT_CYCLE_COMPLETE if child else CycleEventType.CYCLE_COMPLETE,
        step="complete",
        at=at,
        duration_ms=None,
        data={
            "status": CycleStatus.ABANDONED.value,
            "error": "cut off: its request ended without it",
            "text": "",
            "outcome": CUT_OFF,
            "tokens": sum(replies, Usage()).to_json(),
        },
    )

"""Events of the cycle log, which the log, the live reply, the console and tests share."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from bot.domain.json_types import JsonObject
from bot.domain.privacy import IN_DM, Learned


class CycleEventType(StrEnum):
    CYCLE_START = "cycle_start"
    CYCLE_COMPLETE = "cycle_complete"
    AGENT_CYCLE_START = "agent_cycle_start"
    AGENT_CYCLE_COMPLETE = "agent_cycle_complete"
    LLM_REQUEST = "llm_request"
    LLM_RESPONSE = "llm_response"
    TOOL_CALL = "tool_call"
    TOOL_RESULT = "tool_result"
    POLICY_DECISION = "policy_decision"
    SECURITY = "security"
    TOOL_TURNS_EXTENDED = "tool_turns_extended"
    APPROVAL = "approval"
    WATCHDOG_FIRE = "watchdog_fire"
    VERIFICATION = "verification"
    CURATOR_ASSEMBLED = "curator_assembled"
    RATED = "rated"


class CycleStatus(StrEnum):
    RUNNING = "running"
    COMPLETE = "complete"
    ERROR = "error"
    ABANDONED = "abandoned"
    BLOCKED = "blocked"


@dataclass(frozen=True)
class CycleEvent:
    """One thing that happened in a cycle.

    `step` addresses it in the journal, so (turn, step, type) is unique and replay never doubles it.
    `data` holds the fields of its type: start: node_type, text, agent · llm_request: model,
    message_count, tool_count, max_tokens · llm_response: stop_reason, tokens, error · tool_call:
    tool_name, tool_input (redacted, 2,000 characters), tool_input_len · tool_result: tool_name,
    success, output (redacted, 2,000), error · complete: status, error, text, tokens ·
    policy_decision: gate, verdict, rule · verification: verified, lacking · rated: helped.
    """

    type: CycleEventType
    cycle_id: str
    parent_id: str | None
    turn: int
    step: str
    at: datetime
    session_id: str
    person: str
    agent: str
    data: JsonObject = field(default_factory=dict[str, object])
    duration_ms: int | None = None
    learned: Learned = IN_DM
    """Where it happened; it is shown to that audience only."""

    @property
    def private(self) -> bool:
        """Whether it may not be shown everywhere."""
        return self.learned.private

"""Summaries of past conversations: one per session, and one per compacted part."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from bot.domain.access import Role
from bot.domain.origins import Trust
from bot.domain.privacy import Learned


class Depth(StrEnum):
    """How technical a conversation was."""

    CASUAL = "casual"
    MODERATE = "moderate"
    EXPERT = "expert"


class Resolution(StrEnum):
    """The outcome of a conversation."""

    RESOLVED = "resolved"
    PARTIAL = "partial"
    UNRESOLVED = "unresolved"


@dataclass(frozen=True)
class ToolUse:
    """A tool that was used, and its purpose."""

    name: str
    purpose: str = ""


@dataclass(frozen=True)
class SummaryFields:
    """The content of a summary. WIH, WIS, WID: what the assistant heard, said and did."""

    intent: str
    wih: str = ""
    wis: str = ""
    wid: str = ""
    technical_depth: Depth = Depth.MODERATE
    user_mood: str = ""
    significance: int = 2
    """1 transient to 5 foundational."""
    relationship_notes: str = ""
    active_goals: Sequence[str] = ()
    tools_used: Sequence[ToolUse] = ()
    outcome: Resolution = Resolution.PARTIAL
    facts_learned: Sequence[str] = ()
    preferences_noted: Sequence[str] = ()
    errors_encountered: Sequence[str] = ()
    follow_up: str = ""

    @property
    def forgettable(self) -> bool:
        """Whether it is small talk with nothing to remember."""
        left = (
            self.active_goals, self.tools_used, self.facts_learned, self.preferences_noted,
            self.errors_encountered, self.relationship_notes, self.follow_up,
        )  # fmt: skip
        return self.significance == 1 and not any(left)


@dataclass(frozen=True)
class ConversationSummary:
    """A summary with its owner, the place where it was learned, and the trust of its source."""

    id: str
    """The `src:` tag of memory entries that come from it."""
    session_id: str
    epoch: int
    person: str
    role: Role
    """The person's role in that session."""
    agent: str
    conversation: str
    """Key of the conversation."""
    learned: Learned
    trust: Trust
    """The trust of the least trusted text that the session had read."""
    began_at: datetime
    ended_at: datetime
    fields: SummaryFields
    by_model: bool = True
    """False: made without a model, from messages and tool calls."""
    tools: Sequence[str] = field(default=())
    """Names of the tools that were called, in the order of their first call."""

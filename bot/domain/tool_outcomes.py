"""Outcomes of a tool call: results with their effects, questions, the end of the loop."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Self, TypeAlias

from bot.domain.card_words import About
from bot.domain.confinement import Confinement
from bot.domain.database import Unit
from bot.domain.deeds import Deed
from bot.domain.json_types import JsonObject, JsonValue
from bot.domain.origins import BELLHOP, Origin
from bot.domain.targets import Stem
from bot.domain.tools import Risk, ToolCall

FACT_KEY_CHARS = 80
FACT_VALUE_CHARS = 500


@dataclass(frozen=True)
class Fact:
    """A discovered fact. A newer one with the same key replaces it; history keeps the old one."""

    key: str
    value: str
    source_agent: str
    cycle_id: str
    at: datetime
    source_tool: str | None = None
    confidence: float = 1.0
    origin: Origin = BELLHOP
    private: bool = False


@dataclass(frozen=True)
class Undoable:
    """One reversible change of a person's own things; the writes beside it make it."""

    noun: str
    """What was changed, in the singular: `todo`."""
    done: str
    """What was done to it: `added`."""
    name: str
    """Which one, for its person."""
    back: Unit
    """The writes that take it back. They are rejected if the thing was changed since."""

    @property
    def kind(self) -> str:
        return f"{self.noun} {self.done}"


@dataclass(frozen=True)
class Unlocked:
    """Tools that became callable for the session, with their declarations at that moment."""

    declarations: tuple[JsonObject, ...]
    hint: str | None = None
    """What the shown definitions omit; None: the result's own text is shown as well."""
    called: bool = False
    """Unlocked by its first call. The result is that of the call, plus a note about the tool."""


@dataclass(frozen=True)
class FactSaved:
    fact: Fact


@dataclass(frozen=True)
class FactForgotten:
    key: str


@dataclass(frozen=True)
class BudgetExtended:
    """The run may make this many more model calls (request_more_turns)."""

    calls: int


@dataclass(frozen=True)
class SkillActivated:
    """A manifest was activated or deactivated; `tools` are those of all active manifests."""

    skill_id: str
    active: bool = True
    tools: tuple[str, ...] = ()


@dataclass(frozen=True)
class Confined:
    """These limits hold for every call until the turn ends, or do so no longer (`lifted`)."""

    limits: Confinement
    lifted: bool = False


@dataclass(frozen=True)
class Rescheduled:
    """The result's unit changed the schedule, so the scheduler looks again."""


@dataclass(frozen=True)
class RunNote:
    """What a tool tells later calls of its run, and who called the run."""

    subject: str
    note: JsonValue


@dataclass(frozen=True)
class ForAsker:
    """The run has read what is its person's alone: where others read, only they get the answer."""


Effect: TypeAlias = (
    Unlocked
    | FactSaved
    | FactForgotten
    | BudgetExtended
    | SkillActivated
    | Confined
    | Rescheduled
    | RunNote
    | ForAsker
)
"""A change of session state: the loop applies it (also on replay) and saves it with the turn."""


@dataclass(frozen=True)
class ToolResult:
    """A finished call.

    `content` is what the model sees; `unit` is committed together with the journalled step.
    """

    content: str
    is_error: bool = False
    origin: Origin = BELLHOP
    private: bool = False
    """Whether it holds what its person alone may read; see `for_asker`."""
    blocks: tuple[JsonObject, ...] = ()
    """More content blocks (images, documents) after the text."""
    effects: tuple[Effect, ...] = ()
    unit: Unit = Unit()
    undo: tuple[Undoable, ...] = ()
    """The changes of `unit` that its person can take back for an hour."""
    deeds: tuple[Deed, ...] = ()
    """What it changed for its person; the loop fills it in."""
    summary: str = ""
    """One line for the person's status display; empty: derived from the content."""

    def for_asker(self) -> Self:
        """The same for its person alone: where others read, only they get the run's answer."""
        return replace(self, private=True, effects=(*self.effects, ForAsker()))


SILENT = "silent"
"""The status of a run that has nothing to say: its answer is kept, and posted nowhere."""


@dataclass(frozen=True)
class Finish:
    """finish_task: the loop ends with this answer."""

    answer: str
    status: str = "resolved"
    follow_up: str = ""
    for_asker: bool = False
    """Where others read, its person alone gets the answer."""


@dataclass(frozen=True)
class AskPerson:
    """ask_user_for_clarification: the turn suspends until the person's next message there."""

    question: str
    options: tuple[str, ...] = ()
    files: bool = False
    """Whether files are asked for."""


@dataclass(frozen=True)
class NeedsApproval:
    """The gate wants a yes first; the call is stored and the turn goes on.

    See docs/rules.md#approvals.
    """

    call: ToolCall
    risk: Risk | None
    reason: str
    approver_rank: int
    """Lowest rank that may say yes; 0 means the person themself."""
    stems: tuple[Stem, ...] = ()
    """Where the targets came from that nobody vouches for."""
    untrusted: bool = False
    """The context contains outside text, so only a grant for exactly these targets suffices."""
    about: About = field(default_factory=About)
    each_time: bool = True
    """Whether each such call has a card and a yes of its own, which covers no other call.

    It is so where a tool asks by itself, because nothing compares its question with a wider yes.
    """


@dataclass(frozen=True)
class Deferred:
    """Nobody is present to approve: the call is proposed to the owner, not done."""

    call: ToolCall
    reason: str
    risk: Risk | None = None
    approver_rank: int = 0
    """This and the next fields: as in NeedsApproval."""
    stems: tuple[Stem, ...] = ()
    untrusted: bool = False
    about: About = field(default_factory=About)
    each_time: bool = True


ToolOutcome: TypeAlias = ToolResult | Finish | AskPerson | NeedsApproval | Deferred

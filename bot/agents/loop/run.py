"""One run of an agent: its tools and context, its limits, and how it can end.

Callbacks lead out of its room: to its person, and to work beside it.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from bot.agents.cycle_log.events import Cycle
from bot.agents.loop.history import History
from bot.domain.access import Person
from bot.domain.agents import AgentDefinition, Assignment
from bot.domain.approvals import Approval
from bot.domain.chat import LiveUpdate, TextDelta, TextReset, Thinking
from bot.domain.confinement import Confinement
from bot.domain.deeds import Deed
from bot.domain.json_types import JsonObject, JsonValue
from bot.domain.messages import Conversation
from bot.domain.models import Usage
from bot.domain.origins import Origin, Trust, origin_of
from bot.domain.sessions import StoredBlock
from bot.domain.tool_context import AskNow, Send, ToolScope
from bot.domain.tool_outcomes import RunNote
from bot.domain.tools import ToolCall
from bot.domain.turns import Answer, Turn, Waiting
from bot.memory.facts import KnownFacts
from bot.tools.budget.budgets import Payer, Spent
from bot.tools.permission.provenance import ContextProvenance
from bot.tools.toolset.toolset import Toolset

_Blocks: TypeAlias = tuple[StoredBlock, ...]


@dataclass(frozen=True)
class Asking:
    """A question of a run to its person; others trust it as far as the asking run."""

    text: str
    options: tuple[str, ...]
    trust: Trust
    files: bool = False
    """Whether files are asked for."""


async def _nothing_waits(_waited_s: float) -> None:
    return None


@dataclass(frozen=True)
class Callbacks:
    """The sessions create them, and a run passes them to the agents that it calls.

    None disables one: nobody is present to answer, or nobody may steer.
    """

    send: Send
    live: Callable[[LiveUpdate], None]
    person_now: Callable[[], Person]
    """The person with their current role: tightened access applies from the next call.

    See docs/rules.md#finding-tools.
    """
    on_rescheduled: Callable[[], None] = lambda: None
    """Called when a call changed due times."""
    on_approval: Callable[[Turn, Approval, Trust], Awaitable[None]] | None = None
    """A call waits for a yes: its card is shown to those who may decide by `show_cards`.

    The card is trusted as far as the run that asks.
    """
    asked: Callable[[int], Awaitable[tuple[str, ...]]] | None = None
    """Names the people who are asked for a yes of this rank."""
    ask: Callable[[Turn, str, Asking], Awaitable[Answer]] | None = None
    """Asks the person (turn, step key, question) and returns the answer."""
    ask_now: Callable[[Turn, ToolCall], AskNow] | None = None
    """Questions that arise while a call runs."""
    on_steer: Callable[[Waiting], Awaitable[_Blocks]] | None = None
    """Converts a message that arrived meanwhile to blocks."""
    show_cards: "Callable[[float], Awaitable[None]]" = _nothing_waits
    """Posts the cards of `on_approval`, if one has waited for these seconds; at the end, all."""
    still_writing: Callable[[Turn, int], Awaitable[_Blocks]] | None = None
    """The continuation of the answered message, taken as step `steer:<n>`."""
    heard: Callable[[Turn, str], Awaitable[_Blocks]] | None = None
    """What others have said until the person answered the question of this call."""
    named: Callable[[], bool] = lambda: False
    """Whether a message that joined the answered one is for the assistant for certain."""

    def for_specialist(self) -> "Callbacks":
        """The callbacks for a delegated agent: nobody steers it, and it asks nobody.

        Its actions are shown. Its text is for its caller, not a part of the person's answer.
        """

        def live(update: LiveUpdate) -> None:
            if not isinstance(update, TextDelta | TextReset | Thinking):
                self.live(update)

        return Callbacks(
            self.send,
            live,
            self.person_now,
            self.on_rescheduled,
            self.on_approval,
            show_cards=self.show_cards,
        )


LIMITS = "limits"
"""The envelope key for the limits of its turn."""
CEILING = 20
"""Model calls that a run can never exceed, extensions included."""


@dataclass
class Budget:
    """The remaining limits of a run, counted from journalled results: a replay counts the same."""

    calls: int
    """Model calls granted; `extend` raises it up to CEILING."""
    tool_calls: int = 60
    tokens: int = 2_000_000
    wall_s: float = 900.0
    used: Usage = Usage()
    calls_made: int = 0
    tool_calls_made: int = 0
    started: float = 0.0
    """Clock.monotonic() at the start of this run in this process."""

    def extend(self, calls: int) -> int:
        """Grant up to `calls` more model calls; returns how many were granted."""
        granted = max(0, min(calls, CEILING - self.calls))
        self.calls += granted
        return granted

    @property
    def calls_left(self) -> int:
        return self.calls - self.calls_made

    def exhausted(self, now: float) -> str | None:
        """The limit that was reached, in words for log and person; None if there is budget left."""
        if self.calls_left <= 0:
            return f"max_turns={self.calls}"
        if self.tool_calls_made >= self.tool_calls:
            return f"max_tool_calls={self.tool_calls}"
        if sum(vars(self.used).values()) >= self.tokens:
            return f"max_tokens={self.tokens}"
        if now - self.started >= self.wall_s:
            return f"max_seconds={self.wall_s:g}"
        return None


@dataclass(frozen=True)
class RunContext:
    """The person and place of a run; the agents that it calls share them."""

    session_id: str
    conversation: Conversation
    private: bool
    timezone: str
    payer: Payer
    """The payer of this run's calls."""
    envelope: JsonObject = field(default_factory=dict[str, object])
    """The message that the run answers, in the journal's form.

    An approval stores it to find the way back.
    """


@dataclass
class Progress:
    """The loop's position in its run. A new epoch continues the count."""

    shown: str = ""
    """The visible part of the text that the model is writing right now."""
    repeats: dict[str, int] = field(default_factory=dict[str, int])
    """The number of times that each exact call was made."""
    steer_checks: int = 0
    skipped: bool = False
    """The last round skipped calls for a new message.

    The next one runs its own, or writing quickly would stop all work.
    """
    held_back: int = 0
    """Answers that were not shown because the person was still writing."""
    nudged: bool = False
    offered_more: bool = False
    context_tokens: int = 0
    """The provider's count for the last request and its reply; 0 at the start of an epoch."""


@dataclass
class RunRecord:
    """The results of a run so far, for its end and for the calling agent."""

    tools_used: list[str] = field(default_factory=list[str])
    sent: list[str] = field(default_factory=list[str])
    """Texts that `send` posted to the person's own conversation, in order."""
    untold_facts: list[str] = field(default_factory=list[str])
    """Keys of facts that delegated agents saved and that are new to this agent."""
    notes: list[RunNote] = field(default_factory=list[RunNote])
    """What its tools noted, for their later calls and for who called it."""
    unseen: list[str] = field(default_factory=list[str])
    """What the model refused to read (`Refusals.learned`), for its person to know."""
    for_asker: bool = False
    """It has read what is its person's alone, or asked that they alone get its answer."""
    told_alone: bool = False
    """Whether its model knows that."""
    answered: bool = False
    """Its person answered a question of its."""
    ended_as: str = "resolved"
    """The outcome from finish_task: resolved, partial, unresolved or silent."""

    def noted(self, subject: str) -> list[JsonValue]:
        """The notes on a subject, the newest last."""
        return [one.note for one in self.notes if one.subject == subject]


@dataclass
class Run:
    """One run of the loop."""

    agent: AgentDefinition
    scope: ToolScope
    toolset: Toolset
    history: History
    facts: KnownFacts
    context: RunContext
    callbacks: Callbacks
    cycle: Cycle
    """Makes the events of this run's cycle."""
    budget: Budget
    active_skills: list[str] = field(default_factory=list[str])
    spending: Spent = field(default_factory=Spent)
    """The turn's usage, shared with the agents that it delegates to."""
    begun: dict[str, bool] = field(default_factory=dict[str, bool])
    """By id, each running call, or each call that ran when a process ended, and whether it may have
    changed something by then.

    Shared with delegated agents.
    """
    deeds: list[Deed] = field(default_factory=list[Deed])
    """What the turn changed for its person, in order; shared with delegated agents."""
    above: ContextProvenance | None = None
    """The context of the delegating run: the person's words there count here too."""
    narrows_above: Callable[[], None] | None = None
    """Narrows the delegating run."""
    turn_from: int = 0
    """How many messages its history had when the turn began: the rest was said in this turn."""
    assignment: Assignment | None = None
    """The part of a larger work that it does."""
    progress: Progress = field(default_factory=Progress)
    record: RunRecord = field(default_factory=RunRecord)
    _limited_at: dict[Confinement, int] = field(default_factory=dict[Confinement, int])
    """How many messages the history had when each of this turn's limits began."""

    provenance: ContextProvenance = field(init=False)
    """The origins of this run's texts and the targets that its person named, for the gate.

    See docs/rules.md#trust.
    """

    def __post_init__(self) -> None:
        schema_of = self.toolset.result_schema
        self.provenance = ContextProvenance(
            self.history.messages, self.above, schema_of, self.turn_from
        )

    def go_on_from(self, history: History) -> None:
        """Continue in a new epoch, which opens with all known facts."""
        self.history = history
        self._limited_at = dict.fromkeys(self._limited_at, len(history.messages))
        self.record.untold_facts.clear()
        self.progress.context_tokens = 0
        above = self.provenance.spoken()
        self.turn_from = len(history.messages)
        self.provenance = ContextProvenance(
            history.messages, above, self.toolset.result_schema, self.turn_from
        )

    def activate(self, skill_id: str, tools: Sequence[str], *, active: bool) -> None:
        """Record a change of active skills; `tools` are those of all active ones.

        One that is activated adds to what others of the same round brought.
        """
        if active and skill_id not in self.active_skills:
            self.active_skills.append(skill_id)
        elif not active and skill_id in self.active_skills:
            self.active_skills.remove(skill_id)
        before = self.scope.active_tools if active else frozenset[str]()
        self.scope = replace(self.scope, active_tools=before.union(tools))
        self.toolset.refresh(self.scope)

    def confine(self, limits: Confinement) -> None:
        """Hold every call until the end of the turn to these limits.

        A later turn about an approval from this one continues its work and has the same limits.
        """
        if limits not in self.scope.confinements:
            self._hold_to((*self.scope.confinements, limits))
            self._limited_at[limits] = len(self.history.messages)

    def release(self, limits: Confinement) -> None:
        """End these limits before the turn ends."""
        self._hold_to(tuple(one for one in self.scope.confinements if one != limits))

    def was_asked_since(self, limits: Confinement) -> bool:
        """Whether the person has written after the limits began, so they may want other work."""
        begun = self._limited_at.get(limits)
        later = self.history.messages[begun:] if begun is not None else ()
        return any(
            stored.typed and stored.origin.trust is Trust.PERSON
            for message in later
            for stored in message.blocks
        )

    def _hold_to(self, confinements: tuple[Confinement, ...]) -> None:
        self.scope = replace(self.scope, confinements=confinements)
        kept = [one.to_json() for one in confinements]
        self.context = replace(self.context, envelope={**self.context.envelope, LIMITS: kept})

    def live_scope(self) -> ToolScope:
        """The scope with the current role and what was read, for checks at execution."""
        person, alone = self.callbacks.person_now(), self.for_asker
        if (person, alone) == (self.scope.person, self.scope.alone):
            return self.scope
        return replace(self.scope, person=person, alone=alone)

    @property
    def cycle_alone(self) -> Cycle:
        """Its cycle for events that its person alone may read, where others read the place."""
        if self.context.private:
            return self.cycle
        return self.cycle.learned_at(self.scope.location.read_by(self.scope.person.id))

    def narrow(self) -> None:
        """From now on its texts are its person's alone, and those of the run that called it.

        Both show what they do and `send` in one place.
        """
        self.record.for_asker = True
        self.cycle = self.cycle_alone
        if self.narrows_above is not None:
            self.narrows_above()

    @property
    def for_asker(self) -> bool:
        """Whether others read the place, and its answer is for its person alone."""
        return self.record.for_asker and not self.context.private

    @property
    def private(self) -> bool:
        """Whether its texts are its person's alone."""
        return self.context.private or self.record.for_asker

    @property
    def origin(self) -> Origin:
        """The agent's text now: no more trusted than the least trusted text in its context.

        See docs/rules.md#trust.
        """
        return origin_of(self.history.trust, f"agent:{self.agent.name}")

    @property
    def stored_origin(self) -> Origin:
        """The origin of what a call stores: beside a server's words about its tools, a guest's.

        What is stored is read later without them, where nothing is more careful for their sake.
        """
        trust = self.history.trust
        if self.provenance.described:
            trust = max(trust, Trust.OUTSIDER)
        return origin_of(trust, f"agent:{self.agent.name}")

"""One run of an agent: what it works with, what it may spend, and how it can end."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import TypeAlias

from bot.agents.cycle_events import Cycle
from bot.domain.access import Person
from bot.domain.agents import AgentDefinition
from bot.domain.approvals import Approval
from bot.domain.chat import LiveUpdate, Status
from bot.domain.confinement import Confinement
from bot.domain.json_types import JsonObject
from bot.domain.messages import Conversation
from bot.domain.models import Usage
from bot.domain.origins import Origin, Trust, origin_of
from bot.domain.plans import Plan
from bot.domain.sessions import StoredBlock, TranscriptMessage
from bot.domain.swarms import AntTask, Discovery, Swarm
from bot.domain.tools import AskNow, Send, ToolCall, ToolContext, ToolScope
from bot.domain.turns import Answer, Turn, Waiting
from bot.memory.facts import KnownFacts
from bot.tools.budget.budgets import Limit, Payer, Spent
from bot.tools.permission.provenance import ContextProvenance
from bot.tools.toolset.toolset import Toolset

LIMITS = "limits"
"""Where an envelope keeps what its turn was held to."""
CEILING = 20
"""Model calls that a run can never exceed, extensions included."""


@dataclass
class Budget:
    """What a run may still spend. Counted from journalled results, so a replay counts the same."""

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
        if self.used.total_input + self.used.output_tokens >= self.tokens:
            return f"max_tokens={self.tokens}"
        if now - self.started >= self.wall_s:
            return f"max_seconds={self.wall_s:g}"
        return None


@dataclass(frozen=True)
class Asking:
    """A question of a run to its person; others trust it as far as the asking run."""

    text: str
    options: tuple[str, ...]
    trust: Trust


@dataclass
class Run:
    """Everything that one run of the loop works with. `history` grows only at its end."""

    agent: AgentDefinition
    scope: ToolScope
    toolset: Toolset
    system: tuple[JsonObject, ...]
    tools: tuple[JsonObject, ...]
    history: list[TranscriptMessage]
    facts: KnownFacts
    session_id: str
    conversation: Conversation
    private: bool
    cycle: Cycle
    """Makes the events of this run's cycle."""
    budget: Budget
    send: Send
    live: Callable[[LiveUpdate], None]
    person_now: Callable[[], Person]
    """The person with the role of this very moment: tightened access holds from the next call.

    See docs/rules.md#finding-tools.
    """
    timezone: str = "UTC"
    depth: int = 0
    spending: Spent = field(default_factory=Spent)
    """What the turn has used, shared with the agents that it delegates to."""
    sent: list[str] = field(default_factory=list[str])
    """Texts that `send` posted to the person's own conversation, in order."""
    untold_facts: list[str] = field(default_factory=list[str])
    """Keys of facts that delegated agents saved and this agent hasn't been shown."""
    active_skills: list[str] = field(default_factory=list[str])
    tools_used: list[str] = field(default_factory=list[str])
    repeats: dict[str, int] = field(default_factory=dict[str, int])
    """How often each exact call was made."""
    results: dict[str, StoredBlock] = field(default_factory=dict[str, StoredBlock])
    """Result blocks of the round that runs now, by call id: what a stop must not lose."""
    wrote: set[str] = field(default_factory=set[str])
    """Ids of calls that changed something: what was read before may read otherwise now."""
    begun: dict[str, str] = field(default_factory=dict[str, str])
    """By id, the tool of each call that works right now, or did when a process ended.

    Shared with delegated agents.
    """
    shown: str = ""
    """What the person sees of the text that the model is writing right now."""
    steered: list[StoredBlock] = field(default_factory=list[StoredBlock])
    """What the person wrote while the round of now ran, as it will stand behind the results."""
    new_declarations: tuple[JsonObject, ...] = ()
    """Unlocked in this round, declared to the model with its results."""
    unlocked_by_call: list[str] = field(default_factory=list[str])
    """Tools that were locked until this round called them; the model is told."""
    beside: list[StoredBlock] = field(default_factory=list[StoredBlock])
    """What results of this round could not hold themselves, see `rounds.unlocking_result`."""
    steer_checks: int = 0
    skipped: bool = False
    """The last round skipped calls for a new message; the next runs them, to make progress."""
    held_back: int = 0
    """Answers that were not shown because the person was still writing."""
    nudged: bool = False
    offered_more: bool = False
    envelope: JsonObject = field(default_factory=dict[str, object])
    """The journal's envelope of the message; an approval keeps it to find the way back."""
    on_rescheduled: Callable[[], None] = lambda: None
    """Told that a call changed what comes due later."""
    on_steer: Callable[[Waiting], Awaitable[tuple[StoredBlock, ...]]] | None = None
    """Turns a joining message into blocks; None for delegated agents, which nobody steers."""
    still_writing: Callable[[Turn, int], Awaitable[tuple[StoredBlock, ...]]] | None = None
    """What goes on with the message that is answered, taken as step `steer:<n>`."""
    on_approval: Callable[[Turn, Approval, Trust], Awaitable[None]] | None = None
    """Shows that a call waits for a yes; the card is trusted as far as this run."""
    asked: Callable[[int], Awaitable[tuple[str, ...]]] | None = None
    """Names those who are asked for a yes of this rank; None where nobody can be."""
    ask: Callable[[Turn, str, Asking], Awaitable[Answer]] | None = None
    """Asks the person (turn, step key, what) and gives the answer; None where nobody can answer."""

    above: ContextProvenance | None = None
    """The context of the delegating run: what the person said there counts here too."""
    ask_now: Callable[[Turn, ToolCall], AskNow] | None = None
    """Questions that come up while a call runs; None where nobody can answer."""
    budgets: tuple[Limit, ...] = ()
    """Of the place that it runs in."""
    schedule: str = ""
    """The scheduled task that runs, whose budget counts beside that of its owner."""
    plan: Plan | None = None
    """The last plan of this run, as it ended."""
    ended_as: str = "resolved"
    """What finish_task said of the answer: resolved, partial or unresolved."""
    swarm: Swarm | None = None
    """The swarm that this run leads, as the last call left it."""
    ant: AntTask | None = None
    """What it is to do as an ant of a swarm."""
    discoveries: list[Discovery] = field(default_factory=list[Discovery])
    """What it found as an ant, for its queen and later ants."""
    context_tokens: int = 0
    """The provider's count for the last request and reply; 0 before the first of this epoch."""

    @property
    def payer(self) -> Payer:
        """On whom the calls of this run are counted."""
        return replace(
            Payer.of(self.person, self.conversation, self.budgets), schedule=self.schedule
        )

    @property
    def person(self) -> Person:
        return self.scope.person

    def __post_init__(self) -> None:
        self._trust = max((message.trust for message in self.history), default=Trust.OPERATOR)
        self._provenance = ContextProvenance(self.history, self.above, self._schema_of)

    def _schema_of(self, tool: str) -> JsonObject | None:
        definition = self.toolset.find(tool)
        return None if definition is None else definition.result

    @property
    def provenance(self) -> ContextProvenance:
        """Where the texts of this run come from and what its person named, for the gate.

        See docs/rules.md#trust.
        """
        return self._provenance

    def append(self, message: TranscriptMessage) -> None:
        """Grow the history; an empty message (a reply without content) is left out."""
        if message.blocks:
            self.history.append(message)
            self._trust = max(self._trust, message.trust)

    def go_on_from(
        self,
        system: tuple[JsonObject, ...],
        tools: tuple[JsonObject, ...],
        history: list[TranscriptMessage],
    ) -> None:
        """Continue in a new epoch, which opens with all facts that are known."""
        self.system, self.tools, self.history = system, tools, history
        self.untold_facts.clear()
        self.context_tokens = 0
        self._trust = max((message.trust for message in history), default=Trust.OPERATOR)
        self._provenance = ContextProvenance(history, self._provenance.spoken(), self._schema_of)

    def activate(self, skill_id: str, tools: Sequence[str], *, active: bool) -> None:
        """Record that a skill was activated or put away; `tools` are those of all active skills."""
        if active and skill_id not in self.active_skills:
            self.active_skills.append(skill_id)
        elif not active and skill_id in self.active_skills:
            self.active_skills.remove(skill_id)
        self.scope = replace(self.scope, active_tools=frozenset(tools))
        self.toolset.refresh(self.scope)

    def confine(self, limits: Confinement) -> None:
        """Hold every call until the end of the turn to these limits, also after deactivation.

        A later turn about an approval from this one continues its work: it is held to them too.
        """
        if limits not in self.scope.confinements:
            self.scope = replace(self.scope, confinements=(*self.scope.confinements, limits))
            self.envelope = {
                **self.envelope,
                LIMITS: [one.to_json() for one in self.scope.confinements],
            }

    def live_scope(self) -> ToolScope:
        """The scope with the role of this moment, for checks at execution."""
        return replace(self.scope, person=self.person_now())

    def tool_context(self, call: ToolCall, now: datetime, turn: Turn | None = None) -> ToolContext:
        """What the call may use; with its turn, it may also ask the person."""
        return ToolContext(
            person=self.person_now(),
            agent=self.agent.name,
            run=self.scope.run,
            session_id=self.session_id,
            conversation=self.conversation,
            location=self.scope.location,
            private=self.private,
            cycle_id=self.cycle.id,
            call=call,
            tools=self.toolset,
            now=now,
            timezone=self.timezone,
            send=self.send,
            progress=lambda text: self.live(Status(text)),
            facts=self.facts,
            agent_email=self.scope.agent_email,
            depth=self.depth,
            origin=self.origin,
            confinements=self.scope.confinements,
            envelope=self.envelope,
            connected=self.scope.integrations,
            own_words=self.provenance,
            ask_now=self.ask_now(turn, call)
            if self.ask_now is not None and turn is not None
            else None,
        )

    @property
    def origin(self) -> Origin:
        """What the agent writes now: no more trusted than the least trusted text in its context.

        See docs/rules.md#trust.
        """
        return origin_of(self._trust, f"agent:{self.agent.name}")


# --- outcomes ---


class Trouble(StrEnum):
    """Why a run ended without an answer, as far as the person needs to tell them apart."""

    MODEL = "model"
    BUDGET = "budget"
    EMPTY = "empty"
    LOOPING = "looping"
    REFUSED = "refused"
    CUT = "cut"
    TIME = "time"
    """It took longer than a request may."""
    SPENT = "spent"
    """A budget of money or calls is used up; the reason is a sentence for the person."""


@dataclass(frozen=True)
class Answered:
    text: str
    status: str = "resolved"
    follow_up: str = ""


@dataclass(frozen=True)
class Stopped:
    """The person stopped the run; `done` names the tools that had run until then."""

    done: tuple[str, ...] = ()
    begun: tuple[str, ...] = ()
    """Tools that were at work: whether they took effect is unknown."""
    shown: str = ""
    """What the person had seen of the answer."""


@dataclass(frozen=True)
class Failed:
    """No answer.

    `reason` is the precise text (for a caller and the log), `kind` what the person is told about.
    """

    kind: Trouble
    reason: str
    model_kind: str = ""
    retry_after_s: float | None = None
    errors: int = 0
    """How many times in a row the model gave no answer."""
    done: tuple[str, ...] = ()
    """Tools that had run until then."""


LoopOutcome: TypeAlias = Answered | Stopped | Failed

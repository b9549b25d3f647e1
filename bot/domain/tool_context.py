"""What a tool call may use: its scope and context, the toolset as it sees it, its handler."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Generic, Protocol, Self, TypeVar

from bot.domain.access import Person
from bot.domain.confinement import Confinement
from bot.domain.facts import Fact
from bot.domain.json_types import JsonObject
from bot.domain.messages import Conversation, Delivery
from bot.domain.origins import BELLHOP, Origin, Trust
from bot.domain.places import AT_TERMINAL, Location
from bot.domain.privacy import Learned, Viewer
from bot.domain.runs import RunKind
from bot.domain.targets import OwnWords
from bot.domain.tool_outcomes import ToolOutcome
from bot.domain.tools import ToolCall, ToolDefinition


class Send(Protocol):
    """Posts an interim message to the person now, durably; `to` names another conversation.

    Another conversation makes it an external write. `trust` limits how far others trust its text:
    no further than the context that it was written in.
    """

    async def __call__(
        self, text: str, *, key: str, trust: Trust, to: str | None = None
    ) -> Delivery: ...


class AskNow(Protocol):
    """Asks the person while a call runs and waits with it; only where somebody is present.

    Unlike `AskPerson` nothing is suspended: what can't be begun again (a server in mid-call) waits
    for its answer, and a restart of Bellhop ends the question with the call.
    """

    @property
    def waited_s(self) -> float:
        """Seconds that this call waited for answers; they don't count towards its time limit."""
        ...

    async def __call__(self, text: str, *, seconds: float) -> str | None:
        """What the person wrote next; None when that was nothing for so long."""
        ...


class ToolsetView(Protocol):
    """The session's tools for a discovery tool, filtered by role, shape and integrations."""

    def search(self, pattern: str | None, query: str | None) -> "SearchResult": ...

    def describe(self, names: tuple[str, ...]) -> tuple[ToolDefinition, ...]:
        """Definitions by name or alias; names that are not there for this role are left out."""
        ...

    def is_callable(self, name: str) -> bool:
        """Whether it exists here and is always on or unlocked."""
        ...

    def listing(self) -> tuple["ListedTool", ...]:
        """Every tool this role may know of, with its state."""
        ...


@dataclass(frozen=True)
class ListedTool:
    name: str
    one_liner: str
    unlocked: bool


@dataclass(frozen=True)
class SearchResult:
    """Matches to show and unlock, best first; `cut` counts the matches that were left out."""

    matches: tuple[ToolDefinition, ...]
    cut: int = 0


@dataclass(frozen=True)
class ToolScope:
    """Who asks, through which agent, in which run: each request's toolset is made for this."""

    person: Person
    agent: str
    run: RunKind = RunKind()
    folders: tuple[str, ...] = ()
    """The agent's extra tool folders (`planner`, `subagents`, `mrtool`)."""
    specialists: tuple[str, ...] = ()
    """Agents whose `agent_<name>` is always on."""
    tools: tuple[str, ...] = ()
    """Tools that the agent's file names: unlocked from the first request on."""
    integrations: frozenset[str] = frozenset()
    """Ids of the connectors that are available to this person now."""
    active_tools: frozenset[str] = frozenset()
    """Tools that active skill manifests make visible from any folder (docs/rules.md#tool-files)."""
    private: bool = True
    agent_email: str | None = None
    depth: int = 0
    """0 for the agent that talks with the person; a delegated one has no `send` and can't ask.

    See docs/rules.md#specialists.
    """
    since: datetime | None = None
    """When the session began: it keeps tools that were lost later. None: it begins now.

    See docs/rules.md#finding-tools.
    """
    confinements: tuple[Confinement, ...] = ()
    """What active skills and manifests may use; a call has to be within each of them."""
    location: Location = AT_TERMINAL
    """Where it is asked for: rules about places look at it."""


@dataclass(frozen=True)
class ToolContext:
    """Everything one call may use: the person, agent, run and session, and the way back to them."""

    person: Person
    agent: str
    run: RunKind
    session_id: str
    conversation: Conversation
    location: Location
    """Where it takes place: decides what of the stored things is shown."""
    private: bool
    cycle_id: str
    call: ToolCall
    tools: ToolsetView
    now: datetime
    timezone: str
    send: Send
    progress: Callable[[str], None]
    """Shows one status line to the person; never blocks."""
    facts: Mapping[str, Fact] = field(default_factory=dict[str, Fact])
    agent_email: str | None = None
    integrations: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    """Decrypted tokens by connector, for this person; never logged (repr is off)."""
    depth: int = 0
    """0 for the agent that talks with the person; each delegation adds one."""
    origin: Origin = BELLHOP
    """The least trusted origin in the agent's context; what a tool stores for it is no better.

    See docs/rules.md#trust.
    """
    connected: frozenset[str] = frozenset()
    """Ids of the connectors that are available to this person now."""
    confinements: tuple[Confinement, ...] = ()
    """As in `ToolScope`, for what no argument shows: where a redirect leads."""
    ask_now: AskNow | None = None
    """For questions that come up in a call; None where nobody can be asked."""
    approved_rank: int = 0
    """Of a call that somebody said yes to: the rank that the yes needed, and its giver had.

    Who asks may have less.
    """
    confirmed: bool = False
    """The person themself said yes to this very call, with all of it before them."""
    own_words: OwnWords | None = None
    """What the person typed themself; None where nobody knows."""
    envelope: JsonObject = field(default_factory=dict[str, object], repr=False)
    """The journal's envelope of the message: later work of this run finds its way back with it."""

    @property
    def learned(self) -> Learned:
        """Where what this call stores was learned."""
        return Learned.at(self.location)

    @property
    def viewer(self) -> Viewer:
        """Who sees what this call shows."""
        return Viewer.at(self.location, self.person)


class Arguments(Protocol):
    """A pydantic model, as far as the domain needs to know it."""

    @classmethod
    def model_validate(cls, obj: Any) -> Self: ...

    @classmethod
    def model_json_schema(cls) -> JsonObject: ...


ArgumentsT = TypeVar("ArgumentsT", bound=Arguments)


@dataclass(frozen=True)
class NativeTool(Generic[ArgumentsT]):
    """A Python handler: the executor validates arguments, calls `run`, journals the outcome.

    `run` raises ToolError for what the model can act on. Its database effects go into
    ToolResult.unit, so that they happen exactly once. Anything else must be safe to repeat, or the
    tool is not `Idempotent`. `arguments.model_json_schema()` equals the file's Parameters.
    """

    name: str
    arguments: type[ArgumentsT]
    run: Callable[[ToolContext, ArgumentsT], Awaitable[ToolOutcome]]
    repeatable: bool = False
    """Whether calls outside carry an idempotency key, so that interrupted ones are repeated."""
    acts: bool = False
    """Whether it acts beyond its unit (a command line): interrupted calls are not repeated."""
    pure: bool = False
    """Whether a call has no effect beyond its result and its unit, and asks nobody outside."""
    reserved: bool = False
    """Whether a tool file of this name is always served by it, whatever the file says."""
    in_turn: bool = False
    """Whether its calls are steps of the turn (posts, other agents): no limit applies to them, and
    a fault ends the turn, not only the call."""

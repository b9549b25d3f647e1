"""Tools: their definitions as markdown declares them, calls, contexts and outcomes."""

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, Protocol, Self, TypeAlias, TypeVar

from bot.domain.access import Access, Person
from bot.domain.confinement import Confinement
from bot.domain.database import Unit
from bot.domain.facts import Fact
from bot.domain.json_types import JsonObject
from bot.domain.messages import Conversation, Delivery
from bot.domain.origins import BELLHOP, Origin, Trust
from bot.domain.places import AT_TERMINAL, Location
from bot.domain.plans import Plan
from bot.domain.privacy import Learned, Viewer
from bot.domain.reads import Reads
from bot.domain.runs import RunKind, RunShape
from bot.domain.swarms import Discovery, Swarm
from bot.domain.targets import OwnWords, Stem, without_marks

ONE_LINER_CHARS = 120


_FIRST_PART = re.compile(r"\n\s*\n|\n(?=[-*#] )")
"""What ends the first paragraph: a blank line, or a list."""
_LEAD_IN = re.compile(r"(?<=[.!?]) [^.!?]*:\W*$")
"""Words after the last sentence that introduce what isn't shown."""
_SENTENCES = re.compile(r".*[.!?:](?= |$)")


def one_line(text: str) -> str:
    """The beginning of a text, up to 120 characters: whole sentences, or as many words as fit."""
    line = " ".join(_FIRST_PART.split(text.strip(), maxsplit=1)[0].split())
    line = _LEAD_IN.sub("", line)
    if len(line) <= ONE_LINER_CHARS:
        return line
    if whole := _SENTENCES.match(line[: ONE_LINER_CHARS + 1]):
        return whole[0][:ONE_LINER_CHARS]
    words = line[: ONE_LINER_CHARS - 1].rsplit(" ", 1)[0]
    return f"{words[: ONE_LINER_CHARS - 2].rstrip(' ,;-')} …"


class Risk(StrEnum):
    EXTERNAL_WRITE = "external-write"
    POLICY_WRITE = "policy-write"
    DESTRUCTIVE = "destructive"


@dataclass(frozen=True)
class NativeImplementation:
    """`native: name`: a Python handler registered under that name."""

    name: str


@dataclass(frozen=True)
class ShellImplementation:
    """`shell: file.sh`: a script beside the tool file, with its arguments as JSON on stdin."""

    script: Path
    network: bool = False
    """Whether its sandbox has the machine's network (`network: yes`)."""
    reads: tuple[Path, ...] = ()
    """Absolute paths that its sandbox shows, read-only (`read: /path`)."""


@dataclass(frozen=True)
class HttpImplementation:
    """`http: METHOD url`: a template with `{name}` for arguments, `{secret:NAME}` for secrets."""

    method: str
    url: str
    headers: tuple[tuple[str, str], ...] = ()
    body: str = ""
    """JSON with placeholders in its texts. Empty: no body, or the arguments used nowhere else."""

    @property
    def free(self) -> bool:
        """Whether the whole address is an argument, so that the caller chooses the destination."""
        return self.url.startswith("{")


@dataclass(frozen=True)
class McpImplementation:
    """`mcp: server.tool`."""

    server: str
    tool: str


Implementation: TypeAlias = (
    NativeImplementation | ShellImplementation | HttpImplementation | McpImplementation
)


@dataclass(frozen=True)
class ToolDefinition:
    """A tool as its markdown file declares it (docs/rules.md#tool-files)."""

    name: str
    description: str
    parameters: JsonObject
    folder: str
    """`shared`, an agent's name, `subagents`, `planner` or `mrtool`."""
    implementation: Implementation
    access: Access = Access()
    aliases: tuple[str, ...] = ()
    risk: Risk | None = None
    reads: Reads | None = None
    """Calls that the risk doesn't concern (`## Reads`)."""
    requires: tuple[str, ...] = ()
    """Connectors that must be available to this person."""
    runs: frozenset[RunShape] | None = None
    """Run shapes in which it exists; None means all."""
    timeout_s: float | None = None
    idempotent: bool = False
    source: Path | None = None
    confinement: Confinement | None = None
    """The hosts and paths in its file (`## Hosts`, `## Paths`): its calls use nothing else."""
    result: JsonObject | None = None
    """The schema of its JSON result with marks of records (`## Result`); None if undescribed."""
    may_write: bool = False
    """An MCP tool not declared read-only: a write outside if the context has text from outside."""

    def risk_of(self, arguments: JsonObject) -> Risk | None:
        """The risk of a call with these arguments, as far as the file says."""
        return None if self.reads is not None and self.reads.covers(arguments) else self.risk

    @property
    def one_liner(self) -> str:
        """The beginning of the description for catalogues, in whole sentences if possible."""
        return one_line(self.description)

    def declaration(self) -> JsonObject:
        """The tool as a Messages API request declares it; equal definitions give the same bytes."""
        return {
            "name": self.name,
            "description": self.description,
            "input_schema": self.shown_parameters,
        }

    @cached_property
    def shown_parameters(self) -> JsonObject:
        """The parameters as models see them: without the marks of targets."""
        return without_marks(self.parameters)


@dataclass(frozen=True)
class ToolCall:
    """What the model asked for. `key` is its address in the journal: `tool:<n>.<position>`."""

    id: str
    name: str
    arguments: JsonObject
    key: str


# --- outcomes ---


@dataclass(frozen=True)
class Unlocked:
    """Tools that became callable for the session, with their declarations at that moment."""

    declarations: tuple[JsonObject, ...]
    hint: str | None = None
    """What the shown definitions leave out; None: the result's own text is shown as well."""
    called: bool = False
    """Its first call unlocked it: the result is the call's, plus a note about the tool."""


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
    """A manifest was activated or put away; `tools` are those of all active manifests."""

    skill_id: str
    active: bool = True
    tools: tuple[str, ...] = ()


@dataclass(frozen=True)
class Confined:
    """From now to the end of the turn every call is held to these limits."""

    limits: Confinement


@dataclass(frozen=True)
class Rescheduled:
    """The result's unit changed what comes due later, so whoever waits for it looks again."""


@dataclass(frozen=True)
class PlanKept:
    """The plan that a call ran, as it ended: `recovery` goes on with it in the same run."""

    plan: Plan


@dataclass(frozen=True)
class SwarmKept:
    """The swarm as a call left it: the queen's next call in the same run continues with it."""

    swarm: Swarm


@dataclass(frozen=True)
class Discovered:
    """An ant found something that its queen and later ants should know."""

    discovery: Discovery


Effect: TypeAlias = (
    Unlocked
    | FactSaved
    | FactForgotten
    | BudgetExtended
    | SkillActivated
    | Confined
    | Rescheduled
    | PlanKept
    | SwarmKept
    | Discovered
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
    blocks: tuple[JsonObject, ...] = ()
    """More content blocks (images, documents) after the text."""
    effects: tuple[Effect, ...] = ()
    unit: Unit = Unit()
    summary: str = ""
    """One line for the person's status display; empty: derived from the content."""


@dataclass(frozen=True)
class Finish:
    """finish_task: the loop ends with this answer."""

    answer: str
    status: str = "resolved"
    follow_up: str = ""


@dataclass(frozen=True)
class AskPerson:
    """ask_user_for_clarification: the turn suspends until the person's next message there."""

    question: str
    options: tuple[str, ...] = ()


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
    """Where the targets stand that nobody vouches for."""
    untrusted: bool = False
    """Text from outside is in the context: only a grant for these very targets answers it."""


@dataclass(frozen=True)
class Deferred:
    """Nobody is present to say yes: proposed to the owner, not done."""

    call: ToolCall
    reason: str
    risk: Risk | None = None
    approver_rank: int = 0
    """As in NeedsApproval, and so are those that follow."""
    stems: tuple[Stem, ...] = ()
    untrusted: bool = False


ToolOutcome: TypeAlias = ToolResult | Finish | AskPerson | NeedsApproval | Deferred


# --- context and handlers ---


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

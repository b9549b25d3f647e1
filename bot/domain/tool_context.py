"""The scope, context, toolset and handler of a tool call."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Generic, Protocol, Self, TypeVar

from bot.domain.access import Person
from bot.domain.confinement import Confinement
from bot.domain.deeds import ToolDeed
from bot.domain.finding import SearchResult, SkillTools
from bot.domain.json_types import JsonObject
from bot.domain.languages import Phrase, Translations
from bot.domain.lasting import Makes
from bot.domain.messages import Conversation, Delivery, OutgoingFile
from bot.domain.origins import BELLHOP, Origin, Trust
from bot.domain.places import AT_TERMINAL, Location
from bot.domain.privacy import Learned, Viewer
from bot.domain.runs import RunKind
from bot.domain.targets import OwnWords
from bot.domain.tool_outcomes import Fact, ToolOutcome
from bot.domain.tools import ToolCall, ToolDefinition


class Send(Protocol):
    """Posts an interim message to the person now, durably; `to` names another conversation.

    A send to another conversation is an external write. `trust` is that of the context in which the
    text was written; others trust it no more than that. `files` go with it as attachments.
    """

    async def __call__(
        self,
        text: str,
        *,
        key: str,
        trust: Trust,
        to: str | None = None,
        files: tuple[OutgoingFile, ...] = (),
    ) -> Delivery: ...


class AskNow(Protocol):
    """Asks the person during a call, which waits; only if somebody is present.

    Unlike `AskPerson`, it suspends nothing, so it suits calls that can't begin again. A restart of
    Bellhop ends the question together with the call.
    """

    @property
    def waited_s(self) -> float:
        """Seconds that this call waited for answers; its time limit excludes them."""
        ...

    async def __call__(self, text: str, *, seconds: float) -> str | None:
        """Return the person's next message; None after a time-out."""
        ...


class ToolsetView(Protocol):
    """The session's tools for discovery, filtered by role, kind of run and connectors."""

    def search(self, pattern: str | None, query: str | None) -> SearchResult: ...

    def brought_by(self, skill_id: str) -> SkillTools | None:
        """What a manifest brings; None if it is not open here, or if it or the run sets limits."""
        ...

    def describe(self, names: tuple[str, ...]) -> tuple[ToolDefinition, ...]:
        """Definitions by name or alias, without those that this role may not use."""
        ...

    def is_callable(self, name: str) -> bool:
        """Whether it exists here and is always on or unlocked."""
        ...

    def listing(self) -> tuple["ListedTool", ...]:
        """Every tool that this role may see, with its state."""
        ...

    def handler(self, name: str) -> "NativeTool[Any] | None":
        """The native handler of this name, if it exists here."""
        ...


@dataclass(frozen=True)
class ListedTool:
    name: str
    one_liner: str
    unlocked: bool


@dataclass(frozen=True)
class ToolScope:
    """The person, agent and run that a request's toolset is built for."""

    person: Person
    agent: str
    run: RunKind = RunKind()
    folders: tuple[str, ...] = ()
    """The agent's extra tool folders (`planner`, `subagents`, `mrtool`)."""
    specialists: tuple[str, ...] = ()
    """Agents whose `agent_<name>` is always on."""
    tools: tuple[str, ...] = ()
    """Tools in the agent's file, which are unlocked from the first request on."""
    integrations: frozenset[str] = frozenset()
    """Ids of the connectors that are available to this person now."""
    assigned: frozenset[str] = frozenset()
    """The tools with which the agent reports and ends, if it has an assignment."""
    active_tools: frozenset[str] = frozenset()
    """Tools of active skill manifests, from any folder (docs/rules.md#tool-files)."""
    private: bool = True
    alone: bool = False
    """Whether the run has read what its person alone may know, where others read."""
    agent_email: str | None = None
    depth: int = 0
    """0 for the agent that talks with the person; a delegated one has no `send` and can't ask.

    See docs/rules.md#specialists.
    """
    since: datetime | None = None
    """When the session began; it keeps tools that went away later. None: it begins now.

    See docs/rules.md#finding-tools.
    """
    confinements: tuple[Confinement, ...] = ()
    """The limits of active skills and manifests. A call must be within each."""
    location: Location = AT_TERMINAL
    """The place of the request, for rules about places."""
    in_thread: bool = False


@dataclass(frozen=True)
class ToolContext:
    """The context of one call: person, agent, run and session, and ways to reach the person."""

    person: Person
    agent: str
    run: RunKind
    session_id: str
    conversation: Conversation
    location: Location
    """The place of the call, which decides what stored things it may show."""
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
    """0 for the agent that talks with the person, plus one per delegation."""
    origin: Origin = BELLHOP
    """The least trusted origin in the agent's context. What a tool stores has this trust at most.

    See docs/rules.md#trust.
    """
    connected: frozenset[str] = frozenset()
    """Ids of the connectors that are available to this person now."""
    confinements: tuple[Confinement, ...] = ()
    """As in `ToolScope`, for targets that no argument shows, such as a redirect."""
    ask_now: AskNow | None = None
    """Asks questions during a call; None if nobody can be asked."""
    approved_rank: int = 0
    """The rank that the approval of this call required.

    The asking person may have a lower one.
    """
    asked_at: datetime | None = None
    """When the question was put that this call's yes answers; None if it needed none."""
    confirmed: bool = False
    """Whether the person approved this very call and saw all of it."""
    own_words: OwnWords | None = None
    """The person's typed words; None if unknown."""
    holds: Callable[[str], bool] = lambda _text: False
    """Whether the model has this text before it already."""
    envelope: JsonObject = field(default_factory=dict[str, object], repr=False)
    """The stored envelope of the message, as `later` without `alone`."""
    alone: bool = False
    """Whether the run has read what its person alone may know, where others read."""

    @property
    def learned(self) -> Learned:
        """The origin of what this call stores."""
        alone = self.person.id if self.alone else self.location.alone
        return Learned.at(self.location.read_by(alone))

    @property
    def later(self) -> JsonObject:
        """The envelope with which later work answers: in the same place, alone if this call is."""
        if not (self.alone and self.envelope):
            return self.envelope
        reply: JsonObject = self.envelope["reply_to"]
        to = {**reply, "ephemeral_to": self.envelope["sender"]["id"]}
        return {**self.envelope, "private": True, "reply_to": to}

    @property
    def viewer(self) -> Viewer:
        """Who sees the output of this call."""
        return Viewer.at(self.location, self.person)


class Arguments(Protocol):
    """The part of a pydantic model that the domain uses."""

    @classmethod
    def model_validate(cls, obj: Any) -> Self: ...

    @classmethod
    def model_json_schema(cls) -> JsonObject: ...


ArgumentsT = TypeVar("ArgumentsT", bound=Arguments)


@dataclass(frozen=True)
class NativeTool(Generic[ArgumentsT]):
    """A Python handler: the executor validates arguments, calls `run`, journals the outcome.

    `run` raises ToolError for what the model can act on. Its database effects go into
    ToolResult.unit, so that they happen exactly once. Any other effect must be safe to repeat if
    the tool is `Idempotent`. `arguments.model_json_schema()` equals the file's Parameters.
    """

    name: str
    arguments: type[ArgumentsT]
    run: Callable[[ToolContext, ArgumentsT], Awaitable[ToolOutcome]]
    repeatable: bool = False
    """Whether its calls carry an idempotency key, so that interrupted ones are repeated."""
    acts: bool = False
    """Whether it has effects outside its unit (a command line). Interrupted calls are not
    repeated.
    """
    pure: bool = False
    """Whether a call has no effect except its result and unit, and contacts nobody outside."""
    reads_outside: bool = False
    """Whether it only reads, outside: a few such calls of one reply run side by side."""
    reserved: bool = False
    """Whether it serves every tool file of this name, whatever the file says."""
    in_turn: bool = False
    """Whether its calls are steps of the turn (posts, other agents). They have no time limit, and
    an error ends the turn, not only the call.
    """
    makes: Callable[[ToolContext, ArgumentsT], Awaitable[Sequence[Makes]]] | None = None
    """What a call would make that outlasts its conversation, and what it would replace.

    Asked while text from outside is there, and for the names on a card. It reads nothing else, and
    writes nothing.
    """
    check: Callable[[ToolContext, ArgumentsT], Awaitable[None]] | None = None
    """Raises ToolError for what the call's words alone, or what is kept, speak against.

    It is asked before any question to a person, so nobody says yes to what then fails.
    """
    tells: Callable[[ToolContext, ArgumentsT], Awaitable[str | Translations]] | None = None
    """What a call does, in a few words behind "Ann asks to", for the card. It only reads.
    In other languages they stand behind a colon. A `str` is English, whoever reads it.

    Texts of others stand in it as `titled` or `coded` (bot/domain/card_words.py).
    """
    doing: Phrase | None = None
    """What people read while a call runs, such as `Writing a mail`; without it, the tool's name."""
    deed: ToolDeed | None = None
    """What its calls do to somebody's things, for the words at the end of a run."""
    reads: str = ""
    """The argument with the path of a file that a call reads; it takes what `read_file` takes."""
    waivable: bool = True
    """Whether a rule of policy.yaml may allow what needs a yes without one."""
    aloud: str = ""
    """The `action` of calls whose words everybody around reads, with nobody named among them.

    Once the request has read what its person alone may know, each such call waits for a yes.
    """
    keeps: bool = False
    """Whether it changes its person's things, although no call of it is a risk.

    A specialist has it only if its file names it.
    """
    listed: bool = True
    """Whether catalogues list it. A search finds it nevertheless."""
    same_for_all: bool = False
    """Whether a call gives everybody the same result. Then others in a thread may be shown it.

    Any other tool is taken to read its person's own data.
    """
    completes: Callable[[ToolContext, ArgumentsT], Awaitable[JsonObject]] | None = None
    """All arguments of a call, with those that the program knows better than the model.

    Asked before the gate: a card shows them and a yes is to them. It writes nothing; ToolError
    refuses the call.
    """

    def is_aloud(self, arguments: JsonObject) -> bool:
        """Whether everybody around reads the words of a call."""
        return bool(self.aloud) and arguments.get("action") == self.aloud

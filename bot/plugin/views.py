"""What the house shows to plug-ins with pages: typed rows, each for one person who looks.

A view gives no row that the person may not see: they look as in a direct conversation with the
assistant. A MasterAdmin looks as the operator, whose rights `docs/security.md` says.

Every reading raises StorageError. Moments are in UTC, money is in billionths of a US dollar.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Generic, Protocol, TypeAlias, TypeVar

from bot.domain.access import Person, Role
from bot.domain.chat_commands import Asked
from bot.domain.health import Health
from bot.domain.privacy import Viewer
from bot.domain.schedules import ScheduleTick

T = TypeVar("T")
TickRow: TypeAlias = ScheduleTick


@dataclass(frozen=True)
class Looker:
    """Who looks, as they are now."""

    person: Person
    viewer: Viewer
    """Their own direct conversation with the assistant."""

    @property
    def operator(self) -> bool:
        return self.person.role is Role.MASTER_ADMIN


class Gone(StrEnum):
    """Why nobody looks."""

    ENDED = "ended"
    """They are another person now, have another role, or may use nothing."""
    UNKNOWN = "unknown"
    """Their platform can't tell now which roles they have."""


@dataclass(frozen=True)
class Rows(Generic[T]):
    """A page of a list."""

    rows: Sequence[T] = ()
    next: str = ""
    """What the following page begins behind; empty at the end."""


@dataclass(frozen=True)
class ActionTold:
    """What came of an action, in a sentence for its person."""

    text: str
    done: bool = True


# --- now ---


@dataclass(frozen=True)
class WorkRow:
    """Accepted work that is not settled."""

    ref: str
    person: str
    state: str
    """`new` (in the queue), `running`, `ready` (goes on soon) or `waiting` (for a person)."""
    what: str
    since: datetime


@dataclass(frozen=True)
class NowView:
    health: Health
    work: Sequence[WorkRow]
    hidden: int
    """How much open work of others there is."""
    approvals: int
    """How many approvals this person may decide."""


class ShowsNow(Protocol):
    async def look(self, who: Looker) -> NowView: ...


# --- runs ---


@dataclass(frozen=True)
class RunRow:
    """One run of an agent for a message, schedule or event."""

    id: str
    ref: str
    """Of its turn."""
    at: datetime
    person: str
    agent: str
    kind: str
    status: str
    asked: str
    ms: int | None
    tokens: int
    nano_usd: int
    unpriced: bool
    """Whether the cost of some of its calls is unknown."""


@dataclass(frozen=True)
class RunSpan:
    """A part of a run in the waterfall; `begin` and `end` in ms since the message was accepted."""

    kind: str
    """`queue`, `agent`, `model`, `tool`, `send` or `note`."""
    label: str
    begin: float
    end: float
    depth: int
    failed: bool = False
    facts: Sequence[tuple[str, str]] = ()
    """Name and value: tokens, bytes, cost, the reason of a decision."""
    came_in: str = ""
    """A tool's input, as the cycle log keeps it."""
    came_out: str = ""


@dataclass(frozen=True)
class RunView:
    row: RunRow
    accepted: datetime
    settled: datetime | None
    asked: str
    answered: str
    error: str
    spans: Sequence[RunSpan]
    trail: Sequence[str]
    """The lines of `/why`: the message's way with the reason of each decision."""
    tree: str
    """The cycles as `bellhop cycles show` prints them."""


class ShowsRuns(Protocol):
    async def newest(
        self, who: Looker, *, behind: str = "", person: str = "", failed: bool = False
    ) -> Rows[RunRow]: ...

    async def one(self, who: Looker, name: str) -> RunView | None:
        """By the reference of its turn, or its id. None also for somebody else's."""
        ...


# --- approvals ---


@dataclass(frozen=True)
class ApprovalRow:
    ref: str
    state: str
    person: str
    tool: str
    risk: str
    reason: str
    asked_at: datetime
    expires_at: datetime
    decided_by: str
    mine: bool
    """Whether the person who looks may decide it now."""


@dataclass(frozen=True)
class ApprovalView:
    row: ApprovalRow
    call: str
    """All of the call, every character visible."""
    shown: str
    """Identifies what `call` shows; empty if it can't show all."""
    names: Sequence[str]
    """What its ids stand for, or what each of several calls does."""
    targets: str
    grants: Sequence[str]
    """`session`, `target`: what a yes may cover beyond this call."""
    calls: int
    """How many calls it asks about, where a yes may choose among them; else 0."""
    why_not: str
    """Why the person can't decide it; empty if they can."""


class ShowsApprovals(Protocol):
    async def waiting(self, who: Looker, *, behind: str = "") -> Rows[ApprovalRow]: ...

    async def past(self, who: Looker, *, behind: str = "") -> Rows[ApprovalRow]: ...

    async def one(self, who: Looker, ref: str) -> ApprovalView | None: ...

    async def decide(
        self,
        who: Looker,
        ref: str,
        *,
        approve: bool,
        shown: str,
        grant: str = "",
        lines: Sequence[int] = (),
    ) -> ActionTold: ...


# --- usage ---


class UseBy(StrEnum):
    MODEL = "model"
    PERSON = "person"
    CHANNEL = "channel"
    AGENT = "agent"
    TOOL = "tool"


@dataclass(frozen=True)
class UseRow:
    """Of one day and name; of agents, one call."""

    day: str
    name: str
    calls: int
    tokens: int = 0
    nano_usd: int = 0
    failed: int = 0
    unpriced: int = 0


@dataclass(frozen=True)
class UseView:
    days: Sequence[str]
    """Each day of the span, oldest first."""
    rows: Sequence[UseRow]
    cut: bool = False
    """Whether older calls of the span were left out."""


class ShowsUsage(Protocol):
    async def look(self, who: Looker, by: UseBy, days: int) -> UseView: ...


# --- memory ---


@dataclass(frozen=True)
class MemoryRow:
    ref: str
    """What forgets it; empty where the person can't."""
    tier: str
    kind: str
    text: str
    day: str
    learned: str
    """Where it was learned, in words."""
    seen_by: str
    agent: str = ""
    source: str = ""


class ShowsMemory(Protocol):
    async def look(self, who: Looker, tier: str, *, behind: str = "") -> Rows[MemoryRow]:
        """`tier`: user, agent or shared."""
        ...

    async def forget(self, who: Looker, ref: str) -> ActionTold: ...


# --- people ---


@dataclass(frozen=True)
class ShownPerson:
    id: str
    name: str
    role: str
    source: str
    """File and line, or the setting, that gives the role."""
    accounts: Sequence[str]
    """`discord`, `slack` …: where they are known."""


@dataclass(frozen=True)
class RightRow:
    tool: str
    open: bool
    because: str
    """With the file and line that gives or takes it."""
    rules: Sequence[str]


@dataclass(frozen=True)
class RightsView:
    person: ShownPerson
    place: str
    terms: Sequence[str]
    tools: Sequence[RightRow]


class ShowsPeople(Protocol):
    async def look(self, who: Looker, *, behind: str = "") -> Rows[ShownPerson]:
        """For the operator everybody in contacts.yaml, for others themselves."""
        ...

    async def names(self, who: Looker, people: Collection[str]) -> Mapping[str, str]:
        """How people (ids) are called, as far as the one who looks may know."""
        ...

    async def rights(self, who: Looker, person: str, place: str) -> RightsView | str:
        """A sentence where the place or the person is unknown, or not theirs to see."""
        ...


# --- what runs by itself ---


@dataclass(frozen=True)
class UnattendedRow:
    """A schedule or an automation."""

    ref: str
    kind: str
    """`schedule`, or the event that starts it."""
    name: str
    owner: str
    what: str
    when: str
    next: datetime | None
    paused: bool
    why: str
    ticks: Sequence[TickRow]


class ShowsUnattended(Protocol):
    async def look(self, who: Looker, *, behind: str = "") -> Rows[UnattendedRow]:
        """Schedules, the next due first, then automations."""
        ...

    async def change(self, who: Looker, verb: str, ref: str, once: str) -> ActionTold:
        """`verb`: pause, resume, and for schedules run and cancel, as the commands do it.

        `once` is the same when the same wish comes twice.
        """
        ...


# --- skills ---


@dataclass(frozen=True)
class SkillRow:
    name: str
    description: str
    roles: str
    origin: str
    """`bellhop`, a connector's name, `imported` or a person's id."""


@dataclass(frozen=True)
class StagedRow:
    name: str
    format: str
    source: str
    roles: str
    by: str
    at: str
    blocking: int
    findings: int


@dataclass(frozen=True)
class StagedView:
    row: StagedRow
    findings: Sequence[tuple[str, str]]
    """Severity and words, the gravest first."""
    files: Mapping[str, str]
    """For each file what would change: a unified diff with what is live, else its text."""
    content: str
    """Identifies what is shown: a yes makes exactly this live."""


class ShowsSkills(Protocol):
    async def look(self, who: Looker, *, behind: str = "") -> Rows[SkillRow]: ...

    async def staged(self, who: Looker) -> Sequence[StagedRow]:
        """Imports and made skills that wait for a MasterAdmin; for others none."""
        ...

    async def one_staged(self, who: Looker, name: str) -> StagedView | None: ...

    async def decide(
        self, who: Looker, name: str, *, approve: bool, content: str, accepted: bool
    ) -> ActionTold: ...


# --- one's own part ---


@dataclass(frozen=True)
class TodoRow:
    id: str
    title: str
    day: str
    """When it is due; empty where that is a moment, or never."""
    at: datetime | None
    priority: str
    status: str


@dataclass(frozen=True)
class FileRow:
    path: str
    size: int
    """In characters."""
    at: datetime


@dataclass(frozen=True)
class ServiceRow:
    id: str
    title: str
    what: str
    state: str
    """`connected`, `shared` (the workspace's account) or `possible`."""


class ShowsOwn(Protocol):
    """A person's own things, which nobody else sees, whatever their role."""

    async def todos(self, who: Looker, *, behind: str = "") -> Rows[TodoRow]: ...

    async def files(self, who: Looker, *, behind: str = "") -> Rows[FileRow]: ...

    async def file(self, who: Looker, path: str) -> bytes | None: ...

    async def services(self, who: Looker) -> Sequence[ServiceRow]: ...

    async def disconnect(self, who: Looker, service: str) -> ActionTold: ...

    async def export(self, who: Looker) -> bytes:
        """A zip archive of everything that is kept of them."""
        ...


# --- the log ---


@dataclass(frozen=True)
class LogRow:
    text: str
    level: str


class ShowsLog(Protocol):
    async def search(
        self, who: Looker, words: str, level: str, *, behind: str = ""
    ) -> Rows[LogRow]:
        """The newest lines with all of these words, newest first; for the operator alone."""
        ...


@dataclass(frozen=True)
class HouseViews:
    """Everything that a plug-in can show of the house."""

    lookers: "Lookers"
    now: ShowsNow
    runs: ShowsRuns
    approvals: ShowsApprovals
    usage: ShowsUsage
    memory: ShowsMemory
    people: ShowsPeople
    unattended: ShowsUnattended
    skills: ShowsSkills
    own: ShowsOwn
    log: ShowsLog


class Lookers(Protocol):
    def found_by(self, asked: Asked) -> str:
        """What `who` finds the person of a command by: no secret, and none of their words."""
        ...

    async def who(self, found_by: str, person: str, role: str) -> Looker | Gone:
        """Somebody as they are now, by `found_by`, their id, and their role when they signed in."""
        ...

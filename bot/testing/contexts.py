"""Tool contexts for tests of handlers and file sources, without a running turn."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from bot.domain.access import Person, Role
from bot.domain.finding import SearchResult, SkillTools
from bot.domain.messages import (
    Conversation,
    Delivered,
    Delivery,
    OutgoingFile,
    Place,
    Visibility,
)
from bot.domain.origins import BELLHOP, Origin, Trust
from bot.domain.places import Location, Reach
from bot.domain.runs import RunKind
from bot.domain.tool_context import ListedTool, NativeTool, ToolContext
from bot.domain.tools import ToolCall, ToolDefinition
from bot.testing.fake_clock import FakeClock


@dataclass(frozen=True)
class NoTools:
    """A `ToolsetView` of an agent that has no tools."""

    def search(self, pattern: str | None, query: str | None) -> SearchResult:
        return SearchResult(())

    def brought_by(self, skill_id: str) -> SkillTools | None:
        return None

    def describe(self, names: tuple[str, ...]) -> tuple[ToolDefinition, ...]:
        return ()

    def is_callable(self, name: str) -> bool:
        return False

    def listing(self) -> tuple[ListedTool, ...]:
        return ()

    def handler(self, name: str) -> NativeTool[Any] | None:
        return None


@dataclass
class Sent:
    """A `Send` that records (text, key, to)."""

    messages: list[tuple[str, str, str | None]] = field(
        default_factory=list[tuple[str, str, str | None]]
    )

    async def __call__(
        self,
        text: str,
        *,
        key: str,
        trust: Trust,
        to: str | None = None,
        files: tuple[OutgoingFile, ...] = (),
    ) -> Delivery:
        self.messages.append((text, key, to))
        return Delivered()


def make_person(person_id: str = "ann", role: Role = Role.FRIEND) -> Person:
    return Person(person_id, person_id.title(), role, known=True)


def a_place(reach: Reach, name: str = "room-1", *, workspace: str = "local") -> Conversation:
    """Return a conversation with this visibility."""
    if reach is Reach.DM:
        return Conversation("terminal", workspace, name, Place.DM)
    return Conversation(
        "terminal", workspace, name, Place.CHANNEL, visibility=Visibility(reach.value)
    )


def make_context(
    person: Person | None = None,
    *,
    agent: str = "assistant",
    private: bool = True,
    origin: Origin = BELLHOP,
    workspace: str = "local",
    now: datetime | None = None,
    at: Conversation | None = None,
) -> ToolContext:
    """Make a call in a chat run of `person` (Ann by default) `at` a DM or public channel."""
    where = at or a_place(Reach.DM if private else Reach.PUBLIC, workspace=workspace)
    homes = {f"{where.platform}:{where.workspace}"} if where.place is Place.DM else set[str]()
    return ToolContext(
        person=person or make_person(),
        agent=agent,
        run=RunKind(),
        session_id="session-1",
        conversation=where,
        location=replace(Location.of(where), homes=frozenset(homes)),
        private=where.place is Place.DM,
        cycle_id="cycle-1",
        call=ToolCall("call-1", "tool", {}, "tool:1.0"),
        tools=NoTools(),
        now=now or FakeClock().now(),
        timezone="UTC",
        send=Sent(),
        progress=_quiet,
        origin=origin,
    )


def _quiet(line: str) -> None:
    """Ignore status lines."""

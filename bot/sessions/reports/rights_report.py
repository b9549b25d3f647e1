"""A person's rights in a place with file and line of each: `/rights`, `bellhop rights`."""

import asyncio
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import assert_never

from bot.agents.definitions.registry import AgentRegistry
from bot.agents.delegation.specialists import ComposeToolset
from bot.domain.access import Person
from bot.domain.agents import AgentDefinition
from bot.domain.places import UNSURE, Location, NameKind, PlaceName, Reach
from bot.domain.platforms import KnownPlatforms
from bot.domain.runs import RunKind
from bot.domain.tool_context import ToolScope
from bot.domain.tools import ToolDefinition
from bot.errors import SettingsError
from bot.sessions.people.contacts import Contacts
from bot.sessions.records.channel_store import Channels
from bot.tools.catalog.catalog import ToolCatalog
from bot.tools.policy.rights import PlaceStanding, Rights
from bot.tools.policy.verdicts import Strictness
from bot.tools.toolset.toolset import Toolset
from bot.tools.toolset.view import ToolStanding

_ACCESS = re.compile(
    r"\s*(?:#+\s*(?:access|allowed[ _-]?roles)\b|[*_]*allowed[ _-]?roles[*_]*\s*:)", re.IGNORECASE
)
_OPEN = frozenset({ToolStanding.CALLABLE, ToolStanding.LOCKED})


@dataclass(frozen=True)
class ToolRight:
    """One tool: whether the person has it there, and the reason."""

    tool: str
    open: bool
    because: str
    standing: ToolStanding
    rules: tuple[str, ...] = ()
    """Rules that ask about some of its calls, or deny them by their arguments."""

    def line(self) -> str:
        more = f"; {'; '.join(self.rules)}" if self.rules else ""
        return f"- {self.tool}: {'yes' if self.open else 'no'}, {self.because}{more}"


@dataclass(frozen=True)
class RightsReport:
    """The rights of one person in one place."""

    person: Person
    role_source: str
    place: str
    terms: tuple[str, ...]
    tools: tuple[ToolRight, ...]

    def text(self) -> str:
        """As markdown."""
        head = f"{self.person.name} (`{self.person.id}`) is {self.person.role}: {self.role_source}."
        lines = [head, f"In {self.place}:", *(f"- {term}" for term in self.terms), "Tools:"]
        return "\n".join([*lines, *(right.line() for right in self.tools)])


async def place_named(channels: Channels, text: str, platforms: KnownPlatforms) -> Location:
    """The location that an operator means by a channel's id or key, or by a name as rules write it.

    Raises SettingsError when it names no place. An unknown fact about a channel counts as every
    possibility.
    """
    given = text.strip()
    known = await channels.of_key(given) if given.count(":") > 1 else None
    if known is not None:
        return known
    try:
        name = PlaceName.parse(
            given if ":" in given or not re.search(r"\d", given) else f"channel:{given}"
        )
    except ValueError as error:
        raise SettingsError(f"--in: {error}") from error
    match name.kind:
        case NameKind.PLATFORM:
            reaches = frozenset({Reach.DM}) if name.value == "terminal" else UNSURE
            return Location(name.value, reaches=reaches)
        case NameKind.REACH:
            return Location("", reaches=frozenset({Reach(name.value)}))
        case NameKind.WORKSPACE:
            return Location("", workspace=name.value, reaches=UNSURE)
        case NameKind.CATEGORY:
            there = next((one.name for one in platforms if one.has_categories), "")
            return Location(there, category=name.value, reaches=UNSURE)
        case NameKind.CHANNEL:
            return await channels.named(name.value) or Location(
                "", channel=name.value, reaches=UNSURE
            )
        case _:
            assert_never(name.kind)


def describe_place(location: Location) -> str:
    """A location in words for people."""
    if Reach.DM in location.reaches:
        return f"a direct conversation ({location.platform or 'any platform'})"
    reach = " or ".join(sorted(location.reaches))
    parts = [f"channel {location.channel}" if location.channel else "channels", f"({reach})"]
    parts += [f"of category {location.category}"] if location.category else []
    parts += [f"of workspace {location.workspace}"] if location.workspace else []
    return " ".join([*parts, *([f"on {location.platform}"] if location.platform else [])])


@dataclass(frozen=True)
class RightsReports:
    """Says what a person may do somewhere, and which file and line gives or takes it."""

    rights: Rights
    agents: AgentRegistry
    catalog: ToolCatalog
    contacts: Contacts
    compose: ComposeToolset
    integrations: Callable[[ToolScope], frozenset[str]]
    default_agent: str

    async def of(
        self, person: Person, location: Location, tool: str | None = None, *, operator: bool
    ) -> RightsReport:
        """The person's rights there. Only an `operator` reads about tools that the role lacks."""
        there = self.rights.at(location)
        agent = self.agents.get(there.agent or self.default_agent)
        if agent is None:
            raise SettingsError(f"there is no agent {there.agent or self.default_agent!r}")
        scope = self._scope(person, agent, location)
        toolset = self.compose(agent, scope)
        names = [tool] if tool is not None else self._names(toolset)
        found = await asyncio.to_thread(
            lambda: [self._right(toolset, scope, name, operator=operator) for name in names]
        )
        shown = [
            right
            for right in found
            if operator or right.standing not in {ToolStanding.ROLE, ToolStanding.FOLDER}
        ]
        if tool is not None and not shown:
            shown = [
                ToolRight(
                    tool,
                    open=False,
                    because="there is no such tool here",
                    standing=ToolStanding.UNKNOWN,
                )
            ]
        terms = (*_terms(there, agent), *self._role_rules(scope))
        return RightsReport(
            person,
            self.contacts.role_source(person),
            describe_place(location),
            terms,
            tuple(shown),
        )

    def _scope(self, person: Person, agent: AgentDefinition, location: Location) -> ToolScope:
        scope = ToolScope(
            person,
            agent.name,
            RunKind(),
            folders=agent.folders,
            specialists=agent.specialists,
            tools=agent.tools,
            agent_email=agent.email,
            since=datetime.min.replace(tzinfo=UTC),
            location=location,
        )
        return replace(scope, integrations=self.integrations(scope))

    def _names(self, toolset: Toolset) -> list[str]:
        every = {loaded.definition.name for loaded in self.catalog.snapshot.tools}
        return sorted(every | {listed.name for listed in toolset.listing()})

    def _right(self, toolset: Toolset, scope: ToolScope, name: str, *, operator: bool) -> ToolRight:
        standing = toolset.standing(name)
        definition = toolset.find(name) or next(iter(self.catalog.anywhere(name)), None)
        because = _because(toolset, standing, name, definition, scope, operator=operator)
        open_, rules = standing in _OPEN, tuple[str, ...]()
        if open_ and definition is not None:
            rules = (*definition.trusted, *self._rules(scope, definition))
        return ToolRight(name, open_, because, standing, rules)

    def _rules(self, scope: ToolScope, definition: ToolDefinition) -> Iterator[str]:
        for rule in self.rights.rules:
            allows = rule.decision is Strictness.ALLOW
            if not rule.scope.covers(definition, scope, surely=allows):
                continue
            some = " for some arguments" if rule.arguments else ""
            match rule.decision:
                case Strictness.ALLOW:
                    yield f"not asked about{some}: {rule.name} ({rule.source})"
                case Strictness.ASK:
                    yield f"asked about{some}: {rule.name} ({rule.source})"
                case Strictness.DENY:
                    yield f"denied{some}: {rule.name} ({rule.source})"
                case _:
                    assert_never(rule.decision)

    def _role_rules(self, scope: ToolScope) -> Iterator[str]:
        """Rules that close every tool of this role, agent or place."""
        for rule in self.rights.rules:
            closes = (
                rule.decision is Strictness.DENY and not rule.scope.tools and not rule.arguments
            )
            if closes and rule.scope.holds_in(scope):
                yield f"every tool is closed: policy:{rule.name} ({rule.source})"


def _because(
    toolset: Toolset,
    standing: ToolStanding,
    name: str,
    definition: ToolDefinition | None,
    scope: ToolScope,
    *,
    operator: bool,
) -> str:
    match standing:
        case ToolStanding.CALLABLE | ToolStanding.LOCKED | ToolStanding.ROLE:
            access = definition.access.describe() if definition is not None else "nobody"
            return f"open to {access}{_access_source(definition, operator=operator)}"
        case ToolStanding.POLICY:
            closed = toolset.closed_by(name)
            return (
                f"closed by {closed.rule} ({closed.source})"
                if closed is not None
                else "closed by a rule"
            )
        case ToolStanding.UNKNOWN:
            return "there is no such tool"
        case ToolStanding.FOLDER:
            return (
                "another agent's tool (folder "
                f"{definition.folder if definition is not None else '?'})"
            )
        case ToolStanding.RUN:
            return "doesn't exist in conversations"
        case ToolStanding.INTEGRATION:
            missing = (
                sorted(set(definition.requires) - scope.integrations)
                if definition is not None
                else []
            )
            return (
                f"requires {', '.join(missing) or 'a connector'}, which is not available to this "
                "person"
            )
        case ToolStanding.UNSERVED:
            return f"can't run: {toolset.hindrance(name) or 'nothing in this installation runs it'}"
        case _:
            assert_never(standing)


def _access_source(definition: ToolDefinition | None, *, operator: bool) -> str:
    if definition is None or definition.source is None:
        return ""
    source = Path(definition.source)
    line = _access_line(source)
    # Only the operator may learn where this machine keeps its files.
    shown = str(source) if operator else "/".join(source.parts[-4:])
    return f" ({shown}{f', line {line}' if line else ''})"


def _access_line(path: Path) -> int:
    """The line of the roles in a tool file; 0 when it names none."""
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return 0
    return next((number for number, line in enumerate(lines, 1) if _ACCESS.match(line)), 0)


def _terms(there: PlaceStanding, agent: AgentDefinition) -> Sequence[str]:
    def source(name: str) -> str:
        if name == "reply" and there.chosen is not None:
            return " (/mode)"
        rule = there.source(name)
        return f" ({rule.source})" if rule is not None else " (default)"

    lines = [
        f"agent: {agent.name}{source('agent')}",
        f"reply: {there.reply or 'mention'}{source('reply')}",
        f"guests: {there.guests}{source('guests')}",
    ]
    for rule in there.rules:
        if not rule.terms.learn:
            lines.append(f"nothing is learned there ({rule.source})")
        lines += [
            f"budget: {limit.name} {limit.quantum:,} ({rule.source})" for limit in rule.limits()
        ]
    return lines

"""A person's rights in a place with file and line of each: `/rights`, `bellhop rights`."""

import asyncio
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import assert_never

from bot.agents.definitions.registry import AgentRegistry
from bot.agents.delegation.specialists import ComposeToolset
from bot.domain.access import Person
from bot.domain.agents import AgentDefinition
from bot.domain.languages import Language, Phrase, number
from bot.domain.places import UNSURE, Location, NameKind, PlaceName, Reach
from bot.domain.platforms import KnownPlatforms
from bot.domain.runs import RunKind
from bot.domain.tool_context import ToolScope
from bot.domain.tools import ToolDefinition
from bot.errors import SettingsError, raised_as
from bot.sessions.people.contacts import Contacts
from bot.sessions.records.channel_store import Channels
from bot.sessions.wording import phrases as said
from bot.tools.catalog.catalog import ToolCatalog
from bot.tools.policy.rights import PlaceStanding, Rights
from bot.tools.policy.verdicts import Strictness
from bot.tools.toolset.toolset import Toolset
from bot.tools.toolset.view import ToolStanding

REACHES: Mapping[Reach, Phrase] = {
    Reach.DM: Phrase("dm"),
    Reach.PRIVATE: Phrase("private"),
    Reach.PUBLIC: Phrase("public"),
}
OR = Phrase(" or ")
DECISIONS: Mapping[Strictness, Phrase] = {
    Strictness.ALLOW: Phrase("not asked about{some}: {rule} ({source})"),
    Strictness.ASK: Phrase("asked about{some}: {rule} ({source})"),
    Strictness.DENY: Phrase("denied{some}: {rule} ({source})"),
}

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

    def line(self, language: Language) -> str:
        has = (Phrase("yes") if self.open else Phrase("no")).said(language)
        line = Phrase("- {tool}: {has}, {because}").said(
            language, tool=self.tool, has=has, because=self.because
        )
        return "; ".join((line, *self.rules))


@dataclass(frozen=True)
class RightsReport:
    """The rights of one person in one place, in words of one language."""

    person: Person
    role_source: str
    place: str
    terms: tuple[str, ...]
    tools: tuple[ToolRight, ...]
    language: Language = Language.EN

    def text(self) -> str:
        """As markdown."""
        person, language = self.person, self.language
        head = Phrase("{name} (`{id}`) is {role}: {source}.").said(
            language, name=person.name, id=person.id, role=person.role, source=self.role_source
        )
        place = Phrase("In {place}:").said(language, place=self.place)
        terms = (f"- {term}" for term in self.terms)
        lines = [head, place, *terms, Phrase("Tools:").said(language)]
        return "\n".join([*lines, *(right.line(language) for right in self.tools)])


async def place_named(channels: Channels, text: str, platforms: KnownPlatforms) -> Location:
    """The location that an operator means by a channel's id or key, or by a name as rules write it.

    Raises SettingsError when it names no place. An unknown fact about a channel counts as every
    possibility.
    """
    given = text.strip()
    known = await channels.of_key(given) if given.count(":") > 1 else None
    if known is not None:
        return known
    with raised_as(SettingsError, ValueError, about="--in"):
        name = PlaceName.parse(
            given if ":" in given or not re.search(r"\d", given) else f"channel:{given}"
        )
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


def describe_place(location: Location, language: Language) -> str:
    """A location in words for people."""
    platform = location.platform
    if Reach.DM in location.reaches:
        shown = platform or Phrase("any platform").said(language)
        return Phrase("a direct conversation ({platform})").said(language, platform=shown)
    reaches = (REACHES[one].said(language) for one in sorted(location.reaches))
    channel, category, workspace = location.channel, location.category, location.workspace
    parts = (
        (Phrase("channel {id}") if channel else Phrase("channels")).said(language, id=channel),
        f"({OR.said(language).join(reaches)})",
        Phrase("of category {id}").said(language, id=category) if category else "",
        Phrase("of workspace {id}").said(language, id=workspace) if workspace else "",
        Phrase("on {platform}").said(language, platform=platform) if platform else "",
    )
    return " ".join(part for part in parts if part)


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
        self,
        person: Person,
        location: Location,
        tool: str | None = None,
        *,
        operator: bool,
        language: Language = Language.EN,
    ) -> RightsReport:
        """The person's rights there. Only an `operator` reads about tools that the role lacks."""
        there = self.rights.at(location)
        agent = self.agents.get(there.agent or self.default_agent)
        if agent is None:
            raise SettingsError(f"there is no agent {there.agent or self.default_agent!r}")
        scope = self._scope(person, agent, location)
        toolset = self.compose(agent, scope)
        names = [tool] if tool is not None else self._names(toolset)
        telling = _Telling(toolset, scope, operator, language)
        found = await asyncio.to_thread(lambda: [self._right(telling, name) for name in names])
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
                    because=Phrase("there is no such tool here").said(language),
                    standing=ToolStanding.UNKNOWN,
                )
            ]
        terms = (*_terms(there, agent, language), *self._role_rules(scope, language))
        return RightsReport(
            person,
            self.contacts.role_source(person, language),
            describe_place(location, language),
            terms,
            tuple(shown),
            language,
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
        return sorted(every | toolset.names)

    def _right(self, telling: "_Telling", name: str) -> ToolRight:
        toolset = telling.toolset
        standing = toolset.standing(name)
        definition = toolset.find(name) or next(iter(self.catalog.anywhere(name)), None)
        because = telling.because(standing, name, definition)
        open_, rules = standing in _OPEN, tuple[str, ...]()
        if open_ and definition is not None:
            rules = (*definition.trusted, *self._rules(telling, definition))
        return ToolRight(name, open_, because, standing, rules)

    def _rules(self, telling: "_Telling", definition: ToolDefinition) -> Iterator[str]:
        language = telling.language
        for rule in self.rights.rules:
            allows = rule.decision is Strictness.ALLOW
            if rule.scope.covers(definition, telling.scope, surely=allows):
                yield DECISIONS[rule.decision].said(
                    language,
                    some=Phrase(" for some arguments").said(language) if rule.arguments else "",
                    rule=rule.name,
                    source=said.at_line(rule.source, language),
                )

    def _role_rules(self, scope: ToolScope, language: Language) -> Iterator[str]:
        """Rules that close every tool of this role, agent or place."""
        for rule in self.rights.rules:
            closes = (
                rule.decision is Strictness.DENY and not rule.scope.tools and not rule.arguments
            )
            if closes and rule.scope.holds_in(scope):
                source = said.at_line(rule.source, language)
                yield Phrase("every tool is closed: policy:{rule} ({source})").said(
                    language, rule=rule.name, source=source
                )


@dataclass(frozen=True)
class _Telling:
    """To whom a report tells of which toolset, and in which language."""

    toolset: Toolset
    scope: ToolScope
    operator: bool
    language: Language

    def because(self, standing: ToolStanding, name: str, definition: ToolDefinition | None) -> str:
        """Why a tool is there or not."""
        match standing:
            case ToolStanding.CALLABLE | ToolStanding.LOCKED | ToolStanding.ROLE:
                roles, source = self._roles(definition), self._access_source(definition)
                return Phrase("open to {roles}{source}").said(
                    self.language, roles=roles, source=source
                )
            case ToolStanding.POLICY:
                return self._closed(name)
            case ToolStanding.UNKNOWN:
                return Phrase("there is no such tool").said(self.language)
            case ToolStanding.FOLDER:
                folder = definition.folder if definition is not None else "?"
                return Phrase("another agent's tool (folder {folder})").said(
                    self.language, folder=folder
                )
            case ToolStanding.RUN:
                return Phrase("doesn't exist in conversations").said(self.language)
            case ToolStanding.INTEGRATION:
                needed = set(definition.requires) if definition is not None else set[str]()
                missing = ", ".join(sorted(needed - self.scope.integrations))
                what = missing or Phrase("a connector").said(self.language)
                return Phrase("requires {what}, which is not available to this person").said(
                    self.language, what=what
                )
            case ToolStanding.UNSERVED:
                why = self.toolset.hindrance(name) or Phrase(
                    "nothing in this installation runs it"
                ).said(self.language)
                return Phrase("can't run: {why}").said(self.language, why=why)
            case _:
                assert_never(standing)

    def _roles(self, definition: ToolDefinition | None) -> str:
        if definition is None:
            return Phrase("nobody").said(self.language)
        everyone = definition.access.roles is None
        return Phrase("everyone").said(self.language) if everyone else definition.access.describe()

    def _closed(self, name: str) -> str:
        closed = self.toolset.closed_by(name)
        if closed is None:
            return Phrase("closed by a rule").said(self.language)
        source = said.at_line(closed.source, self.language)
        return Phrase("closed by {rule} ({source})").said(
            self.language, rule=closed.rule, source=source
        )

    def _access_source(self, definition: ToolDefinition | None) -> str:
        if definition is None or definition.source is None:
            return ""
        source = Path(definition.source)
        line = _access_line(source)
        # Only the operator may learn where this machine keeps its files.
        shown = str(source) if self.operator else "/".join(source.parts[-4:])
        where = said.at_line(f"{shown}, line {line}", self.language) if line else shown
        return f" ({where})"


def _access_line(path: Path) -> int:
    """The line of the roles in a tool file; 0 when it names none."""
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return 0
    return next((number for number, line in enumerate(lines, 1) if _ACCESS.match(line)), 0)


def _terms(there: PlaceStanding, agent: AgentDefinition, language: Language) -> Sequence[str]:
    def with_source(name: str, value: object) -> str:
        if name == "reply" and there.chosen is not None:
            return f"{value} (/mode)"
        rule = there.source(name)
        default = Phrase("default").said(language)
        return f"{value} ({default if rule is None else said.at_line(rule.source, language)})"

    lines = [
        Phrase("agent: {value}").said(language, value=with_source("agent", agent.name)),
        Phrase("reply: {value}").said(
            language, value=with_source("reply", there.reply or "mention")
        ),
        Phrase("guests: {value}").said(language, value=with_source("guests", there.guests)),
    ]
    for rule in there.rules:
        source = said.at_line(rule.source, language)
        if not rule.terms.learn:
            lines.append(
                Phrase("nothing is learned there ({source})").said(language, source=source)
            )
        lines += [
            Phrase("budget: {name} {amount} ({source})").said(
                language, name=limit.name, amount=number(limit.quantum, language), source=source
            )
            for limit in rule.limits()
        ]
    return lines

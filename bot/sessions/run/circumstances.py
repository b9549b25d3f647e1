"""The circumstances of a turn: who asks, where, with which agent, and what that run may use."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import assert_never

from bot.agents.definitions.registry import AgentRegistry
from bot.agents.delegation.specialists import ComposeToolset
from bot.agents.loop.run import LIMITS
from bot.connections.access import Connections
from bot.domain.access import Person
from bot.domain.agents import AgentDefinition
from bot.domain.confinement import Confinement
from bot.domain.messages import IncomingMessage, Place
from bot.domain.places import Location
from bot.domain.runs import RunKind, RunShape
from bot.domain.tool_context import ToolScope
from bot.domain.work import (
    CompactionWork,
    ControlWork,
    DecisionWork,
    DelegationWork,
    InterviewWork,
    MessageWork,
    ReminderWork,
    ScheduleWork,
    SkillWork,
    StrangerWork,
    TodoWork,
    TriggerWork,
    Work,
)
from bot.errors import TurnError
from bot.sessions.people.people import People
from bot.sessions.records.channel_store import Channels
from bot.tools.budget.budgets import Payer
from bot.tools.native.connector import Connector
from bot.tools.native.registry import ALWAYS
from bot.tools.policy.rights import PlaceStanding, Rights
from bot.tools.toolset.toolset import Toolset


@dataclass(frozen=True)
class Circumstances:
    """Resolved once, when a turn begins to work, and handed on: so all of its parts agree.

    They belong to one turn. Nothing of them is kept for the next one, which resolves its own.
    """

    work: Work
    message: IncomingMessage
    agent: AgentDefinition
    scope: ToolScope
    """The person with their current role, the place, the kind of run, and connected services."""
    zone: str
    """The person's time zone."""
    formatting: str
    """What the person's platform can show."""
    payer: Payer
    limits: tuple[Confinement, ...]
    """Those that the work brought along."""
    toolset: Callable[[], Toolset]
    """The toolset of `scope`, composed at the first call."""


@dataclass(frozen=True)
class Integrations:
    """Connectors and services that a person's runs can use."""

    connectors: Sequence[Connector]
    connections: Connections
    agent: str
    """Whom people talk with."""

    def usable(self, scope: ToolScope) -> frozenset[str]:
        """Names for `## Requires`: this person's available connectors and usable services."""
        found = [
            one.id for one in self.connectors if (needs := one.needs) is ALWAYS or needs.met(scope)
        ]
        return self.connections.usable(scope.person).union(found)

    def of(self, person: Person) -> frozenset[str]:
        """Those of a person who talks with the assistant."""
        return self.usable(ToolScope(person, self.agent))


@dataclass(frozen=True)
class TurnResolver:
    """Resolves people, places, agents and rights as they are now."""

    people: People
    channels: Channels
    agents: AgentRegistry
    rights: Rights
    integrations: Integrations
    compose: ComposeToolset
    default_agent: str

    async def resolve(self, work: Work, message: IncomingMessage, person: Person) -> Circumstances:
        """`person` is the sender of `message` as contacts.yaml describes them now."""
        location = await self.locate(message, person)
        rules = self.rights.at(location)
        agent = self.agent_of(rules)
        kind, limits = run_kind(work), limits_of(work)
        scope = self.scope(person, agent, message, location, kind)
        return Circumstances(
            work=work,
            message=message,
            agent=agent,
            scope=scope,
            zone=person.timezone or self.people.timezone,
            formatting=self.people.contacts.platforms[message.conversation.platform].formatting,
            payer=Payer.of(person, message.conversation, rules.limits),
            limits=limits,
            toolset=cache(partial(self.compose, agent, scope)),
        )

    async def locate(self, message: IncomingMessage, person: Person) -> Location:
        """Where a message was written, and whether its person alone reads the answer."""
        location = await self.channels.locate_for(person.id, message.conversation)
        return location.read_by(person.id if message.aside else "")

    def agent_of(self, rules: PlaceStanding) -> AgentDefinition:
        """The agent that answers in a place with these rules.

        Raises TurnError for an unknown agent: another one might have more rights.
        """
        name = rules.agent or self.default_agent
        agent = self.agents.get(name)
        if agent is None:
            rule = rules.source("agent")
            raise TurnError(
                f"{rule.source if rule else 'agents.default'}: there is no agent {name!r}"
            )
        return agent

    def scope(
        self,
        person: Person,
        agent: AgentDefinition,
        message: IncomingMessage,
        location: Location,
        kind: RunKind = RunKind(),
    ) -> ToolScope:
        """The permissions of a run for a person, with an agent, in a place."""
        scope = ToolScope(
            person=person,
            agent=agent.name,
            run=kind,
            folders=agent.folders,
            specialists=agent.specialists,
            tools=agent.tools,
            private=message.private,
            agent_email=agent.email,
            location=location,
            in_thread=message.conversation.place is Place.THREAD,
        )
        return replace(scope, integrations=self.integrations.usable(scope))

    async def may_use(self, tool: str, person: Person, message: IncomingMessage) -> bool:
        """Whether this person, asking there now, would have the tool."""
        location = await self.channels.locate(message.conversation)
        agent = self.agent_of(self.rights.at(location))
        toolset = self.compose(agent, self.scope(person, agent, message, location))
        return toolset.find(tool) is not None


def limits_of(work: Work) -> tuple[Confinement, ...]:
    """The limits that work brought along, such as those of the run that asked for it."""
    return tuple(Confinement.from_json(one) for one in work.envelope.get(LIMITS, ()))


def run_kind(work: Work) -> RunKind:
    """The shape of the run that a turn asks for."""
    match work:
        case ScheduleWork():
            return RunKind(RunShape.SCHEDULED)
        case TodoWork():
            return RunKind(RunShape.TODO)
        case TriggerWork():
            return RunKind(RunShape.TRIGGERED, work.event)
        case (
            MessageWork()
            | SkillWork()
            | DecisionWork()
            | StrangerWork()
            | ControlWork()
            | CompactionWork()
            | InterviewWork()
            | ReminderWork()
            | DelegationWork()
        ):
            return RunKind()
        case _:
            assert_never(work)

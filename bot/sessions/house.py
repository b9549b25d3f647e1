"""The parts from the floors below that a turn needs, built once by build_app."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from bot.agents.crew import Crew
from bot.agents.cycle_log.log import CycleLog
from bot.agents.definitions.registry import AgentRegistry
from bot.automations.settings import AutomationSettings
from bot.automations.watching import Watching
from bot.connections.access import Connections
from bot.domain.access import Person
from bot.domain.chat import ChatAdapter
from bot.domain.clock import Clock
from bot.domain.database import Database
from bot.domain.messages import IncomingMessage, PlatformPerson
from bot.domain.models import Model
from bot.domain.tool_context import ToolScope
from bot.domain.turns import TurnEngine
from bot.files.store import FileRows
from bot.memory.editing import TierEditor
from bot.memory.facts_store import FactsStore
from bot.sessions.inbox.platforms import Platforms
from bot.sessions.opening.attachments import Attachments
from bot.sessions.opening.opening import ContextLimits
from bot.sessions.opening.recall import OpeningRecall
from bot.sessions.outbox.cards import Cards
from bot.sessions.outbox.outbox import Outbox
from bot.sessions.people.contacts import Contacts
from bot.sessions.people.pairing import Pairing
from bot.sessions.records.channel_store import Channels
from bot.sessions.records.session_store import Sessions
from bot.sessions.records.transcript_store import Transcripts
from bot.skills.custom import CustomSkills
from bot.skills.library import SkillLibrary
from bot.skills.manifests import SkillManifests
from bot.storage.shared_changes import SharedChanges
from bot.tools.budget.usage import Meter
from bot.tools.catalog.catalog import ToolCatalog
from bot.tools.native.connector import Connector
from bot.tools.permission.approvals import ApprovalStore
from bot.tools.permission.grants import GrantStore
from bot.tools.policy.rights import Rights
from bot.turns.schedules.settings import ScheduleSettings
from bot.workshop.importing.desk import ImportDesk


@dataclass(frozen=True)
class SessionRules:
    """The settings of sessions and of the work in them."""

    context: ContextLimits
    forget_unlocked: bool
    """Whether unlocked tools are locked again at the end of a run (`tools.unlock_scope: run`)."""
    default_agent: str
    timezone: str
    compact_percent: int
    """How full the model's window may get before a session continues from a summary."""
    turn_s: float = 900.0
    """How long one request may take, in seconds."""
    notify: str = "needed"
    """`approvals.notify`."""
    schedules: ScheduleSettings = field(default_factory=ScheduleSettings)
    automations: AutomationSettings = field(default_factory=AutomationSettings)


@dataclass(frozen=True)
class House:
    """The parts that this floor shares; none of them changes while the program runs."""

    database: Database
    clock: Clock
    engine: TurnEngine
    model: Model
    crew: Crew
    agents: AgentRegistry
    sessions: Sessions
    transcripts: Transcripts
    outbox: Outbox
    cards: Cards
    attachments: Attachments
    approvals: ApprovalStore
    grants: GrantStore
    pairing: Pairing
    meter: Meter
    catalog: ToolCatalog
    facts: FactsStore
    memory: TierEditor
    files: FileRows
    cycle_log: CycleLog
    imports: ImportDesk
    contacts: Callable[[], Contacts]
    connectors: Sequence[Connector]
    connections: Connections
    adapters: Mapping[str, ChatAdapter]
    platforms: Platforms
    manifests: SkillManifests
    skills: SkillLibrary
    custom_skills: CustomSkills
    channels: Channels
    rights: Rights
    watching: Watching
    """Stores events for the automations that they start."""
    changes: SharedChanges
    rules: SessionRules
    recall: OpeningRecall | None = None
    """None if sessions open without memories (`memory.recall`)."""

    def rescheduled(self) -> None:
        """Called after a due time changes."""
        self.engine.rescheduled()
        self.cards.look_at_reminders()

    def person(self, message: IncomingMessage) -> Person:
        """The sender as contacts.yaml describes them now."""
        return self.contacts().sender_of(message)

    def author(self, message: IncomingMessage) -> Callable[[PlatformPerson], Person]:
        """The other author of a text that a message refers to, in the same workspace."""
        conversation = message.conversation
        return lambda who: self.contacts().resolve(
            conversation.platform, conversation.workspace, who
        )

    def zone(self, person: Person) -> str:
        return person.timezone or self.rules.timezone

    def connected(self, person: Person) -> frozenset[str]:
        """Connectors that are available to a person who talks with the assistant."""
        return self.integrations(ToolScope(person, self.rules.default_agent))

    def integrations(self, scope: ToolScope) -> frozenset[str]:
        """Names for `## Requires`: this person's available connectors and usable services."""
        connectors = frozenset(
            connector.id for connector in self.connectors if connector.needs.met(scope)
        )
        return connectors | self.connections.usable(scope.person)

"""Builds the parts that the sessions share."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from bot.agents.crew import Crew
from bot.agents.settings import AgentSettings
from bot.assembly.accounts import Accounts
from bot.assembly.automations import build_watching
from bot.assembly.chats import Chats
from bot.assembly.ground import Ground
from bot.assembly.imports import build_import_desk
from bot.assembly.own_tools import build_sharing
from bot.assembly.tools import Tooling
from bot.assembly.written import WrittenHome
from bot.automations.settings import AutomationSettings
from bot.automations.watching import Watching
from bot.files.store import FileRows
from bot.memory.editing import TierEditor
from bot.memory.facts_store import FactsStore
from bot.memory.settings import MemorySettings
from bot.sessions.learning.consent import Learning
from bot.sessions.learning.sharing import Sharing
from bot.sessions.people.pairing import Pairing
from bot.sessions.people.people import People
from bot.sessions.people.readers import OpenPlaces
from bot.sessions.records.channel_store import Channels
from bot.sessions.records.session_store import Sessions
from bot.sessions.records.transcript_store import Transcripts
from bot.sessions.run.circumstances import Integrations, TurnResolver
from bot.sessions.run.setup import SessionRecords
from bot.sessions.settings import SessionSettings
from bot.tools.native.connector import Connector
from bot.tools.settings import ApprovalSettings, ToolSettings
from bot.turns.schedules.settings import ScheduleSettings
from bot.turns.settings import TurnSettings
from bot.workshop.importing.desk import ImportDesk


@dataclass(frozen=True)
class SessionRules:
    """The settings of sessions and of the work in them."""

    forget_unlocked: bool
    """Whether unlocked tools are locked again at the end of a run (`tools.unlock_scope: run`)."""
    default_agent: str
    turn_s: float
    """How long one request may take, in seconds."""
    notify: str
    """`approvals.notify`."""
    schedules: ScheduleSettings
    automations: AutomationSettings


@dataclass(frozen=True)
class House:
    """The rooms below the sessions, and what the sessions keep; only build functions get it."""

    ground: Ground
    written: WrittenHome
    tooling: Tooling
    accounts: Accounts
    crew: Crew
    chats: Chats
    connectors: Sequence[Connector]
    rules: SessionRules
    people: People
    channels: Channels
    open_places: OpenPlaces
    records: SessionRecords
    files: FileRows
    memory: TierEditor
    sharing: Sharing
    pairing: Pairing
    learning: Learning
    """Whether anything may be learned from a text."""
    imports: ImportDesk
    watching: Watching
    """Stores events for the automations that they start."""
    resolver: TurnResolver

    def rescheduled(self) -> None:
        """Called after a due time changes."""
        self.ground.engine.rescheduled()
        self.chats.cards.look_at_reminders()


def build_house(  # noqa: PLR0913, PLR0917 - the rooms below
    ground: Ground,
    written: WrittenHome,
    tooling: Tooling,
    accounts: Accounts,
    crew: Crew,
    chats: Chats,
    connectors: Sequence[Connector],
    agent: str | None,
) -> House:
    """`agent` is who people talk with, in place of the settings' default."""
    settings, database, clock = ground.settings, ground.database, ground.clock
    of_sessions = settings.get(SessionSettings)
    rules = SessionRules(
        forget_unlocked=settings.get(ToolSettings).unlock_scope == "run",
        default_agent=agent or settings.get(AgentSettings).default,
        turn_s=settings.get(TurnSettings).minutes * 60,
        notify=settings.get(ApprovalSettings).notify,
        schedules=settings.get(ScheduleSettings),
        automations=settings.get(AutomationSettings),
    )
    sessions = Sessions(
        database,
        clock,
        crew.prompts,
        timedelta(minutes=of_sessions.idle_minutes),
        ground.model.capabilities.dialect,
        approval_open=tooling.approvals.open_in_session,
    )
    people = People(written.contacts, chats.by_platform, settings.timezone)
    open_places = OpenPlaces(Channels(database), people.readers, clock)
    channels = Channels(database, open_places.withdrawn)
    imports = build_import_desk(
        settings.home,
        tooling.catalog,
        written.skills,
        tooling.approvals,
        database,
        clock,
        ground.changes,
    )
    return House(
        ground=ground,
        written=written,
        tooling=tooling,
        accounts=accounts,
        crew=crew,
        chats=chats,
        connectors=connectors,
        rules=rules,
        people=people,
        channels=channels,
        open_places=open_places,
        records=SessionRecords(sessions, Transcripts(database), FactsStore(database)),
        files=FileRows(database),
        memory=TierEditor(written.memory, settings.get(MemorySettings)),
        sharing=build_sharing(ground, written, tooling.rights),
        learning=Learning(database, tooling.rights, open_places.withdrawn),
        pairing=Pairing(database, clock, tooling.approvals, written.contacts),
        imports=imports,
        watching=build_watching(ground),
        resolver=TurnResolver(
            people,
            channels,
            written.agents,
            tooling.rights,
            Integrations(connectors, accounts.connections, rules.default_agent),
            crew.compose,
            rules.default_agent,
        ),
    )

"""Builds the parts that the sessions share."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial

from bot.agents.settings import AgentSettings
from bot.assembly.accounts import Accounts
from bot.assembly.automations import build_watching
from bot.assembly.chats import Chats
from bot.assembly.connectors import Documents
from bot.assembly.crew import Crew
from bot.assembly.ground import Ground
from bot.assembly.memory import Memory
from bot.assembly.permission import Permission
from bot.assembly.plugged import Plugged, reload_plugged, tables_of, with_tables
from bot.assembly.tools import Tooling
from bot.assembly.workshop import build_import_desk
from bot.assembly.written import Definitions, WrittenHome
from bot.automations.watching import Watching
from bot.domain.memory import KeepsFiles
from bot.files.store import FileRows
from bot.memory.facts_store import FactsStore
from bot.sessions.approvals.cards import CardPlaces
from bot.sessions.learning.consent import Learning
from bot.sessions.people.pairing import Pairing
from bot.sessions.people.people import OpenPlaces, People
from bot.sessions.records.channel_store import Channels
from bot.sessions.records.session_store import Sessions
from bot.sessions.records.transcript_store import Transcripts
from bot.sessions.reports.forgetting import Forgetting
from bot.sessions.reports.kept_things import KeptThings
from bot.sessions.run.circumstances import Integrations, TurnResolver
from bot.sessions.run.setup import SessionRecords
from bot.sessions.settings import SessionSettings
from bot.settings import Settings
from bot.storage.shared_changes import CUSTOM_SKILLS, DEFINITIONS, LIVES, OUTBOX
from bot.tools.native.connector import Connector
from bot.tools.settings import ApprovalSettings, ToolSettings
from bot.turns.settings import TurnSettings
from bot.workshop.review.desk import ImportDesk


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


@dataclass(frozen=True)
class House:
    """The rooms below the sessions, and what the sessions share; only build functions get it."""

    ground: Ground
    written: WrittenHome
    accounts: Accounts
    plugged: Sequence[Plugged]
    permission: Permission
    chats: Chats
    documents: Documents
    connectors: Sequence[Connector]
    memory: Memory
    tooling: Tooling
    crew: Crew
    rules: SessionRules
    people: People
    places: CardPlaces
    channels: Channels
    open_places: OpenPlaces
    records: SessionRecords
    files: FileRows
    pairing: Pairing
    learning: Learning
    """Whether anything may be learned from a text."""
    forgetting: Forgetting
    """Shows and forgets what is kept of a person; one of it, since it does one wish at a time."""
    imports: ImportDesk
    watching: Watching
    """Stores events for the automations that they start."""
    resolver: TurnResolver

    @property
    def definitions(self) -> Sequence[Definitions]:
        """Everything that is read from prompts/ and skills/, and the policy."""
        written = self.written
        return (
            self.tooling.catalog, written.agents, written.skills, written.manifests, written.policy,
        )  # fmt: skip

    def rescheduled(self) -> None:
        """Called after a due time changes."""
        self.ground.engine.rescheduled()
        self.chats.cards.look_at_reminders()


def build_house(  # noqa: PLR0913, PLR0917 - the rooms below
    ground: Ground,
    written: WrittenHome,
    accounts: Accounts,
    plugged: Sequence[Plugged],
    permission: Permission,
    chats: Chats,
    documents: Documents,
    connectors: Sequence[Connector],
    memory: Memory,
    tooling: Tooling,
    crew: Crew,
    agent: str | None,
) -> House:
    """`agent` is who people talk with, in place of the settings' default."""
    settings, database, clock = ground.settings, ground.database, ground.clock
    contacts, rights, approvals = written.contacts, permission.rights, permission.approvals
    rules = _rules(settings, agent)
    sessions = Sessions(
        database,
        clock,
        crew.prompts,
        timedelta(minutes=settings.get(SessionSettings).idle_minutes),
        ground.model.capabilities.dialect,
        approval_open=approvals.open_in_session,
    )
    people = People(contacts, chats.by_platform, settings.timezone)
    open_places = OpenPlaces(Channels(database), people.readers, clock)
    channels = Channels(database, open_places.withdrawn)
    learning = Learning(database, rights, open_places.withdrawn)
    records = SessionRecords(sessions, Transcripts(database), FactsStore(database))
    integrations = Integrations(connectors, accounts.connections, rules.default_agent)
    return House(
        ground=ground,
        written=written,
        accounts=accounts,
        plugged=plugged,
        permission=permission,
        chats=chats,
        documents=documents,
        connectors=connectors,
        memory=memory,
        tooling=tooling,
        crew=crew,
        rules=rules,
        people=people,
        places=CardPlaces(database, contacts, chats.by_platform, rules.notify),
        channels=channels,
        open_places=open_places,
        records=records,
        files=FileRows(database),
        pairing=Pairing(database, clock, approvals, contacts),
        learning=learning,
        forgetting=_forgetting(ground, plugged, connectors, memory, records),
        imports=build_import_desk(ground, written, permission, tooling, learning),
        watching=build_watching(ground),
        resolver=TurnResolver(
            people,
            channels,
            written.agents,
            rights,
            integrations,
            crew.compose,
            rules.default_agent,
        ),
    )


def _forgetting(
    ground: Ground,
    plugged: Sequence[Plugged],
    connectors: Sequence[Connector],
    memory: Memory,
    records: SessionRecords,
) -> Forgetting:
    database, clock = ground.database, ground.clock
    return Forgetting(
        database,
        clock,
        ground.engine,
        KeptThings(database, clock, memory.editor, records.facts, connectors),
        ground.settings.home,
        [one for one in connectors if isinstance(one, KeepsFiles)],
        tables_of(plugged),
        {one.name for one in with_tables(plugged)},
    )


def _rules(settings: Settings, agent: str | None) -> SessionRules:
    return SessionRules(
        forget_unlocked=settings.get(ToolSettings).unlock_scope == "run",
        default_agent=agent or settings.get(AgentSettings).default,
        turn_s=settings.get(TurnSettings).minutes * 60,
        notify=settings.get(ApprovalSettings).notify,
    )


def follow_others(house: House) -> None:
    """Reload data that other processes of the same database changed.

    People and policy are checked each time, because they decide about access.
    """
    changes, written, outbox = house.ground.changes, house.written, house.chats.outbox
    changes.look_at(written.contacts.reload_if_changed)
    changes.look_at(written.policy.reload_changed)
    changes.on_change(CUSTOM_SKILLS, written.custom_skills.others_changed)
    changes.on_change(LIVES, outbox.lives.forget)
    changes.on_change(OUTBOX, outbox.retries.others_sent)
    for one in house.plugged:
        if one.parts.load is not None:
            changes.on_change(one.plugin.name, partial(reload_plugged, one))
    for part in house.definitions:
        changes.on_change(DEFINITIONS, part.reload_changed)

"""Builds the parts that the sessions share."""

from collections.abc import Sequence
from datetime import timedelta

from bot.agents.crew import Crew
from bot.agents.settings import AgentSettings
from bot.assembly.accounts import Accounts
from bot.assembly.automations import build_watching
from bot.assembly.chats import Chats
from bot.assembly.ground import Ground
from bot.assembly.imports import build_import_desk
from bot.assembly.tools import Tooling
from bot.assembly.written import WrittenHome
from bot.automations.settings import AutomationSettings
from bot.files.store import FileRows
from bot.memory.editing import TierEditor
from bot.memory.facts_store import FactsStore
from bot.memory.settings import MemorySettings
from bot.sessions.house import House, SessionRules
from bot.sessions.opening.opening import ContextLimits
from bot.sessions.people.pairing import Pairing
from bot.sessions.records.channel_store import Channels
from bot.sessions.records.session_store import Sessions
from bot.sessions.records.transcript_store import Transcripts
from bot.sessions.settings import SessionSettings
from bot.tools.native.connector import Connector
from bot.tools.settings import ApprovalSettings, ToolSettings
from bot.turns.schedules.settings import ScheduleSettings
from bot.turns.settings import TurnSettings


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
    settings, database, clock, model = ground.settings, ground.database, ground.clock, ground.model
    of_sessions = settings.get(SessionSettings)
    idle = timedelta(minutes=of_sessions.idle_minutes)
    rules = SessionRules(
        context=ContextLimits(of_sessions.context_messages, of_sessions.context_chars),
        forget_unlocked=settings.get(ToolSettings).unlock_scope == "run",
        default_agent=agent or settings.get(AgentSettings).default,
        timezone=settings.timezone,
        compact_percent=of_sessions.compact_percent,
        turn_s=settings.get(TurnSettings).minutes * 60,
        notify=settings.get(ApprovalSettings).notify,
        schedules=settings.get(ScheduleSettings),
        automations=settings.get(AutomationSettings),
    )
    return House(
        database=database,
        clock=clock,
        engine=ground.engine,
        model=model,
        crew=crew,
        agents=written.agents,
        sessions=Sessions(
            database,
            clock,
            crew.prompts,
            idle,
            model.capabilities.dialect,
            approval_open=tooling.approvals.open_in_session,
        ),
        transcripts=Transcripts(database),
        outbox=chats.outbox,
        cards=chats.cards,
        attachments=chats.attachments,
        approvals=tooling.approvals,
        grants=tooling.grants,
        pairing=Pairing(database, clock, tooling.approvals, lambda: written.contacts),
        meter=tooling.meter,
        catalog=tooling.catalog,
        facts=FactsStore(database),
        memory=TierEditor(written.memory, settings.get(MemorySettings)),
        files=FileRows(database),
        cycle_log=ground.cycle_log,
        imports=build_import_desk(
            settings.home,
            tooling.catalog,
            written.skills,
            tooling.approvals,
            database,
            clock,
            ground.changes,
        ),
        contacts=lambda: written.contacts,
        connectors=connectors,
        connections=accounts.connections,
        adapters=chats.by_platform,
        platforms=chats.platforms,
        manifests=written.manifests,
        skills=written.skills,
        custom_skills=written.custom_skills,
        channels=Channels(database),
        rights=tooling.rights,
        watching=build_watching(ground),
        changes=ground.changes,
        rules=rules,
    )

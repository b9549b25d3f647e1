"""Builds what runs turns: from a message, a decision or due work to the end of the turn."""

from collections.abc import Callable

from bot.agents.summaries.summarise import Summariser
from bot.assembly.events import event_ground
from bot.assembly.house import House
from bot.assembly.plugins import readers_of
from bot.files.incoming import IncomingFiles
from bot.knowledge.recordings.transcriber import build_transcriber
from bot.knowledge.settings import TranscriptionSettings
from bot.sessions.approvals.cards import ApprovalCards, CardPlaces
from bot.sessions.commands.commands import Commands
from bot.sessions.learning.spare_calls import SummaryPauses
from bot.sessions.opening.recall import OpeningRecall
from bot.sessions.people.members import Members
from bot.sessions.records.member_reminder_store import MemberReminderRows
from bot.sessions.run.epoch_switch import EpochSwitch
from bot.sessions.run.epochs import Epochs
from bot.sessions.run.incoming import KeepsIncoming
from bot.sessions.run.opening_quotes import EpochQuotes
from bot.sessions.run.opening_step import OpeningStep
from bot.sessions.run.setup import RunSetup, SaidWords
from bot.sessions.turn.decided_calls import DecidedCalls, DecidedShares, StrangersAsked
from bot.sessions.turn.elsewhere import Elsewhere
from bot.sessions.turn.giving_up import GivingUp
from bot.sessions.turn.replies import Replies
from bot.sessions.turn.run_ends import RunEnds, SessionRuns
from bot.sessions.turn.runner import TurnRunner
from bot.sessions.turn.unattended_runs import UnattendedRuns
from bot.sessions.unattended.delegated import Delegated
from bot.sessions.unattended.member_reminders import MemberReminders
from bot.sessions.unattended.own_events import OwnEvents
from bot.sessions.unattended.reminders import Reminders
from bot.sessions.unattended.scheduled import Scheduled
from bot.sessions.unattended.todo_runs import TodoRuns
from bot.sessions.unattended.triggered import Triggered
from bot.tools.permission.bundles import Bundles
from bot.tools.running.undo_store import UndoableRows


def build_runner(
    house: House,
    places: CardPlaces,
    commands: Commands,
    reminders: MemberReminders,
    recall: OpeningRecall | None,
    ran: Callable[[str], None],
) -> TurnRunner:
    """`ran` is called with the session of each turn that has run."""
    replies = _replies(house, places)
    runs = _session_runs(house, replies, recall)
    unattended = _unattended(house, runs, reminders)
    ground, tooling, contacts = house.ground, house.tooling, house.people.contacts
    decided = DecidedCalls(
        runs,
        tooling.approvals,
        house.pairing,
        house.crew.pipeline,
        DecidedShares(house.sharing, tooling.approvals, house.channels),
        Bundles(ground.database, ground.clock),
    )
    strangers = StrangersAsked(
        contacts,
        house.pairing,
        tooling.approvals,
        places,
        replies.post,
        replies.say,
        house.rules.default_agent,
    )
    return TurnRunner(
        runs=runs,
        said=runs.setup.said,
        replies=replies,
        commands=commands,
        decided=decided,
        strangers=strangers,
        unattended=unattended,
        contacts=contacts,
        giving_up=GivingUp(replies, unattended, ground.database, ground.clock),
        changes=ground.changes,
        ran=ran,
    )


def _said(house: House) -> SaidWords:
    contacts, attachments, ground = house.people.contacts, house.chats.attachments, house.ground
    wanted = ground.settings.get(TranscriptionSettings)
    incoming = KeepsIncoming(
        IncomingFiles(house.files, ground.clock),
        attachments,
        house.channels,
        contacts.sender_of,
        readers_of(ground.plugins),
        build_transcriber(wanted, ground.settings.secret, ground.clock),
    )
    return SaidWords(contacts, attachments, incoming)


def _replies(house: House, places: CardPlaces) -> Replies:
    ground, tooling, chats, people = house.ground, house.tooling, house.chats, house.people
    database, contacts, agent = ground.database, people.contacts, house.rules.default_agent
    elsewhere = Elsewhere(
        members=Members(database, contacts, house.channels, people.adapters),
        choices=MemberReminderRows(database),
        readers=people.readers,
        contacts=contacts,
        channels=house.channels,
        rights=tooling.rights,
        catalog=tooling.catalog,
        clock=ground.clock,
        agent=agent,
    )
    return Replies(
        people=people,
        outbox=chats.outbox,
        cards=chats.cards,
        places=places,
        approvals=tooling.approvals,
        approval_cards=ApprovalCards(contacts, places, chats.attachments, agent),
        elsewhere=elsewhere,
        engine=ground.engine,
        clock=ground.clock,
        agent=agent,
        rescheduled=house.rescheduled,
    )


def _session_runs(house: House, replies: Replies, recall: OpeningRecall | None) -> SessionRuns:
    ground, tooling, crew, rules = house.ground, house.tooling, house.crew, house.rules
    database, clock, model = ground.database, ground.clock, ground.model
    quotes = EpochQuotes(database, house.files, house.written.custom_skills)
    opening = OpeningStep(
        database=database,
        clock=clock,
        sessions=house.records.sessions,
        quotes=quotes,
        meter=tooling.meter,
        cycles=crew.cycles,
        services=house.accounts.connections.services,
        recall=recall,
        agent=rules.default_agent,
    )
    setup = RunSetup(
        opening=opening,
        said=_said(house),
        records=house.records,
        resolver=house.resolver,
        manifests=house.written.manifests,
        cycles=crew.cycles,
        turn_s=rules.turn_s,
        forget_unlocked=rules.forget_unlocked,
    )
    switching = EpochSwitch(
        resolver=house.resolver,
        prompts=crew.prompts,
        summariser=Summariser(model, crew.prompts, clock),
        model=model,
        clock=clock,
        meter=tooling.meter,
        approvals=tooling.approvals,
        quotes=quotes,
        pauses=SummaryPauses(clock),
    )
    epochs = Epochs(
        setup=setup,
        switching=switching,
        loop=crew.loop,
        model=model,
        database=database,
    )
    ends = RunEnds(
        replies=replies,
        learning=house.learning,
        engine=ground.engine,
        records=house.records,
        catalog=tooling.catalog,
        changes=UndoableRows(database),
        clock=clock,
    )
    return SessionRuns(house.resolver, setup, epochs, replies, ends)


def _unattended(house: House, runs: SessionRuns, reminders: MemberReminders) -> UnattendedRuns:
    ground, rules, resolver = house.ground, house.rules, house.resolver
    database, clock, rescheduled = ground.database, ground.clock, ground.engine.rescheduled
    return UnattendedRuns(
        runs=runs,
        scheduled=Scheduled(resolver, database, clock, house.tooling.meter, rules.schedules),
        todos=TodoRuns(resolver, database, clock, OwnEvents(event_ground(house)), rescheduled),
        triggered=Triggered(resolver, database, clock, rules.automations),
        delegated=Delegated(
            resolver=resolver,
            dispatch=house.crew.dispatch,
            sessions=house.records.sessions,
            facts=house.records.facts,
            cycles=house.crew.cycles,
            clock=clock,
            turn_s=rules.turn_s,
        ),
        reminders=Reminders(
            database=database,
            clock=clock,
            people=house.people,
            channels=house.channels,
            outbox=house.chats.outbox,
            others=reminders,
            agent=rules.default_agent,
            rescheduled=rescheduled,
        ),
        clock=clock,
    )

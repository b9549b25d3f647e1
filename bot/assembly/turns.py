"""Builds what accepts messages, and what runs their turns and those of due work."""

from collections.abc import Callable

from bot.agents.summaries.summarise import Summariser
from bot.assembly.events import automation_events
from bot.assembly.house import House
from bot.assembly.plugged import transcriber_of
from bot.assembly.plugins import readers_of
from bot.domain.files import TakesTranscripts
from bot.files.incoming import IncomingFiles
from bot.sessions.approvals.cards import ApprovalCards
from bot.sessions.commands.commands import Commands
from bot.sessions.inbox.router import Router, Strangers
from bot.sessions.inbox.verdicts import QuickAnswers, Verdicts
from bot.sessions.learning.spare_calls import SummaryPauses
from bot.sessions.people.members import Members
from bot.sessions.records.answer_length_store import AnswerLengths
from bot.sessions.records.member_reminder_store import MemberReminderRows
from bot.sessions.run.epochs import Epochs, EpochSwitch
from bot.sessions.run.incoming import KeepsIncoming
from bot.sessions.run.opening_quotes import EpochQuotes
from bot.sessions.run.opening_step import OpeningStep
from bot.sessions.run.setup import RunSetup, SaidWords
from bot.sessions.settings import AccessSettings
from bot.sessions.turn.decided_calls import DecidedCalls, DecidedShares, StrangersAsked
from bot.sessions.turn.elsewhere import Elsewhere
from bot.sessions.turn.replies import Replies
from bot.sessions.turn.run_ends import RunEnds, SessionRuns
from bot.sessions.turn.runner import AskedTwice, GivingUp, TurnRunner, UnattendedRuns
from bot.sessions.turn.short_answers import ShortAnswers
from bot.sessions.unattended.delegated import Delegated
from bot.sessions.unattended.reminders import MemberReminders, Reminders
from bot.sessions.unattended.scheduled import Scheduled
from bot.sessions.unattended.todo_runs import TodoRuns
from bot.sessions.unattended.triggered import Triggered
from bot.tools.permission.bundles import Bundles
from bot.tools.running.undo_store import UndoableRows


def build_runner(
    house: House,
    commands: Commands,
    reminders: MemberReminders,
    ran: Callable[[str], None],
) -> TurnRunner:
    """`ran` is called with the session of each turn that has run."""
    replies = _replies(house)
    runs = _session_runs(house, replies)
    unattended = _unattended(house, runs, reminders)
    ground, contacts = house.ground, house.people.contacts
    approvals = house.permission.approvals
    decided = DecidedCalls(
        runs,
        approvals,
        house.pairing,
        house.crew.pipeline,
        DecidedShares(house.memory.sharing, approvals, house.channels),
        Bundles(ground.database, ground.clock),
    )
    strangers = StrangersAsked(
        contacts,
        house.pairing,
        approvals,
        house.places,
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
        asked_twice=AskedTwice(ground.engine, ground.clock),
        changes=ground.changes,
        ran=ran,
    )


def _said(house: House) -> SaidWords:
    contacts, attachments, ground = house.people.contacts, house.chats.attachments, house.ground
    incoming = KeepsIncoming(
        IncomingFiles(house.files, ground.clock),
        attachments,
        house.channels,
        contacts.sender_of,
        readers_of(ground.plugins),
        [one for one in house.connectors if isinstance(one, TakesTranscripts)],
        transcriber_of(house.plugged),
    )
    return SaidWords(contacts, attachments, incoming)


def _replies(house: House) -> Replies:
    ground, permission, chats, people = house.ground, house.permission, house.chats, house.people
    database, contacts, agent = ground.database, people.contacts, house.rules.default_agent
    elsewhere = Elsewhere(
        members=Members(database, contacts, house.channels, people.adapters),
        choices=MemberReminderRows(database),
        readers=people.readers,
        contacts=contacts,
        channels=house.channels,
        rights=permission.rights,
        catalog=house.tooling.catalog,
        clock=ground.clock,
        agent=agent,
    )
    return Replies(
        people=people,
        outbox=chats.outbox,
        cards=chats.cards,
        places=house.places,
        approvals=permission.approvals,
        approval_cards=ApprovalCards(contacts, house.places, chats.attachments, agent),
        elsewhere=elsewhere,
        engine=ground.engine,
        clock=ground.clock,
        agent=agent,
        rescheduled=house.rescheduled,
    )


def _session_runs(house: House, replies: Replies) -> SessionRuns:
    ground, permission, crew, rules = house.ground, house.permission, house.crew, house.rules
    database, clock, model = ground.database, ground.clock, ground.model
    quotes = EpochQuotes(
        database, house.files, house.written.custom_skills, house.written.skills.text_that_ships
    )
    opening = OpeningStep(
        database=database,
        clock=clock,
        sessions=house.records.sessions,
        quotes=quotes,
        meter=ground.meter,
        cycles=crew.cycles,
        services=house.accounts.connections.services,
        recall=house.memory.opening,
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
        meter=ground.meter,
        approvals=permission.approvals,
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
        catalog=house.tooling.catalog,
        changes=UndoableRows(database),
        short=ShortAnswers(AnswerLengths(database), house.chats.attachments),
        clock=clock,
    )
    return SessionRuns(house.resolver, setup, epochs, replies, ends)


def _unattended(house: House, runs: SessionRuns, reminders: MemberReminders) -> UnattendedRuns:
    ground, rules, resolver = house.ground, house.rules, house.resolver
    database, clock, rescheduled = ground.database, ground.clock, ground.engine.rescheduled
    return UnattendedRuns(
        runs=runs,
        scheduled=Scheduled(resolver, database, clock, house.ground.meter),
        todos=TodoRuns(resolver, database, clock, automation_events(house), rescheduled),
        triggered=Triggered(resolver, database, clock),
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


def build_router(house: House) -> Router:
    """Build what accepts a message, with what may be accepted."""
    ground, permission, contacts = house.ground, house.permission, house.written.contacts
    verdicts = Verdicts(
        ground.database, permission.approvals, house.chats.cards.open_here, contacts.platforms
    )
    quick = QuickAnswers(ground.database, ground.engine, permission.approvals, contacts.platforms)
    unknown = ground.settings.get(AccessSettings).unknown_people
    return Router(
        ground.database,
        ground.engine,
        contacts,
        ground.clock,
        permission.rights,
        verdicts.of,
        Strangers(unknown, house.pairing.is_settled),
        house.watching,
        quick.of,
        ground.changes.catch_up if ground.changes.shared else None,
    )

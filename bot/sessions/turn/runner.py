"""TurnRunner: what the engine runs for every accepted turn, and what it does when one is given up.

Of two people who ask the same in one thread at once, the second sees the answer to the first.
The model says whether that answer is for them, too. Likeness of words only decides who waits for a
moment.

Of a turn that is given up its person gets a reference, and the next turn sees what happened. Work
that is due runs while nobody is present: tasks, todos, automations, agents.
"""

import logging
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import assert_never

from bot.agents.delegation.background import BackgroundTask
from bot.domain.access import Role
from bot.domain.clock import Clock
from bot.domain.confinement import Confinement
from bot.domain.database import Database, Unit
from bot.domain.languages import Language, Phrase, number
from bot.domain.messages import IncomingMessage, OutgoingMessage, Place, ReplyTarget
from bot.domain.step_keys import ANSWER, APOLOGY, StepKind, step_key
from bot.domain.turns import Recorded, Turn
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
    find_work,
    load_work,
)
from bot.errors import UnreadableWork
from bot.plugin.chat import Quiet
from bot.sessions.commands.commands import Commands
from bot.sessions.inbox.session_names import conversation_in, share_of
from bot.sessions.outbox.outbox import Sending
from bot.sessions.outbox.spoken_language import spoken_at
from bot.sessions.people.contacts import Contacts
from bot.sessions.records.conversation_store import (
    NewMessage,
    author_trust,
    conversation_of,
    message_write,
    place_of,
)
from bot.sessions.records.envelope import incoming_from_json, message_of
from bot.sessions.run.opening_step import said_blocks
from bot.sessions.run.setup import Burst, SaidWords
from bot.sessions.turn.decided_calls import DecidedCalls, StrangersAsked
from bot.sessions.turn.replies import Replies, read_by_others, to_asker
from bot.sessions.turn.run_ends import PAUSED, SessionRuns
from bot.sessions.unattended.delegated import Delegated
from bot.sessions.unattended.due_work import DueWork, as_of_now
from bot.sessions.unattended.reminders import Reminders
from bot.sessions.unattended.scheduled import Scheduled
from bot.sessions.unattended.todo_runs import TodoRuns
from bot.sessions.unattended.triggered import Triggered
from bot.sessions.wording import sentences
from bot.sessions.wording.languages import language_for
from bot.sessions.wording.phrases import changed as changed_in_words
from bot.storage.shared_changes import SharedChanges
from bot.turns.engine import TurnEngine
from bot.turns.schedules import store as ledger
from bot.turns.schedules.reason_words import TAKEN_AWAY
from bot.turns.shares import Urgency

log = logging.getLogger(__name__)

_NOTICE = step_key(StepKind.SEND, "notice")


@dataclass(frozen=True)
class UnattendedRuns:
    """Runs due work as its owner, and says what becomes of work that was given up."""

    runs: SessionRuns
    scheduled: Scheduled
    todos: TodoRuns
    triggered: Triggered
    delegated: Delegated
    reminders: Reminders
    clock: Clock

    async def run_due(self, turn: Turn, work: ScheduleWork | TodoWork | TriggerWork) -> None:
        """Run due work as its owner, with their current role, and nobody present to ask."""
        due = await self._due_work(turn, work)
        if due is None:
            await turn.finish(self._skipped(turn))
            return
        if why := await due.refusal():
            if due.person.role is not Role.BANNED and (told := due.refused_words(why)):
                await self.runs.replies.say(turn, ANSWER, due.home, told)
            await turn.finish(due.skipped_unit(turn, why))
            return
        if (notice := due.notice()) is not None:
            await self.runs.replies.say(turn, _NOTICE, *notice)

        async def begin() -> Recorded:
            return Recorded({}, due.begun_unit(turn))

        await turn.step(step_key(StepKind.BEGIN), begin)
        live = Quiet()
        prepared = await self.runs.prepare(turn, work, due.message, live)
        await self.runs.finish(turn, due.message, prepared, due.words, live, due)

    async def run_delegated(self, turn: Turn, work: DelegationWork) -> None:
        """Run a background agent; its answer always goes to the place where it was started."""
        people, replies = self.runs.replies.people, self.runs.replies
        message = (await as_of_now(people, work.envelope)).message
        callbacks = replies.callbacks(turn, message, Quiet())
        finished = await self.delegated.run(turn, work, message, callbacks)
        if finished is None:
            await callbacks.show_cards(0.0)
            return
        made = await self.runs.ends.changes.told_in(turn.id)
        changed = changed_in_words(made, language_for(message))
        text = f"{finished.text}\n\n{changed}" if changed else finished.text
        sending = replace(replies.sending(message, text), agent=work.agent)
        sending = replace(sending, message=replace(sending.message, failed=finished.failed))
        if finished.for_asker and read_by_others(message):
            sending = to_asker(sending, message)
        await replies.post(turn, ANSWER, sending, finished.trust)
        await callbacks.show_cards(0.0)
        await turn.finish(finished.unit)

    async def given_up(self, turn: Turn, work: Work, reason: str) -> tuple[Unit, str]:
        """The records at the end of due work, and the extra notice to its owner."""
        match work:
            case ScheduleWork() | TodoWork() | TriggerWork():
                due = await self._due_work(turn, work)
                return (self._skipped(turn), "") if due is None else due.given_up(turn, reason)
            case ReminderWork():
                return await self.reminders.given_up(turn, work, reason), ""
            case DelegationWork():
                task = BackgroundTask.from_work(work)
                language = language_for(incoming_from_json(work.envelope))
                return Unit(), sentences.background_given_up(task, language)
            case MessageWork() | SkillWork() | ControlWork() | DecisionWork() | StrangerWork():
                return Unit(), ""
            case CompactionWork() | InterviewWork():
                return Unit(), ""
            case _:
                assert_never(work)

    async def _due_work(
        self, turn: Turn, work: ScheduleWork | TodoWork | TriggerWork
    ) -> DueWork | None:
        match work:
            case ScheduleWork():
                return await self.scheduled.due(turn, work)
            case TodoWork():
                return await self.todos.due(turn, work)
            case TriggerWork():
                return await self.triggered.due(turn, work)
            case _:
                assert_never(work)

    def _skipped(self, turn: Turn) -> Unit:
        now = self.clock.now()
        why = TAKEN_AWAY.said(Language.EN)
        return Unit.of(ledger.ended(turn.id, "skipped", why, now, posted=False))


_LOOK_AGAIN_S = 0.5
_LONGEST_WAIT_S = 30.0
"""The longest wait: the first request may take long, or wait for its own person."""
_ALIKE = 0.6
"""The least part of the words of both that both have."""
_WORDS = re.compile(r"\w+")


@dataclass(frozen=True)
class AskedTwice:
    """Lets a turn wait for the earlier one of somebody else that asks the same."""

    engine: TurnEngine
    clock: Clock

    async def wait(self, turn: Turn, message: IncomingMessage) -> None:
        """Return once no such turn is open. Raises StorageError."""
        if message.conversation.place is not Place.THREAD or turn.done(step_key(StepKind.OPEN)):
            return
        until = self.clock.monotonic() + _LONGEST_WAIT_S
        while not turn.stop_requested and await self._is_asked(turn, message):
            if self.clock.monotonic() >= until:
                return
            async with turn.away():
                await self.clock.sleep(_LOOK_AGAIN_S)

    async def _is_asked(self, turn: Turn, message: IncomingMessage) -> bool:
        for other in await self.engine.open_turns():
            if other.id >= turn.id or not isinstance(find_work(other.body), MessageWork):
                continue
            asked = message_of(other.body)
            if asked is None or asked.conversation.key != message.conversation.key:
                continue
            if asked.sender.id != message.sender.id and alike(asked.text, message.text):
                return True
        return False


def alike(one: str, other: str) -> bool:
    """Whether most words of two messages are the same."""
    words, others = ({*_WORDS.findall(text.casefold())} for text in (one, other))
    return bool(words) and len(words & others) >= _ALIKE * len(words | others)


GIVEN_UP_CHARS = 500


@dataclass(frozen=True)
class GivingUp:
    """Ends turns that failed too often, or whose record can't be read."""

    replies: Replies
    unattended: UnattendedRuns
    database: Database
    clock: Clock

    async def apologise(self, turn: Turn, reason: str) -> None:
        """Implements domain.turns.Apologise: give the turn up, and tell the person a reference.

        If the answer was sent and only later work failed, it stays silent: nobody is answered
        twice.
        """
        where = (turn.session, turn.ref, reason)
        log.error("session=<%s>, turn=<%s>, reason=<%s> | gave up on a turn", *where)
        message = message_of(turn.body)
        if message is None:
            await self._tell_of_damage(turn)
            return
        try:
            work = load_work(turn.body)
        except UnreadableWork:
            text = Phrase(
                "Sorry, this version of me does not know how to do this, so I did nothing about "
                "it. (reference {ref})"
            ).said(language_for(message), ref=turn.ref)
            await self.replies.say(turn, APOLOGY, message, text)
            return
        ended, told = await self.unattended.given_up(turn, work, reason)
        if told:
            await self.replies.say(turn, PAUSED, message, told)
        if await self.replies.outbox.was_sent(turn, ANSWER, message.reply_to):
            turn.keep_joined()
            if ended:
                await turn.finish(ended)
            return
        # The view takes over the draft of an ended process.
        live = await self.replies.live(turn, message)
        try:
            await self.replies.say(turn, APOLOGY, message, _apology(turn, message), live)
        finally:
            await live.close()
        await self._remember_giving_up(turn, message, ended)

    async def _remember_giving_up(self, turn: Turn, message: IncomingMessage, ended: Unit) -> None:
        """The request and the answer to its person, visible to the next turn there."""
        person, target = self.replies.people.contacts.sender_of(message), message.reply_to
        if target.ephemeral_to is not None:
            await turn.finish(ended)
            return
        asked, said = " ".join(message.text.split())[:GIVEN_UP_CHARS], _apology(turn, message)
        row = NewMessage(
            key=f"given-up:{turn.ref}",
            conversation=target.conversation.key,
            author=f"agent:{self.replies.agent}",
            author_name="you",
            trust=author_trust(person, is_bot=False),
            text=f"(I gave up on “{asked}” of {person.id}, and told them: {said})",
            at=self.clock.now(),
        )
        await turn.finish(Unit.of(message_write(row)) + ended)

    async def _tell_of_damage(self, turn: Turn) -> None:
        """Tell the message's place that a turn is lost. Raises StorageError and ClaimLost."""
        # The place of its message, or else of its session.
        place = await place_of(self.database, turn.key)
        place = place or await conversation_of(self.database, conversation_in(turn.session))
        if place is None:
            told = "turn=<%s>, key=<%s> | nobody can be told, because its place is unknown"
            log.error(told, turn.ref, turn.key)
            return
        commanded = share_of(turn.session).urgency is Urgency.COMMAND
        words = (
            Phrase(
                "Sorry, my record of a command or a click here is damaged, so I did nothing about "
                "it. Please give it again. (reference {ref})"
            )
            if commanded
            else Phrase(
                "Sorry, my record of a message here is damaged, so I could not answer it. Please "
                "send it again. (reference {ref})"
            )
        )
        text = words.said(await spoken_at(self.database, place), ref=turn.ref)
        sending = Sending(OutgoingMessage(ReplyTarget(place), text), "", self.replies.agent)
        await self.replies.outbox.send(turn, APOLOGY, sending)


def _apology(turn: Turn, message: IncomingMessage) -> str:
    return Phrase(
        "Sorry, something broke on my side and I could not answer this message. (reference {ref})"
    ).said(language_for(message), ref=turn.ref)


MESSAGE_CHARS = 50_000
"""The longest message that a turn reads whole."""


@dataclass(frozen=True)
class TurnRunner:
    """Runs turns: people's messages, their commands, due work, and calls that somebody approved."""

    runs: SessionRuns
    said: SaidWords
    replies: Replies
    commands: Commands
    decided: DecidedCalls
    strangers: StrangersAsked
    unattended: UnattendedRuns
    contacts: Contacts
    giving_up: GivingUp
    asked_twice: AskedTwice
    changes: SharedChanges
    """What other processes changed."""
    ran: Callable[[str], None] = lambda _session: None
    """Called with the session of each turn that has run."""

    async def run_turn(self, turn: Turn) -> None:
        """Implements domain.turns.RunTurn.

        A question that it asked is over at the latest when it ends, for instance by a stop.
        """
        try:
            if self.changes.shared:
                await self.changes.catch_up()
            await self._run(turn)
        finally:
            self.replies.cards.look(turn.ref)
            self.ran(turn.session)

    async def _run(self, turn: Turn) -> None:  # noqa: C901 - one case for each kind of work
        work = load_work(turn.body)
        message = incoming_from_json(work.envelope)
        match work:
            case MessageWork() | SkillWork():
                await self._converse(turn, work, message)
            case ControlWork():
                await self.commands.run(turn, work, message)
            case DecisionWork():
                await self.decided.go_on(turn, work, message, self._converse)
            case CompactionWork():
                await self._compact(turn, work, message)
            case InterviewWork():  # queued in its session: the person's next message answers
                if self.contacts.sender_of(message).role is not Role.BANNED:
                    said = await self.commands.interview(turn, work, message)
                    await self.replies.say(turn, ANSWER, message, said)
            case ScheduleWork() | TodoWork() | TriggerWork():
                await self.unattended.run_due(turn, work)
            case ReminderWork():
                await self.unattended.reminders.ring(turn, work)
            case StrangerWork():
                if not await self.strangers.ask_about(turn, work, message):
                    await self._converse(turn, work, message)
            case DelegationWork():
                await self.unattended.run_delegated(turn, work)
            case _:
                assert_never(work)

    async def _converse(self, turn: Turn, work: Work, message: IncomingMessage) -> None:
        skill = work if isinstance(work, SkillWork) else None
        person, language = self.contacts.sender_of(message), language_for(message)
        if person.role is Role.BANNED:
            return
        if not message.text.strip() and not message.attachments and not message.quoted:
            empty = Phrase(
                "Your message was empty. Write what you need, or /help for what I can do."
            )
            await self.replies.say(turn, ANSWER, message, empty.said(language))
            return
        if (length := len(message.text)) > MESSAGE_CHARS:
            count, most = number(length, language), number(MESSAGE_CHARS, language)
            text = Phrase(
                "That message has {count} characters; I read at most {most} at a time. Send it as "
                "a file, or in parts."
            ).said(language, count=count, most=most)
            await self.replies.say(turn, ANSWER, message, text)
            return
        live = await self.replies.live(turn, message)
        try:
            if skill is None:
                await self.asked_twice.wait(turn, message)
            takes_lines = skill is None and (
                not turn.done(step_key(StepKind.OPEN)) or turn.done(step_key(StepKind.STEER, 0))
            )
            files = await self.said.files(turn, message)
            words = said_blocks(message, person, self.contacts.seen_in)
            burst = Burst(message.sent_at)
            if takes_lines:
                words += await self.said.lines(turn, 0, burst)
            limits: Confinement | None = None
            if skill is not None:
                found = await self.commands.skill_turns.words(turn, skill, message, person)
                if found is None:
                    text = Phrase(
                        "The skill behind /{name} is not there any more, so I did nothing. /skill "
                        "list shows which there are."
                    ).said(language, name=skill.name)
                    await self.replies.say(turn, ANSWER, message, text)
                    return
                words += found.blocks
                limits = found.limits
            prepared = await self.runs.prepare(turn, work, message, live, burst)
            if limits is not None:
                prepared.run.confine(limits)
            prepared = replace(prepared, opens=files.opens)
            await self.runs.finish(turn, message, prepared, [*words, *files.blocks], live)
        finally:
            await live.close()

    async def _compact(self, turn: Turn, work: CompactionWork, message: IncomingMessage) -> None:
        """`/compact`, queued in its session, so that no turn runs meanwhile."""
        person = self.contacts.sender_of(message)
        if person.role is Role.BANNED:
            return
        live = await self.replies.live(turn, message)
        try:
            about = await self.runs.resolver.resolve(work, message, person)
            callbacks = self.replies.callbacks(turn, message, live)
            text, unit = await self.runs.epochs.on_demand(turn, about, callbacks)
            await self.replies.say(turn, ANSWER, message, text, live)
            await callbacks.show_cards(0.0)
            await turn.finish(unit)
        finally:
            await live.close()

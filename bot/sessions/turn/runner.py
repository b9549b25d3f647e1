"""TurnRunner: what the engine runs for every accepted turn, and what its person is told at the end.

Of two people who ask the same in one thread at once, the second sees the answer to the first.
The model says whether that answer is for them, too. Likeness of words only decides who waits for a
moment.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import assert_never

from bot.domain.access import Role
from bot.domain.clock import Clock
from bot.domain.confinement import Confinement
from bot.domain.languages import Phrase, number
from bot.domain.messages import IncomingMessage, Place
from bot.domain.step_keys import ANSWER, StepKind, step_key
from bot.domain.turns import Turn, TurnEngine
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
from bot.sessions.commands.commands import Commands
from bot.sessions.people.contacts import Contacts
from bot.sessions.records.envelope import incoming_from_json, message_of
from bot.sessions.run.opening_step import said_blocks
from bot.sessions.run.setup import Burst, SaidWords
from bot.sessions.turn.decided_calls import DecidedCalls, StrangersAsked
from bot.sessions.turn.giving_up import GivingUp
from bot.sessions.turn.replies import Replies
from bot.sessions.turn.run_ends import SessionRuns
from bot.sessions.turn.unattended_runs import UnattendedRuns
from bot.sessions.wording.endings import language_for
from bot.storage.shared_changes import SharedChanges

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
            if (
                asked is not None
                and asked.conversation.key == message.conversation.key
                and asked.sender.id != message.sender.id
                and alike(asked.text, message.text)
            ):
                return True
        return False


def alike(one: str, other: str) -> bool:
    """Whether most words of two messages are the same."""
    words, others = ({*_WORDS.findall(text.casefold())} for text in (one, other))
    return bool(words) and len(words & others) >= _ALIKE * len(words | others)


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
            case MessageWork():
                await self._converse(turn, work, message)
            case SkillWork():
                await self._converse(turn, work, message)
            case ControlWork():
                await self.commands.run(turn, work, message)
            case DecisionWork():
                await self.decided.go_on(turn, work, message, self._converse)
            case CompactionWork():
                await self._compact(turn, work, message)
            case InterviewWork():
                await self._new_skill(turn, work, message)
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
            text = Phrase(
                "Your message was empty. Write what you need, or /help for what I can do."
            ).said(language)
            await self.replies.say(turn, ANSWER, message, text)
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

    async def _new_skill(self, turn: Turn, work: InterviewWork, message: IncomingMessage) -> None:
        """`/skill new`, queued in its session: the person's next message is the answer."""
        if self.contacts.sender_of(message).role is not Role.BANNED:
            await self.replies.say(
                turn, ANSWER, message, await self.commands.interview(turn, work, message)
            )

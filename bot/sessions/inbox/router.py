"""Router: decides and records every event of every platform before any ack or reply.

That includes edits and deletions of accepted messages.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal
from weakref import WeakValueDictionary

from bot.automations.watching import NOTHING, Watching
from bot.clock import format_utc
from bot.domain.access import Person, Role
from bot.domain.chat import Acceptance
from bot.domain.clock import Clock
from bot.domain.database import Database, Unit
from bot.domain.json_types import JsonObject
from bot.domain.messages import Addressed, Command, IncomingMessage, MessageKind, Place
from bot.domain.native_commands import SEND_FILES
from bot.domain.turns import TurnRecord
from bot.domain.work import (
    ControlWork,
    HeardMessage,
    MessageWork,
    StrangerWork,
    dump_work,
    envelope_of,
    find_work,
)
from bot.place_settings import Guests, ReplyTo
from bot.sessions.inbox.session_names import control_session, is_bound, reached, session_key
from bot.sessions.inbox.verdicts import Meant, option_of
from bot.sessions.people.contacts import Contacts
from bot.sessions.records.channel_store import Channels
from bot.sessions.records.conversation_store import (
    conversation_write,
    delete_write,
    edit_write,
    is_followed,
    is_wanted,
    move_write,
    recorded_text,
    seen_unit,
    was_left,
)
from bot.sessions.records.envelope import incoming_to_json
from bot.sessions.records.recovery_store import mark_write, unanswered_write
from bot.sessions.records.transcript_store import unsaid_unit
from bot.tools.policy.rights import PlaceStanding, Rights
from bot.turns.engine import TurnEngine
from bot.turns.refs import make_ref, number_in

log = logging.getLogger(__name__)

RunCommand = Callable[[IncomingMessage, Person, Unit], Awaitable[Acceptance]]
"""Accepts a message as a command."""
RecordMessage = Callable[[IncomingMessage, Person, Acceptance, Unit, str], Awaitable[Acceptance]]
"""Uses up a message's key without a turn; the last argument is the reason that /why shows."""


@dataclass(frozen=True)
class Changes:
    """Applies an edit or a deletion to the work of its message, as far as it has not begun."""

    database: Database
    engine: TurnEngine
    clock: Clock
    control: RunCommand
    record: RecordMessage

    async def edited(
        self, message: IncomingMessage, person: Person, session: str, unit: Unit
    ) -> Acceptance:
        """A queued message uses its edited text; an added mention or command counts.

        For other messages only the record changes, which `unit` does.
        """
        key = changed_key(message.key)
        earlier = await self.engine.recorded(key)
        command = message.command
        if command is not None and earlier is not None and _may_become(command, earlier, person):
            # The queued message is withdrawn; a repeated edit finds it so.
            await self.engine.withdraw(f"{message.key}:before", key, unit)
            return await self.control(replace(message, kind=MessageKind.COMMAND), person, unit)
        waits = find_work(earlier.body) if earlier is not None and earlier.state == "new" else None
        if earlier is not None and isinstance(waits, MessageWork):
            said: JsonObject = {**waits.envelope, "text": message.text, "typed": message.typed}
            body = dump_work(replace(waits, envelope=said))
            if await self.engine.revise(message.key, key, earlier.session, body, unit):
                return Acceptance.CONTEXT
        elif (
            message.addressed is Addressed.MENTION
            and earlier is not None
            and _was_context(earlier, person)
        ):
            now = replace(message, key=key, kind=MessageKind.TEXT)
            body = dump_work(MessageWork(incoming_to_json(now)))
            there = now.conversation
            unit += Unit.of(
                conversation_write(there, now.private, self.clock.now()), move_write(key, there)
            )
            if await self.engine.revise(message.key, key, session, body, unit):
                return Acceptance.TURN
        return await self.record(message, person, Acceptance.CONTEXT, unit, "edit")

    async def deleted(self, message: IncomingMessage, person: Person, unit: Unit) -> Acceptance:
        """A queued message is withdrawn; started work goes on.

        What was answered leaves the conversation's next requests; the answer stays.
        """
        key = changed_key(message.key)
        earlier = await self.engine.recorded(key)
        waits = find_work(earlier.body) if earlier is not None and earlier.state == "new" else None
        if isinstance(waits, MessageWork) and await self.engine.withdraw(message.key, key, unit):
            log.info("message=<%s> | deleted before its turn began", key)
            return Acceptance.CONTEXT
        if earlier is not None and earlier.settled_at is not None:
            unit += await self._unsaid(earlier)
        return await self.record(message, person, Acceptance.CONTEXT, unit, "delete")

    async def _unsaid(self, earlier: TurnRecord) -> Unit:
        text = str(envelope_of(earlier.body).get("text") or "")
        joined = number_in("t", earlier.joined_to) if earlier.joined_to else None
        turn = earlier.id if joined is None else joined
        return await unsaid_unit(self.database, earlier.session, turn, text) if text else Unit()


def _was_context(earlier: TurnRecord, person: Person) -> bool:
    """Whether a person's message was recorded only because it addressed nobody."""
    heard = find_work(earlier.body) if earlier.state == "recorded" else None
    unasked = ("not_addressed", person.id)
    return isinstance(heard, HeardMessage) and (heard.why, heard.person) == unasked


def _may_become(command: Command, earlier: TurnRecord, person: Person) -> bool:
    """Whether an edit turns a message into this command: not if answered, or unchanged."""
    if earlier.state == "recorded":
        return _was_context(earlier, person)
    said = envelope_of(earlier.body)
    if said.get("command") is None:
        return earlier.settled_at is None or earlier.state == "withdrawn"
    return said["command"]["name"] != command.name


def change_unit(message: IncomingMessage) -> Unit:
    """What an edit or a deletion changes in the record of its message."""
    key = changed_key(message.key)
    if message.kind is MessageKind.DELETE:
        return Unit.of(delete_write(key, message.sent_at))
    return Unit.of(edit_write(key, recorded_text(message), message.sent_at))


def changed_key(key: str) -> str:
    """The key of the message that `<kind>:<message key>:<edit ts>` changes."""
    return key.split(":", 1)[1].rsplit(":", 1)[0]


TAKEN_IN = 2
"""The most messages of one person that are accepted at a time."""
_URGENT = {MessageKind.COMMAND, MessageKind.STOP, MessageKind.ACTION, MessageKind.DELETE}
"""These don't wait for other messages of their person. Discord names nobody for a deletion."""


Meaning = Callable[[IncomingMessage, Person], Awaitable[Meant | None]]


@dataclass(frozen=True)
class Strangers:
    """The rule for messages of people whom nothing names (`access.unknown_people`)."""

    way: Literal["answer", "pair", "ignore"] = "answer"
    is_settled: Callable[[Person], Awaitable[bool]] | None = None
    """Whether not to ask about somebody now."""


@dataclass(eq=False)
class Router:
    """Decides what happens to a message; durable once `accept` returns."""

    database: Database
    engine: TurnEngine
    contacts: Contacts
    clock: Clock
    rights: Rights
    meaning: Meaning | None = None
    """Tells what words decide about an open card."""
    strangers: Strangers = Strangers()
    watching: Watching | None = None
    """Names the automations that a message starts."""
    quick: Callable[[IncomingMessage, Person], Awaitable[Command | None]] | None = None
    """Tells which command a reaction stands for."""
    catch_up: Callable[[], Awaitable[None]] | None = None
    """Reads what other processes changed in contacts and rules."""
    _taking_in: WeakValueDictionary[tuple[str, str], asyncio.Semaphore] = field(
        default_factory=WeakValueDictionary[tuple[str, str], asyncio.Semaphore]
    )
    """By platform and account, while messages from there are accepted or wait for that."""

    @cached_property
    def _channels(self) -> Channels:
        return Channels(self.database)

    @cached_property
    def _changes(self) -> Changes:
        return Changes(self.database, self.engine, self.clock, self._control, self._record)

    async def accept(self, message: IncomingMessage) -> Acceptance:
        """Implements domain.chat.Accept. Raises StorageError when recording failed.

        A person who sends much at once waits for themselves: reads and writes are served in order,
        so their whole flood would otherwise be ahead of everybody else's work.
        """
        if message.kind in _URGENT:
            return await self._accept(message)
        sender = (message.conversation.platform, message.sender.id)
        async with self._taking_in.setdefault(sender, asyncio.Semaphore(TAKEN_IN)):
            return await self._accept(message)

    async def _accept(self, message: IncomingMessage) -> Acceptance:
        if self.catch_up is not None:
            await self.catch_up()
        person = self.contacts.sender_of(message)
        if person.role is Role.BANNED or message.sender.is_bot:
            why = "banned" if person.role is Role.BANNED else "bot"
            return await self._record(message, person, Acceptance.IGNORED, _mark(message), why)
        noticed = await self._channels.notice(message.conversation, self.clock.now())
        there = self.rights.at(noticed.location)
        if person.role is Role.GUEST and there.guests is Guests.IGNORE:
            unit = _mark(message) + noticed.unit
            return await self._record(
                message, person, Acceptance.IGNORED, unit, "guests", there.name_of("guests")
            )
        message = await self._unless_unasked(_as_replied_to(message, there.reply), there)
        message = await self._as_followed(message, there)
        if self.strangers.way != "answer" and self.contacts.is_stranger(
            message.conversation, message.sender
        ):
            return await self._of_stranger(message, person, noticed.unit)
        return await self._of_member(message, person, noticed.unit, there)

    async def _unless_unasked(
        self, message: IncomingMessage, there: PlaceStanding
    ) -> IncomingMessage:
        """Where people chose `mention`, the setting of a platform to answer everything is off."""
        chosen = there.chosen is ReplyTo.MENTION and message.addressed is Addressed.FOLLOWED
        if chosen and not await is_followed(self.database, message.conversation.key):
            return _unaddressed(message)
        return message

    async def _as_followed(self, message: IncomingMessage, there: PlaceStanding) -> IncomingMessage:
        """In a thread that people sent it away from, only a mention or a reply is for it.

        Where they had it follow, everything is that is for nobody else.
        """
        thread, addressed = message.conversation.key, message.addressed
        if message.conversation.place is not Place.THREAD:
            return message
        if addressed is Addressed.FOLLOWED and await was_left(self.database, thread):
            return replace(message, addressed=Addressed.NONE)
        unasked = addressed is Addressed.NONE and message.kind is MessageKind.TEXT
        heard = unasked and not message.to_others and there.reply is not ReplyTo.QUIET
        if heard and await is_wanted(self.database, thread):
            return replace(message, addressed=Addressed.FOLLOWED)
        return message

    async def _of_stranger(
        self, message: IncomingMessage, person: Person, also: Unit
    ) -> Acceptance:
        """Only the owner's claim gets through, and what a former contact says about their things.

        The first message addressed to us asks who they are.
        """
        name = message.command.name.casefold() if message.command is not None else ""
        verb = message.action.verb if message.action is not None else ""
        if name in {"claim", "takeover"} or verb.startswith("takeover_"):
            return await self._control(message, person, also)
        match message.kind:
            case MessageKind.DELETE:  # Discord doesn't say who deleted
                return await self._changes.deleted(message, person, also + change_unit(message))
            case MessageKind.EDIT:
                also += change_unit(message)
            case MessageKind.TEXT if self.strangers.way == "pair":
                also += self._seen_unit(message, person)
            case _:
                also += _mark(message)
        to_us = (
            message.kind in {MessageKind.TEXT, MessageKind.COMMAND}
            and message.addressed is not Addressed.NONE
        )
        settled = self.strangers.is_settled
        asks = self.strangers.way == "pair" and to_us and not message.missed
        if asks and settled and not await settled(person):
            body = dump_work(StrangerWork(incoming_to_json(message)))
            session = str(session_key(message, person))
            new = await self.engine.submit(session, message.key, body, unit=also)
            return Acceptance.TURN if new else Acceptance.DUPLICATE
        return await self._record(message, person, Acceptance.IGNORED, also, "unknown")

    async def _of_member(
        self, message: IncomingMessage, person: Person, also: Unit, there: PlaceStanding
    ) -> Acceptance:
        """`also` is written with the message; `there` is the set of rules for its place."""
        if message.missed and message.kind is not MessageKind.REACTION:
            return await self._missed(message, person, also)
        match message.kind:
            case MessageKind.EDIT | MessageKind.DELETE:
                return await self._changed(message, person)
            case MessageKind.COMMAND | MessageKind.STOP:
                return await self._control(message, person, also)
            case MessageKind.JOINED:
                return await self._record(message, person, Acceptance.CONTEXT, also, "joined")
            case MessageKind.ACTION:
                return await self._click(message, person)
            case MessageKind.REACTION:
                return await self._reaction(message, person, also)
            case MessageKind.TEXT:
                return await self._words(message, person, also, there)

    async def _words(
        self, message: IncomingMessage, person: Person, also: Unit, there: PlaceStanding
    ) -> Acceptance:
        """The unit that accepts a message also writes its effect on automations."""
        watching = self.watching
        noted = await watching.message(message, person) if watching else NOTHING
        seen = self._seen_unit(message, person) + also + noted.unit
        accepted = await self._text(message, person, seen, there)
        if noted.comes_due:
            self.engine.rescheduled()
        return accepted

    async def _reaction(self, message: IncomingMessage, person: Person, also: Unit) -> Acceptance:
        """A reaction matters to automations that ask for it, and as a quick answer to us."""
        noted = NOTHING if self.watching is None else await self.watching.reaction(message, person)
        command = await self.quick(message, person) if self.quick is not None else None
        unit = also + noted.unit
        if command is not None:
            said = replace(message, command=command, action=None)
            accepted = await self._control(said, person, unit)
        elif noted.unit:
            accepted = await self._record(message, person, Acceptance.CONTEXT, unit, "reaction")
        else:
            return Acceptance.IGNORED
        if noted.comes_due:
            self.engine.rescheduled()
        return accepted

    async def _text(
        self, message: IncomingMessage, person: Person, seen: Unit, there: PlaceStanding
    ) -> Acceptance:
        """A person's next words answer their open question there, whomever they address.

        An answer with files is queued like any message; the engine answers with its words, and the
        resumed turn takes the whole message.
        """
        unasked = message.addressed is Addressed.NONE
        question = None
        if not message.to_others:
            question = await self.engine.open_question(message.conversation.key, person.id)
        if question is not None and message.text.strip() and not message.attachments:
            traits = self.contacts.platforms[message.conversation.platform]
            chosen = option_of(question, message.own_words, traits)
            answer, typed = (message.text, message.own_words) if chosen is None else (chosen, "")
            if await self.engine.answer(question.ref, message.key, answer, seen, typed=typed):
                return Acceptance.CONTROL
            log.debug("message=<%s> | the question was settled meanwhile", message.key)
            question = None
        if not unasked and question is None and self.meaning is not None:
            meant = await self.meaning(message, person)
            if meant is not None:
                decided = replace(message, kind=MessageKind.COMMAND, command=meant.command)
                return await self._control(decided, person, meant.guard + seen)
        if unasked and (question is None or not message.attachments):
            quiet = there.reply is ReplyTo.QUIET
            why, rule = ("quiet", there.name_of("reply")) if quiet else ("not_addressed", "")
            return await self._record(message, person, Acceptance.CONTEXT, seen, why, rule)
        return await self._turn(message, person, seen)

    async def _changed(self, message: IncomingMessage, person: Person) -> Acceptance:
        unit, key = change_unit(message), changed_key(message.key)
        if message.kind is MessageKind.DELETE:
            unit += Unit() if self.watching is None else self.watching.deleted(key)
            return await self._changes.deleted(message, person, unit)
        if self.watching is not None:
            unit += self.watching.changed(key, message, person)
        return await self._changes.edited(message, person, str(session_key(message, person)), unit)

    async def _missed(self, message: IncomingMessage, person: Person, also: Unit) -> Acceptance:
        """A message beyond `catch_up` is context only, and counted if an answer was due.

        See docs/rules.md#catching-up.
        """
        unit = self._seen_unit(message, person) + also
        if message.addressed is not Addressed.NONE:
            place = message.heard.place if message.heard is not None else message.conversation
            unit += Unit.of(unanswered_write(place, person.id, message.key))
        return await self._record(message, person, Acceptance.CONTEXT, unit, "missed")

    async def _turn(self, message: IncomingMessage, person: Person, unit: Unit) -> Acceptance:
        session = str(session_key(message, person))
        body = dump_work(MessageWork(incoming_to_json(message)))
        new = await self.engine.submit(session, message.key, body, unit=unit)
        return Acceptance.TURN if new else Acceptance.DUPLICATE

    async def _click(self, message: IncomingMessage, person: Person) -> Acceptance:
        """A chosen option, or files, answer the open question; others run as their verb's command.

        Files come like those of a message. Without any, no form could be opened. What was written
        into the form is in no transcript of a place that others read: they have not seen it.
        """
        action = message.action
        if action is None or action.verb not in {"answer", SEND_FILES}:
            return await self._control(message, person)
        # A question is visible before it is recorded as open, and its turn ends with that record:
        # read the other way round, the turn could ask between both.
        asks_soon = await self.engine.under_way(str(session_key(message, person)))
        question = await self.engine.open_question(message.conversation.key, person.id)
        if question is not None:
            meant = {"", question.ref, make_ref("t", question.turn)}
            if action.ref not in meant:  # on somebody else's question or on an earlier one
                return await self._control(message, person)
        if action.verb == SEND_FILES:
            if not (asks_soon or question is not None) or not message.attachments:
                return await self._control(message, person)
            sent = replace(_as_words(message, action.value), typed=action.value)
            direct = message.conversation.place is Place.DM
            seen = sent if direct else replace(sent, text="")
            return await self._turn(sent, person, self._seen_unit(seen, person))
        if question is not None:
            if await self.engine.answer(question.ref, message.key, action.value):
                return Acceptance.CONTROL
        elif asks_soon:  # the choice waits for the question like a message
            return await self._turn(_as_words(message, action.value), person, Unit())
        return await self._control(message, person)

    async def _control(
        self, message: IncomingMessage, person: Person, also: Unit = Unit()
    ) -> Acceptance:
        work = ControlWork(incoming_to_json(message), str(session_key(message, person)))
        now = self.clock.now()
        if is_bound(message):
            found = reached(await self.engine.open_turns(), message.conversation, person.id)
            work = replace(work, ran=tuple(turn.id for turn in found), at=format_utc(now))
        place = conversation_write(message.conversation, message.private, now)
        unit = Unit.of(place) + _mark(message) + also
        session = control_session(message.conversation.key, message.key, person.id)
        new = await self.engine.submit(session, message.key, dump_work(work), unit=unit)
        return Acceptance.CONTROL if new else Acceptance.DUPLICATE

    async def _record(
        self,
        message: IncomingMessage,
        person: Person,
        acceptance: Acceptance,
        unit: Unit,
        why: str,
        rule: str = "",
    ) -> Acceptance:
        """Use up the key without a turn; /why shows `why`, and the `rule` of a place behind it."""
        addressed, private = message.addressed.value, message.private
        heard = HeardMessage(acceptance.value, why, person.id, addressed, private, rule)
        key = str(session_key(message, person))
        new = await self.engine.record(key, message.key, dump_work(heard), unit)
        return acceptance if new else Acceptance.DUPLICATE

    def _seen_unit(self, message: IncomingMessage, person: Person) -> Unit:
        return _mark(message) + seen_unit(message, person, self.clock.now())


def _as_replied_to(message: IncomingMessage, reply: ReplyTo | None) -> IncomingMessage:
    """Apply the place's reply mode: free answers unaddressed messages, quiet answers nobody."""
    if message.kind not in {MessageKind.TEXT, MessageKind.EDIT}:
        return message
    if reply is ReplyTo.QUIET:
        return _unaddressed(message)
    unasked = message.kind is MessageKind.TEXT and message.addressed is Addressed.NONE
    if reply is ReplyTo.FREE and unasked and not message.to_others:
        return replace(message, addressed=Addressed.FOLLOWED)
    return message


def _unaddressed(message: IncomingMessage) -> IncomingMessage:
    """The same as context: of the place where it stands, not of a thread that an answer opens."""
    stands = message.heard.place if message.heard is not None else message.conversation
    return replace(message, addressed=Addressed.NONE, conversation=stands)


def _mark(message: IncomingMessage) -> Unit:
    """How far the place was read, in the same unit as the message itself."""
    return Unit() if message.heard is None else Unit.of(mark_write(message.heard))


def _as_words(click: IncomingMessage, chosen: str) -> IncomingMessage:
    """A choice as a message that says it; what is answered to one person alone is never taken."""
    place = replace(click.reply_to, ephemeral_to=None)
    said = replace(click, kind=MessageKind.TEXT, text=chosen, typed="", action=None)
    return replace(said, reply_to=place)

"""Edits and deletions of accepted messages."""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from bot.domain.access import Person
from bot.domain.chat import Acceptance
from bot.domain.clock import Clock
from bot.domain.database import Database, Unit
from bot.domain.json_types import JsonObject
from bot.domain.messages import Addressed, Command, IncomingMessage, MessageKind
from bot.domain.turns import TurnRecord
from bot.domain.work import HeardMessage, MessageWork, dump_work, envelope_of, find_work
from bot.sessions.records.conversation_store import (
    conversation_write,
    delete_write,
    edit_write,
    move_write,
)
from bot.sessions.records.envelope import incoming_to_json
from bot.sessions.records.transcript_store import unsaid_unit
from bot.turns.engine import TurnEngine
from bot.turns.refs import number_in

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
    return Unit.of(edit_write(key, message.text, message.sent_at))


def changed_key(key: str) -> str:
    """The key of the message that `<kind>:<message key>:<edit ts>` changes."""
    return key.split(":", 1)[1].rsplit(":", 1)[0]

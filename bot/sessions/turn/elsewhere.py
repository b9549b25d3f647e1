"""`send` to another channel or person: who is meant, and whether the asker may write there."""

import re
from dataclasses import dataclass, replace

from bot.domain.access import INNER_RANK, Person, Role
from bot.domain.card_words import in_words
from bot.domain.clock import Clock
from bot.domain.database import Unit
from bot.domain.languages import Phrase
from bot.domain.messages import Conversation, IncomingMessage, OutgoingMessage, Place, ReplyTarget
from bot.domain.step_keys import StepKind, step_key
from bot.domain.tool_context import ToolScope
from bot.domain.turns import Recorded, Turn
from bot.errors import ToolError
from bot.sessions.outbox.outbox import Sending
from bot.sessions.people.contacts import Contacts
from bot.sessions.people.members import Members
from bot.sessions.people.people import Readers
from bot.sessions.records.channel_store import Channels
from bot.sessions.records.conversation_store import conversation_write
from bot.sessions.records.envelope import outgoing_from_json, outgoing_to_json
from bot.sessions.records.member_reminder_store import MemberReminderRows
from bot.sessions.wording.languages import language_for
from bot.tools.catalog.catalog import ToolCatalog
from bot.tools.permission.gate import NO_POST_ELSEWHERE
from bot.tools.policy.rights import Rights

_CHANNEL = re.compile(r"<?#(?P<name>[^<>|]+)(?:\|[^<>]*)?>?")


@dataclass(frozen=True)
class Elsewhere:
    """Resolves each send's place once; the journal stores it, so a replay uses the same."""

    members: Members
    choices: MemberReminderRows
    readers: Readers
    contacts: Contacts
    channels: Channels
    rights: Rights
    catalog: ToolCatalog
    clock: Clock
    agent: str
    """Who speaks."""

    async def sending(
        self, turn: Turn, key: str, message: IncomingMessage, text: str, to: str
    ) -> Sending:
        """The message to be sent, with the asker's name.

        Raises ToolError where the asker may not write.
        """
        asker = self.contacts.sender_of(message)

        async def find() -> Recorded:
            target, person = await self._aim(asker, message.conversation, to)
            place, kept = target.conversation, Unit()
            outgoing = OutgoingMessage(target, f"From {in_words(asker.name)}: {text}")
            if place.place is not Place.DM:
                kept = Unit.of(conversation_write(place, False, self.clock.now()))
            return Recorded({"message": outgoing_to_json(outgoing), "person": person}, kept)

        found = await turn.step(step_key(StepKind.TO, key), find)
        outgoing = outgoing_from_json(found["message"])
        alone = None if message.conversation.place is Place.DM else message.sender.id
        back = replace(message.reply_to, interaction=None, ephemeral_to=alone)
        lost = Phrase(
            "What you had me post to {to} could not be delivered, and I gave up on it. (reference "
            "{ref})"
        ).said(language_for(message), to=in_words(to), ref=turn.ref)
        if_lost = OutgoingMessage(back, lost)
        return Sending(outgoing, found["person"], self.agent, in_order=False, if_lost=if_lost)

    async def _aim(self, asker: Person, there: Conversation, to: str) -> tuple[ReplyTarget, str]:
        """A destination, and its person there (person id)."""
        if asker.role.rank < INNER_RANK:
            raise ToolError(NO_POST_ELSEWHERE)
        channel = _CHANNEL.fullmatch(to)
        place = await self._channel(asker, there, channel["name"] if channel else to)
        if place is not None:
            return ReplyTarget(place), asker.id
        if channel:
            raise ToolError(
                f"to: {to[:60]!r} is no channel that both you and this person can write in; "
                "nothing was posted. One where you aren't they can invite you to"
            )
        member = await self.members.find(to, there)
        if member.person.role is Role.BANNED:
            raise ToolError(f"to: {to[:60]!r} can't be written to; nothing was posted")
        if member.person.id != asker.id and await self.choices.refuses_messages(member.person.id):
            raise ToolError(
                f"to: {in_words(member.person.name)} doesn't accept messages that others have me "
                "send; nothing was posted"
            )
        return await self.members.direct(member, there), member.person.id

    async def _channel(self, asker: Person, there: Conversation, name: str) -> Conversation | None:
        """The channel of this name, if the asker can use it now and its rules allow `send`."""
        knows = self.readers.on(there.platform)
        place = await knows.channel_named(name, there) if knows is not None else None
        if place is None or not await self.readers.may_write(asker.id, place):
            return None
        location = await self.channels.locate(place)
        scope = ToolScope(asker, self.agent, location=location)
        limits = self.rights.limits(scope)
        if any(limits.objection(definition) for definition in self.catalog.anywhere("send")):
            raise ToolError(
                f"the rules of {name[:60]!r} don't let this person have anything posted; nothing "
                "was posted"
            )
        return place

"""Who looks at a page: the person of a browser's session, with the role that they have now."""

import json
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from bot.domain.access import Person, Role
from bot.domain.chat_commands import Asked
from bot.domain.clock import Clock
from bot.domain.messages import IncomingMessage
from bot.domain.places import Reach
from bot.domain.privacy import Viewer
from bot.plugin.views import Gone, Looker
from bot.sessions.people.people import People
from bot.sessions.records.channel_store import Channels
from bot.sessions.records.envelope import incoming_to_json
from bot.sessions.unattended.due_work import AsOfNow, as_of_now

FRESH = timedelta(seconds=60)
"""So old may be what a platform said about somebody's roles. contacts.yaml counts at once."""
KEPT = 1_000
"""People of whom that is remembered."""


@dataclass(eq=False)
class HouseLookers:
    """Implements `bot.plugin.views.Lookers`, and `bot.plugin.late.PeopleNow`."""

    people: People
    channels: Channels
    clock: Clock
    _told: dict[str, tuple[datetime, AsOfNow]] = field(
        default_factory=dict[str, tuple[datetime, AsOfNow]]
    )

    def found_by(self, asked: Asked) -> str:
        """Their message without a word of theirs."""
        message = asked.message
        bare = IncomingMessage(
            key=message.key,
            conversation=message.conversation,
            sender=message.sender,
            text="",
            reply_to=message.reply_to,
            sent_at=message.sent_at,
            private=message.private,
        )
        return json.dumps(incoming_to_json(bare))

    async def now(self, found_by: str) -> Person:
        told = await as_of_now(self.people, json.loads(found_by))
        return self.people.contacts.sender_of(told.message)

    def zone(self, person: Person) -> str:
        return self.people.zone(person)

    async def who(self, found_by: str, person: str, role: str) -> Looker | Gone:
        """Nobody looks any more once they are another person, or have another role."""
        told = await self._as_of_now(found_by)
        found = self.people.contacts.sender_of(told.message)
        if found.id != person or found.role is Role.BANNED:
            return Gone.ENDED
        if str(found.role) != role:
            return Gone.ENDED if told.sure else Gone.UNKNOWN
        return Looker(found, await self._viewer(told.message, found))

    async def _as_of_now(self, found_by: str) -> AsOfNow:
        now = self.clock.now()
        at, told = self._told.get(found_by, (datetime.min.replace(tzinfo=now.tzinfo), None))
        if told is None or not told.sure or now - at >= FRESH:
            told = await as_of_now(self.people, json.loads(found_by))
            if len(self._told) >= KEPT:
                self._told.clear()
            self._told[found_by] = now, told
        return told

    async def _viewer(self, message: IncomingMessage, person: Person) -> Viewer:
        """They look alone, as in a direct conversation, wherever they asked for the link."""
        there = await self.channels.locate_for(person.id, message.conversation)
        alone = replace(there, reaches=frozenset({Reach.DM}), thread="", shared=False)
        return Viewer.at(alone, person)

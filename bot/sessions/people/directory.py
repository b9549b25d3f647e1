"""Known people: authors of messages, people in contacts.yaml, and platform profiles."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from bot.domain.access import Role
from bot.domain.chat import ChatAdapter
from bot.domain.database import Database
from bot.domain.messages import Conversation, Place, PlatformPerson
from bot.domain.origins import Trust
from bot.domain.people import KnownPerson, KnowsProfiles, LastTalk, Profile
from bot.errors import DeliveryError
from bot.sessions.people.contact_store import Author, authors_since, last_public, last_together
from bot.sessions.people.contacts import Contacts

PATIENCE_S = 3.0
"""The time limit for a platform to send a profile: somebody waits."""


@dataclass(eq=False)
class HouseDirectory:
    """Implements `domain.people.Directory`."""

    database: Database
    contacts: Contacts
    adapters: Callable[[], Mapping[str, ChatAdapter]]
    """By platform; those of an app are built after the plug-ins that ask here."""
    _read: int = 0
    """Number of the newest message whose author was reported."""
    _told: set[str] = field(default_factory=set[str])

    async def newcomers(self) -> Sequence[KnownPerson]:
        found: dict[str, KnownPerson] = {}
        for contact in self.contacts.people:
            known = self.contacts.person(contact.id)
            if known is not None and known.role is not Role.BANNED:
                found[known.id] = KnownPerson(
                    known.id, known.name, known.role.rank, known.timezone or ""
                )
        for author in await authors_since(self.database, self._read):
            self._read = max(self._read, author.last)
            if author.person not in found:
                found[author.person] = KnownPerson(author.person, author.name, self._rank(author))
        new = [person for id_, person in found.items() if id_ not in self._told]
        self._told |= {person.id for person in new}
        return new

    async def profile(self, person: str) -> Profile | None:
        for account in self.contacts.accounts(person):
            adapter = self.adapters().get(account.platform)
            if not isinstance(adapter, KnowsProfiles):
                continue
            place = Conversation(account.platform, account.workspace, "", Place.CHANNEL)
            try:
                async with asyncio.timeout(PATIENCE_S):
                    found = await adapter.profile(PlatformPerson(account.id, account.id), place)
            except TimeoutError:
                raise DeliveryError(
                    f"{account.platform} did not return the profile in time", retryable=True
                ) from None
            if found is not None:
                return found
        return None

    async def last_talk(self, asker: str, persons: Sequence[str]) -> LastTalk:
        together = await last_together(self.database, asker, persons)
        when, where = together or (None, "")
        return LastTalk(await last_public(self.database, persons), when, where)

    def mentioned(self, text: str, place: Conversation) -> str | None:
        contacts = self.contacts
        id_ = contacts.platforms[place.platform].mentioned(text)
        if id_ is None:
            return None
        return contacts.resolve(place.platform, place.workspace, PlatformPerson(id_, "")).id

    def _rank(self, author: Author) -> int:
        """By the file, else by the role with which they wrote last."""
        role = Role.GUEST if author.trust > Trust.MEMBER else Role.FRIEND
        return self.contacts.last_known(author.person, role).role.rank

"""Other members: by name, how to reach them directly, and whether they are in a place.

With them the directory of known people: authors of messages, contacts, and platform profiles.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from bot.domain.access import Person, Role
from bot.domain.chat import ChatAdapter, KnowsMembers
from bot.domain.database import Database
from bot.domain.messages import Conversation, Place, PlatformPerson, ReplyTarget
from bot.domain.origins import Trust
from bot.domain.people import KnownPerson, KnowsProfiles, LastTalk, Profile
from bot.domain.places import Reach
from bot.domain.platforms import PlatformTraits
from bot.errors import DeliveryError, ToolError
from bot.sessions.people.contact_store import authors_since, last_public, last_together
from bot.sessions.people.contacts import Contacts
from bot.sessions.records.channel_store import Channels
from bot.sessions.records.conversation_store import own_place, speakers_of


@dataclass(frozen=True)
class Member:
    """A person on the platform of a conversation."""

    person: Person
    sender: PlatformPerson


@dataclass(frozen=True)
class Members:
    database: Database
    contacts: Contacts
    channels: Channels
    adapters: Mapping[str, ChatAdapter]

    async def find(self, who: str, there: Conversation) -> Member:
        """The member with a name or id, on the platform of `there`.

        Names count as contacts.yaml has them. Who else writes chooses their own name, so they are
        found by their id alone, and a name gets an error that tells it. Raises ToolError when
        nobody or several people match.
        """
        wanted = who.strip().removeprefix("@").strip("<@!>").casefold()
        found = {member.person.id: member for member in self._listed(wanted, there)}
        posing = list[str]()
        if not found:
            heard = await self._heard(there)
            found = {
                one.person.id: one
                for one in heard
                if wanted in {one.person.id.casefold(), one.sender.id.casefold()}
            }
            posing = sorted(one.person.id for one in heard if one.sender.name.casefold() == wanted)
        if len(found) == 1:
            return next(iter(found.values()))
        exact = who.strip()
        if exact in found and not self._is_named(wanted, besides=exact):
            return found[exact]
        if posing and not found:
            raise ToolError(
                f"member: who calls themself {who[:40]!r} here is {', '.join(posing)}; everybody "
                "chooses that name alone, so ask the person whether they mean that id, and give it"
            )
        if found:
            ids = [f"{id_} (account {one.sender.id})" for id_, one in sorted(found.items())]
            raise ToolError(
                f"member: {who[:40]!r} may be {', '.join(ids)}; ask the person whom they mean and "
                "give that account"
            )
        raise ToolError(
            f"member: I know nobody called {who[:40]!r} here. Give a name as contacts.yaml has it, "
            "or the id of somebody who wrote in this conversation"
        )

    def _listed(self, wanted: str, there: Conversation) -> list[Member]:
        found: list[Member] = []
        for contact in self.contacts.people:
            names = {contact.id, contact.name, contact.name.split()[0] if contact.name else ""}
            for listed in contact.ids.get(there.platform, ()):
                account = self._traits(there).account(listed)
                if account.workspace in {"", there.workspace} and wanted in {
                    *(name.casefold() for name in names),
                    account.id.casefold(),
                }:
                    found.append(self._member(PlatformPerson(account.id, contact.name), there))
        return found

    def _is_named(self, wanted: str, *, besides: str) -> bool:
        """Whether that is the name of somebody else than of this id: it may be either of them."""
        people = self.contacts.people
        return any(one.name.casefold() == wanted and one.id != besides for one in people)

    async def _heard(self, there: Conversation) -> list[Member]:
        """The people outside contacts.yaml who wrote there: their id contains the platform's."""
        found: list[Member] = []
        for author, name in await speakers_of(self.database, there.channel_key, there.key):
            id_ = author.removeprefix(self._traits(there).person_id(there.workspace, ""))
            if id_ != author:
                found.append(self._member(PlatformPerson(id_, name), there))
        return found

    def _traits(self, there: Conversation) -> PlatformTraits:
        return self.contacts.platforms[there.platform]

    def _member(self, sender: PlatformPerson, there: Conversation) -> Member:
        return Member(self.contacts.seen_in(there, sender), sender)

    async def shares(self, member: Member, there: Conversation) -> bool:
        """Whether they are certainly in the place now; in a private one, if they wrote there.

        Raises DeliveryError if the platform can't tell.
        """
        adapter = self.adapters.get(there.platform)
        if not there.has_workspace or not isinstance(adapter, KnowsMembers):
            return False
        if await adapter.member(there, member.sender.id) is None:
            return False
        location = await self.channels.locate(there)
        if there.place is Place.DM or location.reaches == frozenset({Reach.PUBLIC}):
            return True
        around = there.key if location.thread else there.channel_key
        speakers = await speakers_of(self.database, around, there.key)
        return any(author == member.person.id for author, _ in speakers)

    async def direct(self, member: Member, there: Conversation) -> ReplyTarget:
        """Their direct conversation on that platform."""
        place = await own_place(self.database, member.person.id)
        if place is not None and place.platform == there.platform:
            return ReplyTarget(place)
        return self._traits(there).direct(there.workspace, member.sender.id)


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
                # Their role is that of the file, else the one with which they wrote last.
                wrote_as = Role.GUEST if author.trust > Trust.MEMBER else Role.FRIEND
                rank = self.contacts.last_known(author.person, wrote_as).role.rank
                found[author.person] = KnownPerson(author.person, author.name, rank)
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
        id_ = self.contacts.platforms[place.platform].mentioned(text)
        return None if id_ is None else self.contacts.seen_in(place, PlatformPerson(id_, "")).id

"""Who people are now, where they can be reached, and who may read a text there.

Platforms are asked who reads a place; each minute also which channels that were public are so no
longer. People in contacts.yaml may be written to: see docs/rules.md#trust.
"""

import logging
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from bot.domain.access import Person
from bot.domain.chat import ChatAdapter, HasReaders, KnowsReaders
from bot.domain.clock import Clock
from bot.domain.messages import Conversation, Place, Visibility
from bot.domain.places import CLOSED, Location, Reach
from bot.domain.privacy import Learned, Viewer
from bot.domain.targets import Target, TargetKind
from bot.errors import DeliveryError
from bot.sessions.people.contacts import Account, Contacts
from bot.sessions.people.contacts_file import Contact
from bot.sessions.records.channel_store import Channels
from bot.tools.definitions.targets import typed

log = logging.getLogger(__name__)


@dataclass(eq=False)
class Readers:
    """Asks platforms about a person's accounts.

    A platform that can't tell, or is not connected, permits nothing.
    """

    adapters: Mapping[str, ChatAdapter]
    contacts: Contacts
    _tell: dict[str, HasReaders] = field(default_factory=dict[str, HasReaders])
    """Adapters that were found to tell. The check costs more than most answers."""

    def on(self, platform: str) -> KnowsReaders | None:
        """The platform, if it can tell."""
        if (found := self._tell.get(platform)) is not None:
            return found.readers
        adapter = self.adapters.get(platform)
        if not isinstance(adapter, HasReaders):
            return None
        self._tell[platform] = adapter
        return adapter.readers

    async def learned_in(self, said: Conversation, location: Location) -> Learned:
        """Where something said in a place with this location was learned.

        The location of a thread is that of its channel, so its platform is asked about a thread:
        one that may have readers of its own counts as closed.
        """
        if said.place is Place.THREAD and Reach.DM not in location.reaches:
            knows = self.on(said.platform)
            if knows is None or not await knows.reads_like_channel(said):
                return Learned.at(replace(location, reaches=CLOSED, thread=said.id))
        return Learned.at(location)

    async def learned_of_own(self, said: Conversation) -> Learned:
        """Where a person's own message may be shown, whoever reads its channel now.

        In their direct messages and where it was said: the channel, or the closed thread.
        """
        return await self.learned_in(
            said, Location.of(replace(said, visibility=Visibility.PRIVATE, closed=False))
        )

    def workspaces(self, person: str) -> list[tuple[str, str]]:
        """Platform and workspace of each account of a person.

        An empty workspace stands for all of the platform. Elsewhere the person reads nothing.
        """
        accounts = self.contacts.accounts(person)
        return sorted({(account.platform, account.workspace) for account in accounts})

    def of(self, person: str) -> "PlaceReader":
        """A person (person id) for many questions in a row."""
        return PlaceReader(self, self.contacts.accounts(person))

    async def may_read(self, person: str, place: Conversation) -> bool:
        """Whether a person (person id) can read a channel or thread now."""
        return await self.of(person).may_read(place)

    async def may_write(self, person: str, place: Conversation) -> bool:
        """Whether one account of a person can read and write there now."""
        knows = self.on(place.platform)
        if knows is None:
            return False
        for account in self.of(person).accounts_there(place):
            if await knows.may_read(account.id, place) and await knows.may_write(account.id, place):
                return True
        return False

    async def may_show(
        self, here: Viewer, at: Conversation, said: Conversation, location: Location
    ) -> bool:
        """Whether a readable message may be shown to all readers of `at`.

        A direct message may show everything. A shared place may show messages of the same channel,
        or of a public one in the same workspace, which everybody here may read too, if the platform
        says that it is public now. What was said in a closed thread is shown in that thread alone.
        """
        if here.place.reach is Reach.DM or said == at:
            return True
        learned = Learned.at(location)
        same = location.channel_key in {here.place.channel, here.around}
        public = not (learned.private or here.shared) and (said.platform, said.workspace) == (
            at.platform,
            at.workspace,
        )
        if said.place is Place.DM or not (same or (public and await self._is_public(said))):
            return False
        knows = self.on(said.platform)
        return said.place is not Place.THREAD or (
            knows is not None and await knows.reads_like_channel(said)
        )

    async def _is_public(self, said: Conversation) -> bool:
        """Whether a channel on record as public is so now; no if its platform can't be asked."""
        knows = self.on(said.platform)
        channel = Conversation(
            said.platform,
            said.workspace,
            said.channel or said.id,
            Place.CHANNEL,
            visibility=Visibility.PUBLIC,
        )
        try:
            return knows is not None and await knows.visibility(channel) is Visibility.PUBLIC
        except DeliveryError:
            return False


@dataclass(frozen=True)
class PlaceReader:
    """One person with their accounts, which are the same for every place of a search."""

    readers: Readers
    accounts: Sequence[Account]

    async def may_read(self, place: Conversation) -> bool:
        """Whether they can read a channel or thread now."""
        knows = self.readers.on(place.platform)
        if knows is None:
            return False
        for account in self.accounts_there(place):
            if await knows.may_read(account.id, place):
                return True
        return False

    def accounts_there(self, place: Conversation) -> list[Account]:
        """Their accounts that are valid in a place's workspace."""
        return [
            account
            for account in self.accounts
            if account.platform == place.platform and account.workspace in {"", place.workspace}
        ]


EVERY_S = 60.0


@dataclass(eq=False)
class OpenPlaces:
    """What was learned in a public channel stays there once not everybody reads it.

    That is so after its permissions changed, after it was deleted, archived or left, and where its
    platform can't tell. While a platform can't be asked, its last answer holds.
    """

    channels: Channels
    readers: Readers
    clock: Clock
    _withdrawn: frozenset[str] = frozenset()

    def withdrawn(self) -> frozenset[str]:
        """Keys of channels, as of the last look."""
        return self._withdrawn

    async def run(self) -> None:
        """Look again and again, until cancelled. Raises StorageError."""
        while True:
            await self.look()
            await self.clock.sleep(EVERY_S)

    async def look(self) -> None:
        """Ask about every known channel. Raises StorageError."""
        away: set[tuple[str, str]] = set()
        known = await self.channels.all()
        found = [place for place in known if not await self._is_public(place, away)]
        self._withdrawn = frozenset(place.key for place in found)

    async def _is_public(self, place: Conversation, away: set[tuple[str, str]]) -> bool:
        """`away`: workspaces that can't be asked, which is not tried again in the same look."""
        if place.visibility is not Visibility.PUBLIC:
            return False
        knows = self.readers.on(place.platform)
        if knows is None:
            return False
        there = (place.platform, place.workspace)
        if there in away:
            return place.key not in self._withdrawn
        try:
            return await knows.visibility(place) is Visibility.PUBLIC
        except DeliveryError as error:
            away.add(there)
            log.debug("place=<%s>, error=<%s> | its readers can't be asked", place.key, error)
            return place.key not in self._withdrawn


@dataclass(frozen=True)
class People:
    """The known people, the platforms on which they are, and the zone of people without one."""

    contacts: Contacts
    adapters: Mapping[str, ChatAdapter]
    timezone: str

    @cached_property
    def readers(self) -> Readers:
        """Who may read a place, by these platforms."""
        return Readers(self.adapters, self.contacts)

    def zone(self, person: Person) -> str:
        return person.timezone or self.timezone


_ID_KINDS = (TargetKind.ACCOUNT, TargetKind.ID)


@dataclass(eq=False)
class AddressBook:
    """Implements `provenance.AddressBook`; rebuilt only when contacts.yaml was reread."""

    people: Callable[[], Sequence[Contact]]
    _read: Sequence[Contact] | None = None
    _known: frozenset[tuple[TargetKind, str]] = frozenset()

    def __call__(self, target: Target, person: Person) -> bool:
        people = self.people()
        if people is not self._read:
            self._read, self._known = people, frozenset(_targets(people))
        return target.sound and (target.kind, target.value) in self._known


def _targets(people: Sequence[Contact]) -> Iterator[tuple[TargetKind, str]]:
    yield from _names(people)
    for contact in people:
        if contact.email and (address := typed("email", TargetKind.EMAIL, contact.email)).sound:
            yield TargetKind.EMAIL, address.value
        for platform_id in (contact.id, *(one for ids in contact.ids.values() for one in ids)):
            for kind in _ID_KINDS:
                yield kind, typed("id", kind, platform_id.rsplit(":", 1)[-1]).value


def _names(people: Sequence[Contact]) -> Iterator[tuple[TargetKind, str]]:
    """Names and first names of exactly one person, for tools that know people by name."""
    bearers = Counter(
        name for contact in people for name in {contact.name, *contact.name.split()[:1]} if name
    )
    for name in (name for name, count in bearers.items() if count == 1):
        for kind in _ID_KINDS:
            if (target := typed("name", kind, name)).sound:
                yield kind, target.value

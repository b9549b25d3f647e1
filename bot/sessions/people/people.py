"""Who people are now and where they can be reached; and the operator's contacts as trusted targets.

People in contacts.yaml may be written to: see docs/rules.md#trust.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from bot.domain.access import Person
from bot.domain.chat import ChatAdapter
from bot.domain.targets import Target, TargetKind
from bot.sessions.people.contacts import Contacts
from bot.sessions.people.contacts_file import Contact
from bot.sessions.people.readers import Readers
from bot.tools.definitions.targets import typed


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

"""Who people are now, and where they can be reached: contacts, platforms and time zones."""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.domain.access import Person
from bot.domain.chat import ChatAdapter
from bot.sessions.people.contacts import Contacts


@dataclass(frozen=True)
class People:
    """The known people, the platforms on which they are, and the zone of people without one."""

    contacts: Contacts
    adapters: Mapping[str, ChatAdapter]
    timezone: str

    def zone(self, person: Person) -> str:
        return person.timezone or self.timezone

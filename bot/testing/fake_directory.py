"""A `Directory` of the people that a test gives it."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.domain.messages import Conversation
from bot.domain.people import KnownPerson, LastTalk, Profile
from bot.errors import DeliveryError


@dataclass
class FakeDirectory:
    """Implements `domain.people.Directory`; `asked` records whose profile was read."""

    people: list[KnownPerson] = field(default_factory=list[KnownPerson])
    profiles: dict[str, Profile] = field(default_factory=dict[str, Profile])
    talks: dict[str, LastTalk] = field(default_factory=dict[str, LastTalk])
    asked: list[str] = field(default_factory=list[str])
    away: bool = False
    """Whether the platform is unreachable."""

    async def newcomers(self) -> Sequence[KnownPerson]:
        return tuple(self.people)

    async def profile(self, person: str) -> Profile | None:
        self.asked.append(person)
        if self.away:
            raise DeliveryError("the platform is not there", retryable=True)
        return self.profiles.get(person)

    async def last_talk(self, asker: str, persons: Sequence[str]) -> LastTalk:
        return next((self.talks[person] for person in persons if person in self.talks), LastTalk())

    def mentioned(self, text: str, place: Conversation) -> str | None:
        return text.strip("<@>") if text.startswith("<@") else None

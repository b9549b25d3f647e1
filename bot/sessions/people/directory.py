"""Who there is: those who wrote, those whom contacts.yaml names, and what their platforms tell of them."""

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence

from bot.domain.access import Person, Role
from bot.domain.chat import ChatAdapter
from bot.domain.database import Database
from bot.domain.messages import Conversation, Place, PlatformPerson
from bot.domain.people import KnownPerson, KnowsProfiles, LastTalk, Profile
from bot.errors import DeliveryError
from bot.sessions.people.contacts import Contacts
from bot.sessions.people.directory_store import authors_since, last_public, last_together

PATIENCE_S = 3.0
"""So long a platform may take to tell a profile: somebody waits."""
_MENTION = re.compile(
    r"\s*<@!?(?P<id>[A-Z0-9]+)(?:\|[^>]*)?>\s*|\s*@?(?P<bare>\d{15,20}|[UW][A-Z0-9]{6,14})\s*"
)
_DISCORD = re.compile(r"discord-(?P<id>\d+)")
_SLACK = re.compile(r"slack-(?P<team>[A-Z0-9]+)-(?P<id>[A-Z0-9]+)")


class HouseDirectory:
    """Implements `domain.people.Directory`."""

    def __init__(
        self,
        database: Database,
        contacts: Callable[[], Contacts],
        adapters: Callable[[], Mapping[str, ChatAdapter]],
    ) -> None:
        self._database = database
        self._contacts = contacts
        self._adapters = adapters
        self._read = 0
        """Number of the newest message whose author was told."""
        self._told: set[str] = set()

    async def newcomers(self) -> Sequence[KnownPerson]:
        found: dict[str, KnownPerson] = {}
        for contact in self._contacts().people:
            known = self._contacts().person(contact.id)
            if known is not None and known.role is not Role.BANNED:
                found[known.id] = KnownPerson(
                    known.id, known.name, known.role.rank, known.timezone or ""
                )
        for author in await authors_since(self._database, self._read):
            self._read = max(self._read, author.last)
            if author.person not in found:
                found[author.person] = KnownPerson(
                    author.person, author.name, self._rank(author.person)
                )
        new = [person for id_, person in found.items() if id_ not in self._told]
        self._told |= {person.id for person in new}
        return new

    async def profile(self, person: str) -> Profile | None:
        for platform, workspace, id_ in self._ids_of(person):
            adapter = self._adapters().get(platform)
            if not isinstance(adapter, KnowsProfiles):
                continue
            place = Conversation(platform, workspace, "", Place.CHANNEL)
            try:
                async with asyncio.timeout(PATIENCE_S):
                    found = await adapter.profile(PlatformPerson(id_, id_), place)
            except TimeoutError:
                raise DeliveryError(
                    f"{platform} does not tell the profile in time", retryable=True
                ) from None
            if found is not None:
                return found
        return None

    async def last_talk(self, asker: str, persons: Sequence[str]) -> LastTalk:
        together = await last_together(self._database, asker, persons)
        when, where = together or (None, "")
        return LastTalk(await last_public(self._database, persons), when, where)

    def mentioned(self, text: str, place: Conversation) -> str | None:
        found = _MENTION.fullmatch(text)
        if found is None or place.platform not in {"discord", "slack"}:
            return None
        sender = PlatformPerson(found["id"] or found["bare"], "")
        return self._contacts().resolve(place.platform, place.workspace, sender).id

    def _ids_of(self, person: str) -> list[tuple[str, str, str]]:
        """Platform, workspace and id there, for each account of a person."""
        contact = next((one for one in self._contacts().people if one.id == person), None)
        if contact is not None:
            discord = [("discord", "", id_) for id_ in contact.ids.get("discord", ())]
            return discord + [("slack", *_split(id_)) for id_ in contact.ids.get("slack", ())]
        if found := _DISCORD.fullmatch(person):
            return [("discord", "", found["id"])]
        if found := _SLACK.fullmatch(person):
            return [("slack", found["team"], found["id"])]
        return []

    def _rank(self, person: str) -> int:
        known: Person | None = self._contacts().person(person)
        return known.role.rank if known is not None else Role.GUEST.rank


def _split(id_: str) -> tuple[str, str]:
    team, _, user = id_.partition(":")
    return team, user

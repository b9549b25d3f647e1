"""A town of people who write, join, leave and search; it knows what each may find."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

from bot.assembly.own_plugins import KNOWN_PLATFORMS
from bot.domain.access import Person, Role
from bot.domain.database import Database, Unit
from bot.domain.messages import Conversation, Place, Visibility
from bot.domain.origins import Trust
from bot.domain.search import SearchHits, SearchQuery
from bot.domain.tool_context import ToolContext
from bot.sessions.people.contacts import Contacts
from bot.sessions.people.contacts_file import ContactList
from bot.sessions.records.channel_store import Channels
from bot.sessions.records.conversation_store import (
    NewMessage,
    conversation_write,
    delete_write,
    edit_write,
    message_write,
)
from bot.sessions.search.chat_search import ChatSearch
from bot.sessions.search.index import MessageIndex
from bot.sessions.settings import AccessSettings
from bot.testing.contexts import make_context
from bot.testing.fake_chat import FakeChat
from bot.testing.fake_clock import FakeClock
from bot.turns.engine import TurnEngine

TOPICS = ("budget", "garden", "server", "invoice", "launch", "预算", "Häuser")


@dataclass
class Line:
    """One message. `mark` is a word that no other message holds."""

    key: str
    author: str
    place: Conversation
    mark: str
    addressee: str = ""
    gone: bool = False


@dataclass
class SearchTown:
    """The town, on one database with one fake platform."""

    database: Database
    chance: Random
    people: Sequence[str]
    clock: FakeClock = field(default_factory=FakeClock)
    chat: FakeChat = field(default_factory=FakeChat)
    lines: list[Line] = field(default_factory=list[Line])
    places: list[Conversation] = field(default_factory=list[Conversation])
    was_private: set[str] = field(default_factory=set[str])

    def __post_init__(self) -> None:
        contacts = Contacts(
            Path("contacts.yaml"), ContactList((), ()), KNOWN_PLATFORMS, AccessSettings()
        )
        engine = TurnEngine(self.database, self.clock, owner="town")
        self.index = MessageIndex(self.database, self.clock)
        adapters = {self.chat.platform: self.chat}
        self.search = ChatSearch(self.database, self.index, adapters, contacts, engine)
        self._channels = Channels(self.database)
        self._numbers = itertools.count(1)

    async def build(self, channels: int) -> None:
        """Make channels in two workspaces, half private, each with an open and a closed thread."""
        for number in range(channels):
            visibility = self.chance.choice((Visibility.PUBLIC, Visibility.PRIVATE))
            workspace = self.chance.choice(("w", "w", "elsewhere"))
            room = Conversation(
                "discord", workspace, f"c{number}", Place.CHANNEL, visibility=visibility
            )
            threads = [
                Conversation(
                    "discord",
                    workspace,
                    f"c{number}{kind}",
                    Place.THREAD,
                    "",
                    room.id,
                    "",
                    visibility,
                    closed=kind == "closed",
                )
                for kind in ("open", "closed")
            ]
            self.places += [room, *threads]
            self.chat.readers.of[room.id] = set(self._some())
            self.chat.readers.of[threads[1].id] = set(self._some()) & self.chat.readers.of[room.id]
            for one in (room, *threads):
                await self._notice(one)
        self.places += [
            Conversation("discord", "dm", f"dm-{name}", Place.DM) for name in self.people
        ]

    async def say(self, count: int) -> None:
        """Let people write, and the assistant answer now and then."""
        unit = Unit()
        for _ in range(count):
            place, number = self.chance.choice(self.places), next(self._numbers)
            who = (
                place.id.removeprefix("dm-")
                if place.place is Place.DM
                else self.chance.choice(self.people)
            )
            own = self.chance.random() < 0.2
            author = "agent:assistant" if own else f"discord-{who}"
            line = Line(
                f"discord:{number}",
                author,
                place,
                f"mark{number}x",
                f"discord-{who}" if own else "",
            )
            unit += self._kept(line)
            self.lines.append(line)
            if len(unit.writes) >= 100:
                await self.database.write(unit)
                unit = Unit()
        await self.database.write(unit)

    async def change(self) -> None:
        """Make a join, a leave, a change of visibility, an edit or a deletion."""
        match self.chance.randrange(5):
            case 0:
                self.chat.readers.of[self.chance.choice(list(self.chat.readers.of))] ^= set(
                    self._some()
                )
            case 1:
                at = self.chance.choice(
                    [n for n, one in enumerate(self.places) if one.place is Place.CHANNEL]
                )
                seen = self.chance.choice((Visibility.PUBLIC, Visibility.PRIVATE))
                self.places[at] = replace(self.places[at], visibility=seen)
                await self._notice(self.places[at])
            case 2 if standing := [one for one in self.lines if not one.gone]:
                line = self.chance.choice(standing)
                line.gone = True
                await self.database.write(Unit.of(delete_write(line.key, self.clock.now())))
            case 3 if standing := [one for one in self.lines if not one.gone]:
                line = self.chance.choice(standing)
                line.mark = f"mark{next(self._numbers)}x"
                await self.clock.advance(1)
                text = f"{self.chance.choice(TOPICS)} {line.mark}"
                await self.database.write(Unit.of(edit_write(line.key, text, self.clock.now())))
            case _:
                await self.say(1)

    async def ask(self, wanted: SearchQuery, who: str, here: Conversation) -> SearchHits:
        """Let somebody search in a place that they are in."""
        return await self.search.find(await self.context(who, here), wanted)

    async def context(self, who: str, here: Conversation) -> ToolContext:
        location = await self._channels.locate(here)
        person = Person(f"discord-{who}", who, Role.FRIEND)
        return replace(
            make_context(person, at=here), location=location, private=here.place is Place.DM
        )

    def may_find(self, who: str, here: Conversation) -> set[str]:
        """Return the marks of all messages that somebody may see, by the rules alone."""
        return {line.mark for line in self.lines if not line.gone and self._may(line, who, here)}

    def _may(self, line: Line, who: str, here: Conversation) -> bool:
        place = line.place
        if place.place is Place.DM:
            return here.place is Place.DM and f"discord-{who}" in {line.author, line.addressee}
        channel = place.channel or place.id
        closed = place.id.endswith("closed")
        if who not in self.chat.readers.of[channel] or (
            closed and who not in self.chat.readers.of[place.id]
        ):
            return False
        if here.place is Place.DM or here == place:
            return True
        same = (here.workspace, here.channel or here.id) == (place.workspace, channel)
        room = next(one for one in self.places if one.id == channel)
        public = room.visibility is Visibility.PUBLIC and room.key not in self.was_private
        return not closed and (same or (public and here.workspace == place.workspace))

    def _kept(self, line: Line) -> Unit:
        text = f"{self.chance.choice(TOPICS)} {line.mark} {self.chance.choice(TOPICS)}"
        row = NewMessage(
            line.key,
            line.place.key,
            line.author,
            line.author,
            Trust.MEMBER,
            text,
            self.clock.now(),
            line.addressee,
        )
        kept = conversation_write(line.place, line.place.place is Place.DM, self.clock.now())
        return Unit.of(kept, message_write(row))

    async def _notice(self, room: Conversation) -> None:
        if room.visibility is Visibility.PRIVATE:
            self.was_private.add(room.key)
        await self.database.write((await self._channels.notice(room, self.clock.now())).unit)

    def _some(self) -> list[str]:
        return [name for name in self.people if self.chance.random() < 0.5]


def marks(found: SearchHits) -> set[str]:
    """Return the marks in the search results."""
    return {word for hit in found.hits for word in hit.snippet.split() if word.startswith("mark")}

"""What was learned in a public channel, once not everybody reads it."""

from dataclasses import replace
from pathlib import Path

from bot.assembly.own_plugins import KNOWN_PLATFORMS
from bot.domain.chat import ChatAdapter
from bot.domain.database import Database
from bot.domain.messages import Conversation, Place, Visibility
from bot.domain.places import Location
from bot.domain.privacy import Learned, Viewer
from bot.errors import DeliveryError
from bot.sessions.people.contacts import Contacts
from bot.sessions.people.people import OpenPlaces, Readers
from bot.sessions.records.channel_store import Channels
from bot.testing.contexts import make_person
from bot.testing.fake_chat import FakeChat, FakeReaders
from bot.testing.fake_clock import FakeClock

SQUARE = Conversation("discord", "g", "square", Place.CHANNEL, visibility=Visibility.PUBLIC)
PLAZA = replace(SQUARE, id="plaza")
DM = Conversation("discord", "dm", "d", Place.DM)
FROM_SQUARE = Learned.at(Location.of(SQUARE))


class Away(FakeReaders):
    """A platform that can't be asked."""

    asked = 0

    async def visibility(self, channel: Conversation) -> Visibility:
        self.asked += 1
        raise DeliveryError("away", retryable=True)


class Houses:
    """Looks at Discord now and then."""

    def __init__(self, database: Database, path: Path) -> None:
        self.chat, contacts = FakeChat(), Contacts.load(path / "contacts.yaml", KNOWN_PLATFORMS)
        self.adapters = dict[str, ChatAdapter](discord=self.chat)
        clock = FakeClock()
        self.places = OpenPlaces(Channels(database), Readers(self.adapters, contacts), clock)
        self.channels = Channels(database, self.places.withdrawn)

    async def shown(self) -> set[str]:
        """Look again; return where Ann sees what she said in the square, and what others see."""
        await self.places.look()
        ann, found = make_person("ann"), set[str]()
        for here in (SQUARE, PLAZA, DM):
            viewer = Viewer.at(await self.channels.locate_for("ann", here), ann)
            found |= {here.id} if viewer.sees("ann", FROM_SQUARE) else set()
            found |= {f"{here.id} of others"} if viewer.sees("ben", FROM_SQUARE) else set()
        return found


EVERYWHERE = {"square", "plaza", "d", "square of others", "plaza of others", "d of others"}
THERE = {"square", "d", "square of others"}


async def test_as_its_platform_tells_now(database: Database, tmp_path: Path):
    made = Houses(database, tmp_path)
    for place in (SQUARE, PLAZA):
        noticed = await made.channels.notice(place, FakeClock().now())
        await database.write(noticed.unit)
    assert await made.shown() == EVERYWHERE
    for now in (Visibility.PRIVATE, Visibility.SHARED, Visibility.UNKNOWN):
        made.chat.readers.now["square"] = now
        assert await made.shown() == THERE
    made.chat.readers = Away()
    assert await made.shown() == THERE, "the last answer holds"
    made.chat.readers = FakeReaders()
    assert await made.shown() == EVERYWHERE
    made.chat.readers = away = Away()
    assert await made.shown() == EVERYWHERE, "the last answer holds"
    assert away.asked == 1, "whoever does not answer is not asked for each channel"


async def test_a_platform_that_is_not_connected_tells_nothing(database: Database, tmp_path: Path):
    made = Houses(database, tmp_path)
    noticed = await made.channels.notice(SQUARE, FakeClock().now())
    await database.write(noticed.unit)
    made.adapters.clear()
    assert await made.shown() == THERE

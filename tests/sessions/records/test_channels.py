"""What is known of channels and threads, by what messages reported."""

from dataclasses import replace

from bot.domain.database import Database
from bot.domain.messages import Conversation, Place, Visibility
from bot.domain.places import UNSURE, Reach
from bot.sessions.records.channel_store import Channels
from bot.testing.fake_clock import FakeClock

NOW = FakeClock().now()
CHANNEL = Conversation("discord", "g", "c", Place.CHANNEL, visibility=Visibility.PUBLIC)
THREAD = replace(CHANNEL, id="t", place=Place.THREAD, channel="c")
CLOSED = replace(THREAD, closed=True)


async def noticed(database: Database, channels: Channels, place: Conversation) -> None:
    found = await channels.notice(place, NOW, remembered=True)
    await database.write(found.unit)


async def test_a_closed_thread_stays_known_without_its_flag(database: Database):
    channels = Channels(database)
    for _ in range(3):
        await noticed(database, channels, CHANNEL)
        await noticed(database, channels, CLOSED)
    for known in (channels, Channels(database)):
        here = await known.locate(THREAD)
        assert (here.reaches, here.audience_key) == ({Reach.PRIVATE}, "discord:g:t")
        assert here.channel_key == "discord:g:c"
        assert (await known.locate(CHANNEL)).reaches == {Reach.PUBLIC}
        assert (await known.locate(replace(THREAD, id="t2"))).audience_key == "discord:g:c"
    found = await channels.notice(THREAD, NOW, remembered=True)
    assert found.location.audience_key == "discord:g:t"


async def test_a_channel_that_another_company_left_keeps_what_was_learned(database: Database):
    channels = Channels(database)
    await noticed(database, channels, replace(CHANNEL, visibility=Visibility.SHARED))
    here = await channels.locate(replace(CHANNEL, visibility=Visibility.UNKNOWN))
    assert (here.shared, here.reaches) == (True, UNSURE)
    await noticed(database, channels, CHANNEL)
    here = await channels.locate(CHANNEL)
    assert (here.shared, here.reaches) == (False, UNSURE)

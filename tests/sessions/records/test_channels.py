"""What is known of channels and threads, and which workspaces a direct message belongs to."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from bot.domain.database import Database, Unit
from bot.domain.messages import DIRECT, Conversation, Place, Visibility
from bot.domain.origins import Trust
from bot.domain.places import UNSURE, Reach
from bot.sessions.records.channel_store import Channels
from bot.sessions.records.conversation_store import NewMessage, message_write
from bot.testing.fake_clock import FakeClock

NOW = FakeClock().now()
CHANNEL = Conversation("discord", "g", "c", Place.CHANNEL, visibility=Visibility.PUBLIC)
THREAD = replace(CHANNEL, id="t", place=Place.THREAD, channel="c")
CLOSED = replace(THREAD, closed=True)
AT = datetime(2026, 11, 23, tzinfo=UTC)
DISCORD_DM = Conversation("discord", DIRECT, "dm-ann")
TERMINAL = Conversation("terminal", "local", "chat")
SLACK_DM = Conversation("slack", "T1", "D1")


async def noticed(database: Database, channels: Channels, place: Conversation) -> None:
    found = await channels.notice(place, NOW)
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
    found = await channels.notice(THREAD, NOW)
    assert found.location.audience_key == "discord:g:t"


async def test_a_channel_that_another_company_left_keeps_what_was_learned(database: Database):
    channels = Channels(database)
    await noticed(database, channels, replace(CHANNEL, visibility=Visibility.SHARED))
    here = await channels.locate(replace(CHANNEL, visibility=Visibility.UNKNOWN))
    assert (here.shared, here.reaches) == (True, UNSURE)
    await noticed(database, channels, CHANNEL)
    here = await channels.locate(CHANNEL)
    assert (here.shared, here.reaches) == (False, UNSURE)


async def heard(database: Database, author: str, platform: str, workspace: str) -> None:
    """Note a public channel, and a message in it."""
    room = Conversation(
        platform, workspace, f"room-{workspace}", Place.CHANNEL, visibility=Visibility.PUBLIC
    )
    noticed = await Channels(database).notice(room, AT)
    key = f"{author} {room.key}"
    said = message_write(NewMessage(key, room.key, author, author, Trust.MEMBER, "hello", AT))
    await database.write(noticed.unit + Unit.of(said))


async def homes(database: Database, person: str, where: Conversation) -> frozenset[str]:
    return (await Channels(database).locate_for(person, where)).workspaces


@pytest.mark.parametrize("where", [DISCORD_DM, TERMINAL])
async def test_the_only_workspace_is_everybodys(database: Database, where: Conversation):
    assert await homes(database, "ann", where) == frozenset()
    await heard(database, "ben", "discord", "1001")
    assert await homes(database, "ann", where) == frozenset({"discord:1001"})


async def test_of_several_workspaces_those_count_where_the_person_wrote(database: Database):
    await heard(database, "ben", "discord", "1001")
    await heard(database, "ann", "discord", "1002")
    await heard(database, "ann", "slack", "T1")
    assert await homes(database, "ann", DISCORD_DM) == frozenset({"discord:1002"})
    assert await homes(database, "ann", TERMINAL) == frozenset({"discord:1002", "slack:T1"})
    assert await homes(database, "eve", DISCORD_DM) == frozenset()
    assert await homes(database, "ann", SLACK_DM) == frozenset({"slack:T1"})
    await heard(database, "ann", "postbox", "hall")  # of a plug-in that the house doesn't know
    assert "postbox:hall" in await homes(database, "ann", TERMINAL)

"""discord.py with randomly changed payloads: no event or message stops the reading."""

import asyncio
from typing import Any, cast

import discord
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.chat.unreadable import Unreadable
from bot.domain.json_types import JsonObject
from bot.domain.messages import PlatformPerson
from bot.plugins.discord_chat.event_reader import GatewayEventReader
from bot.plugins.discord_chat.objects import seen_message
from bot.plugins.discord_chat.seen import SeenPlace

AUTHOR: JsonObject = {
    "id": "3",
    "username": "ann",
    "global_name": "Ann",
    "discriminator": "0",
    "avatar": None,
}
MEMBER: JsonObject = {
    "roles": ["9"],
    "joined_at": "2026-01-01T00:00:00+00:00",
    "deaf": False,
    "mute": False,
    "flags": 0,
}
FILE: JsonObject = {
    "id": "4",
    "filename": "a.txt",
    "size": 3,
    "url": "https://x/a",
    "proxy_url": "https://x/a",
}
PLAIN: JsonObject = {
    "id": "1574003155509706752",
    "channel_id": "2",
    "guild_id": "1",
    "type": 0,
    "author": AUTHOR,
    "member": MEMBER,
    "content": "hello <@3>",
    "timestamp": "2026-01-01T00:00:00+00:00",
    "edited_timestamp": None,
    "tts": False,
    "mention_everyone": False,
    "mentions": [{**AUTHOR, "member": MEMBER}],
    "mention_roles": ["9"],
    "attachments": [FILE],
    "embeds": [],
    "components": [],
    "sticker_items": [{"id": "6", "name": "wave", "format_type": 1}],
    "flags": 0,
}
THREAD: JsonObject = {
    "id": "77",
    "type": 11,
    "name": "t",
    "parent_id": "2",
    "owner_id": "3",
    "guild_id": "1",
    "message_count": 1,
    "member_count": 1,
    "thread_metadata": {
        "archived": False,
        "auto_archive_duration": 1440,
        "archive_timestamp": "2026-01-01T00:00:00+00:00",
        "locked": False,
    },
}
MESSAGE: JsonObject = {
    **PLAIN,
    "type": 19,
    "message_reference": {"type": 0, "message_id": "5", "channel_id": "2", "guild_id": "1"},
    "referenced_message": {**PLAIN, "id": "5"},
    "message_snapshots": [{"message": PLAIN}],
    "interaction_metadata": {
        "id": "1",
        "type": 2,
        "user": AUTHOR,
        "authorizing_integration_owners": {},
    },
    "thread": THREAD,
}
CHANNEL: JsonObject = {
    "id": "2",
    "type": 0,
    "name": "general",
    "position": 0,
    "permission_overwrites": [],
}
GUILD: JsonObject = {
    "id": "1",
    "name": "Home",
    "owner_id": "3",
    "roles": [
        {
            "id": "1",
            "name": "@everyone",
            "permissions": "8",
            "position": 0,
            "color": 0,
            "colors": {},
        }
    ],
    "channels": [CHANNEL],
    "threads": [THREAD],
    "members": [{**MEMBER, "user": AUTHOR}],
    "unavailable": False,
}
INTERACTION: JsonObject = {
    "id": "7",
    "application_id": "8",
    "type": 3,
    "token": "t",
    "version": 1,
    "attachment_size_limit": 1,
    "guild_id": "1",
    "channel_id": "2",
    "channel": CHANNEL,
    "member": {**MEMBER, "user": AUTHOR, "permissions": "8"},
    "data": {"custom_id": "x", "component_type": 2},
    "message": MESSAGE,
    "entitlements": [],
}
EVENTS: dict[str, JsonObject] = {
    "MESSAGE_CREATE": MESSAGE,
    "MESSAGE_UPDATE": {**MESSAGE, "edited_timestamp": "2026-01-01T00:00:00+00:00"},
    "MESSAGE_DELETE": {"id": "5", "channel_id": "2", "guild_id": "1"},
    "MESSAGE_DELETE_BULK": {"ids": ["5"], "channel_id": "2", "guild_id": "1"},
    "GUILD_CREATE": GUILD,
    "CHANNEL_UPDATE": {**CHANNEL, "guild_id": "1"},
    "THREAD_CREATE": {**THREAD, "guild_id": "1"},
    "GUILD_ROLE_UPDATE": {"guild_id": "1", "role": GUILD["roles"][0]},
    "GUILD_MEMBER_UPDATE": {**MEMBER, "guild_id": "1", "user": AUTHOR},
    "INTERACTION_CREATE": INTERACTION,
}
STRANGE = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-1, 2**70),
    st.floats(allow_nan=False),
    st.text(max_size=5),
    st.just([]),
    st.just([None]),
    st.just([{}]),
    st.just({}),
    st.just({"id": None}),
)


@st.composite
def changed(draw: st.DrawFn, valid: Any) -> Any:
    """A payload with up to four values anywhere in it removed, or of another kind."""
    data = valid
    for _ in range(draw(st.integers(1, 4))):
        data = _changed_once(draw, data)
    return data


def _changed_once(draw: st.DrawFn, data: Any) -> Any:
    inner: list[Any] = []
    if isinstance(data, dict | list):
        inner = [*cast("Any", data)] if isinstance(data, dict) else [*range(len(cast("Any", data)))]
    if not inner:
        return draw(STRANGE)
    where = draw(st.sampled_from(inner))
    if draw(st.booleans()):
        now = _changed_once(draw, data[where])
    elif isinstance(data, dict) and draw(st.booleans()):
        return {name: value for name, value in cast("JsonObject", data).items() if name != where}
    else:
        now = draw(STRANGE)
    if isinstance(data, dict):
        return {**cast("JsonObject", data), where: now}
    return [*data[:where], now, *data[where + 1 :]]


class Client(discord.Client):
    def __init__(self) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True, messages=True, message_content=True),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
        )
        self.unreadable = Unreadable("discord")
        self.reader = GatewayEventReader(self, self.unreadable)
        self.reader.guard()
        self.dispatched: list[str] = []
        self._connection._ready_state = asyncio.Queue()
        self._connection.user = discord.ClientUser(
            state=self._connection, data=cast("Any", {**AUTHOR, "id": "8"})
        )

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        self.dispatched.append(event)


@pytest.mark.parametrize("event", [*EVENTS])
@given(data=st.data())
async def test_no_event_of_the_gateway_ends_the_connection(event: str, data: st.DataObject):
    client = Client()
    parsers = client._connection.parsers
    parsers["GUILD_CREATE"](GUILD)
    assert client.unreadable.count == 0
    parsers[event](data.draw(changed(EVENTS[event])))
    parsers["MESSAGE_CREATE"]({**PLAIN, "id": "1574003155509706753"})
    assert client.dispatched[-1] == "message"  # what comes next is read


@pytest.mark.parametrize("event", [*EVENTS])
async def test_the_payloads_are_valid_as_they_stand(event: str):
    client = Client()
    client._connection.parsers["GUILD_CREATE"](GUILD)
    client._connection.parsers[event](EVENTS[event])
    assert client.unreadable.count == 0


@given(data=st.data())
async def test_a_message_of_a_history_is_read_or_skipped(data: st.DataObject):
    client = Client()
    place, author = SeenPlace("2", "1"), PlatformPerson("3", "Ann")
    read: list[str] = []
    for raw in (data.draw(changed(MESSAGE)), PLAIN):
        with client.unreadable.skipping("message"):
            message = client.reader.message(raw)
            read.append(seen_message(message, place, author, "8").content)
    assert read[-1].startswith("hello")
    assert len(read) + client.unreadable.count == 2


@pytest.mark.parametrize("event", ["MESSAGE_CREATE", "MESSAGE_UPDATE"])
async def test_the_echo_of_our_own_post_is_dropped_before_it_is_built(event: str):
    client = Client()
    own = {**PLAIN, "author": {**AUTHOR, "id": "8"}, "edited_timestamp": PLAIN["timestamp"]}
    client._connection.parsers[event](own)
    assert client.dispatched == []
    assert client.unreadable.count == 0
    client._connection.parsers[event]({**own, "author": AUTHOR})
    assert client.dispatched != []

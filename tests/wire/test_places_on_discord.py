"""Every kind of place of Discord: who reads along, and what is shown there."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from bot.domain.messages import Conversation, IncomingMessage, Place, Visibility
from bot.domain.places import Location, Reach
from bot.domain.privacy import Learned
from bot.errors import DeliveryError
from bot.loopback.discord import Channel
from bot.loopback.discord.world import ChannelKind
from bot.testing.discord_house import House, house
from bot.testing.discord_town import Town, town
from bot.testing.scripted_model import ScriptedModel, call, say
from bot.testing.waiting import until

PRIVATE, PUBLIC = frozenset({Reach.PRIVATE}), frozenset({Reach.PUBLIC})


def made_in(
    made: Town,
    kind: ChannelKind,
    *,
    hidden: bool = False,
    barred: bool = False,
    forgets: bool = False,
) -> Channel:
    channel = made.platform.channel(made.guild, "room", kind)
    channel.forgets = forgets
    channel.hidden, channel.barred, channel.admits = hidden, barred, {made.ann.user.id}
    made.platform.gateway.dispatch("CHANNEL_CREATE", made.platform.payloads.channel(channel))
    return channel


def the_channel(message: IncomingMessage) -> Conversation:
    """The channel of a message, whose own thread opens with the answer."""
    there = message.conversation
    return replace(there, id=there.channel or there.id, place=Place.CHANNEL, channel="")


async def seen(made: Town, room: Conversation) -> Visibility | None:
    """Who reads a channel; None while Discord can't be asked."""
    try:
        return await made.chat.readers.visibility(room)
    except DeliveryError:
        return None


async def said_in(made: Town, channel: Channel) -> IncomingMessage:
    made.ann.say(channel, "hello", mention=True)
    return await made.heard()


@pytest.mark.parametrize(
    ("kind", "hidden", "barred", "reaches"),
    [
        (ChannelKind.TEXT, False, False, PUBLIC),
        (ChannelKind.TEXT, True, False, PRIVATE),
        (ChannelKind.ANNOUNCEMENT, False, False, PUBLIC),
        (ChannelKind.ANNOUNCEMENT, True, False, PRIVATE),
        (ChannelKind.VOICE, False, False, PUBLIC),
        (ChannelKind.VOICE, True, False, PRIVATE),
        (ChannelKind.VOICE, False, True, PRIVATE),
        (ChannelKind.STAGE, False, False, PUBLIC),
        (ChannelKind.STAGE, False, True, PRIVATE),
    ],
)
async def test_channels(
    made: Town, kind: ChannelKind, hidden: bool, barred: bool, reaches: frozenset[Reach]
):
    channel = made_in(made, kind, hidden=hidden, barred=barred)
    message = await said_in(made, channel)
    here = Location.of(message.conversation)
    assert (here.reaches, here.thread, here.channel) == (reaches, "", str(channel.id))
    readers, room = made.chat.readers, the_channel(message)
    assert await readers.may_read(made.ann.id, room)
    assert await readers.may_read(made.bob.id, room) is (reaches == PUBLIC)


@pytest.mark.parametrize(
    ("kind", "hidden", "closed", "reaches"),
    [
        (ChannelKind.TEXT, False, False, PUBLIC),
        (ChannelKind.TEXT, False, True, PRIVATE),
        (ChannelKind.TEXT, True, False, PRIVATE),
        (ChannelKind.TEXT, True, True, PRIVATE),
        (ChannelKind.ANNOUNCEMENT, False, False, PUBLIC),
        (ChannelKind.ANNOUNCEMENT, True, False, PRIVATE),
        (ChannelKind.FORUM, False, False, PUBLIC),
        (ChannelKind.FORUM, True, False, PRIVATE),
        (ChannelKind.MEDIA, False, False, PUBLIC),
        (ChannelKind.MEDIA, True, False, PRIVATE),
    ],
)
async def test_threads_and_posts(
    made: Town, kind: ChannelKind, hidden: bool, closed: bool, reaches: frozenset[Reach]
):
    channel = made_in(made, kind, hidden=hidden)
    thread = made.ann.open_thread(channel, "topic", *([made.ann] if closed else []))
    message = await said_in(made, thread)
    assert message.conversation.place is Place.THREAD
    here = Location.of(message.conversation)
    assert (here.reaches, here.channel) == (reaches, str(channel.id))
    assert here.thread == (str(thread.id) if closed else "")
    readers = made.chat.readers
    assert await readers.may_read(made.ann.id, message.conversation)
    assert await readers.may_read(made.bob.id, message.conversation) is (reaches == PUBLIC)
    assert await readers.reads_like_channel(message.conversation) is not closed


async def test_who_may_not_read_the_history_is_told_apart(made: Town):
    channel = made_in(made, ChannelKind.TEXT, forgets=True)
    thread = made.ann.open_thread(channel, "topic")
    assert (await said_in(made, thread)).sees_past
    made.bob.say(thread, "hello", mention=True)
    assert not (await made.heard(2)).sees_past
    made.bob.say(made.bob.dm, "hello")
    assert (await made.heard(3)).sees_past


async def test_a_group_is_no_direct_message():
    async with town(personal=True) as made:
        await made.platform.until(lambda: made.platform.interactions.commands)
        group = made.platform.world.add_group(made.ann.user.id, made.bob.user.id)
        made.ann.slash(group, "status")
        message = await made.heard()
        here = Location.of(message.conversation)
        assert (here.reaches, message.private) == (PRIVATE, False)
        assert Learned.at(here) == Learned(Reach.PRIVATE, f"discord:dm:{group.id}")
        assert not await made.chat.readers.may_read(made.bob.id, message.conversation)
        made.ann.slash(made.ann.dm, "status")
        direct = await made.heard(2)
        assert (direct.conversation.place, direct.private) == (Place.DM, True)


async def test_permissions_count_as_they_are_now_and_a_deleted_place_is_read_by_nobody(made: Town):
    open_ = await said_in(made, made.general)
    assert Location.of(open_.conversation).reaches == PUBLIC
    readers, room = made.chat.readers, the_channel(open_)
    await until(lambda: seen(made, room))  # until the servers are listed
    assert await readers.visibility(room) is Visibility.PUBLIC
    made.general.hidden = True
    made.platform.moved(made.general)
    made.ann.say(made.general, "and now?", mention=True)
    assert Location.of((await made.heard(2)).conversation).reaches == PRIVATE
    assert await readers.visibility(room) is Visibility.PRIVATE
    assert not await readers.may_read(made.bob.id, room)
    thread = made.ann.open_thread(made.general, "topic", made.ann)
    made.ann.say(thread, "here", mention=True)
    there = (await made.heard(3)).conversation
    for gone in (thread, made.general):
        made.platform.posts.remove_channel(gone)
    assert not await readers.may_read(made.ann.id, there)
    assert not await readers.reads_like_channel(there)
    made.ann.say(made.ann.dm, "after that")
    await made.heard(4)
    assert await readers.visibility(room) is Visibility.UNKNOWN


SAVED = [
    call("manage_todos", {"action": "create", "title": "zebra surgery"}),
    call("manage_notes", {"action": "add", "is_agent_note": False, "title": "zebra note"}),
    call("manage_notes", {"action": "add", "is_agent_note": True, "title": "zebra board"}),
    call("knowledge_store", {"content": "The zebra is ill.", "type": "fact", "importance": 0.5}),
]
ASKED = [
    call("manage_todos", {"action": "list"}),
    call("manage_notes", {"action": "list", "is_agent_note": False}),
    call("manage_notes", {"action": "list", "is_agent_note": True}),
    call("knowledge_search", {"query": "zebra"}),
    call("search", {"query": "zebra"}),
    call("remember", {"query": "zebra"}),
]


async def shown(made: House, model: ScriptedModel, where: Channel, number: int) -> list[str]:
    """Ask for everything in a place; return what each tool showed."""
    model.add(*ASKED, say(f"answer {number}"))
    said = made.ann.say(where, f"question {number}", mention=where is not made.ann.dm)
    place = where
    if where is made.general:
        place = await made.thread(said)
    await made.reads(made.ann, place, f"answer {number}")
    blocks: list[Any] = [
        block
        for message in model.requests[-1].messages
        if isinstance(message["content"], list)
        for block in cast("list[Any]", message["content"])
    ]
    results = [json.dumps(one["content"]) for one in blocks if one.get("type") == "tool_result"]
    return results[-len(ASKED) :]


async def test_what_a_private_thread_learned_stays_there(tmp_path: Path):
    model = ScriptedModel()
    async with house(tmp_path, model) as made:
        thread = made.ann.open_thread(made.general, "clinic", made.ann)
        model.add(*SAVED, say("saved"))
        made.ann.say(thread, "note that the zebra has surgery", mention=True)
        await made.reads(made.ann, thread, "saved")

        for one in await shown(made, model, made.general, 1):
            assert "zebra" not in one.replace("question", "")
        for place, number in ((thread, 2), (made.ann.dm, 3)):
            for tool, one in zip(ASKED, await shown(made, model, place, number), strict=True):
                assert "zebra" in one, (number, tool)

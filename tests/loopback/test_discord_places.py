"""Polls, posts of forums and events on the loopback Discord, driven by plain discord.py."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

import discord
import pytest
from discord.http import Route

from bot.domain.json_types import JsonObject
from bot.loopback.discord.bodies import ApiError
from bot.loopback.discord.world import Channel, ChannelKind
from bot.testing.discord_probe import Town, soon


def poll(question: str = "Tea?", **more: object) -> JsonObject:
    answers = [{"poll_media": {"text": text}} for text in ("yes", "no")]
    return {"question": {"text": question}, "answers": answers, "duration": 1, **more}


async def refused(call: Callable[[], Awaitable[object]]) -> int:
    """The code of Discord's error."""
    with pytest.raises(discord.HTTPException) as failed:
        await call()
    return failed.value.code


async def posted(made: Town, body: JsonObject) -> discord.Message:
    route = Route("POST", f"/channels/{made.general.id}/messages")
    data = await made.client.http.request(route, json={"poll": body})
    return await made.room.fetch_message(int(data["id"]))


async def test_a_poll_counts_votes_until_it_ends_and_tells_its_result(made: Town):
    asked = discord.Poll("Tea?", timedelta(hours=2), multiple=True)
    for text in ("yes", "no"):
        asked.add_answer(text=text)
    sent = await made.room.send(poll=asked)
    shown = made.general.messages[sent.id]
    made.ann.vote(shown, "yes")
    found = (await made.room.fetch_message(sent.id)).poll
    assert found is not None
    assert [(one.text, one.vote_count) for one in found.answers] == [("yes", 1), ("no", 0)]
    assert (found.multiple, found.is_finalised()) == (True, False)
    ended = await sent.end_poll()
    assert ended.poll is not None
    assert ended.poll.is_finalised()
    await soon(lambda: any(one.type.value == 46 for one in made.client.heard))
    told = next(one for one in made.client.heard if one.type.value == 46)
    assert told.reference is not None
    assert told.reference.message_id == sent.id
    fields = {field.name: field.value for field in told.embeds[0].fields}
    assert (fields["victor_answer_text"], fields["total_votes"]) == ("yes", "1")
    assert await refused(sent.end_poll) == 520001
    with pytest.raises(ApiError, match="Poll expired"):
        made.ann.vote(shown, "no")


@pytest.mark.parametrize(
    "body",
    [
        poll("x" * 301),
        poll(""),
        poll(answers=[]),
        poll(answers=[{"poll_media": {"text": "x"}}] * 11),
        poll(answers=[{"poll_media": {"text": "x" * 56}}]),
        poll(duration=769),
    ],
)
async def test_what_is_no_poll_is_refused(made: Town, body: JsonObject):
    assert await refused(lambda: posted(made, body)) == 50035
    assert made.general.messages == {}


async def test_a_poll_of_somebody_else_is_not_ended_and_none_is_changed(made: Town):
    theirs = made.ann.poll(made.general, "Tea?", yes=1)
    message = await made.room.fetch_message(theirs.id)
    end = made.client.http.end_poll
    assert await refused(lambda: end(made.general.id, message.id)) == 50013
    words = made.ann.say(made.general, "no poll")
    words.author = made.platform.world.bot
    assert await refused(lambda: end(made.general.id, words.id)) == 520006
    mine = await posted(made, poll())
    edit = Route("PATCH", f"/channels/{made.general.id}/messages/{mine.id}")
    change = {"poll": poll("Coffee?")}
    assert await refused(lambda: made.client.http.request(edit, json=change)) == 520003


def forum(made: Town, *, needs_tag: bool = False) -> tuple[Channel, list[int]]:
    """A forum with six tags."""
    channel = made.platform.channel(made.guild, "help", ChannelKind.FORUM)
    channel.needs_tag = needs_tag
    tags = [made.platform.world.add_tag(channel, f"tag {number}") for number in range(6)]
    return channel, [tag.id for tag in tags]


async def test_a_post_has_up_to_five_tags_of_its_forum(made: Town):
    channel, tags = forum(made, needs_tag=True)
    first = made.platform.world.channels[channel.id].tags[tags[0]]
    message = made.ann.open_post(channel, "No mail", "why?", first)
    assert message.id == message.channel.id
    edit = made.client.http.edit_channel
    thread = message.channel.id
    await edit(thread, applied_tags=[str(one) for one in tags[:5]], auto_archive_duration=60)
    assert (message.channel.applied, message.channel.archive_minutes) == (tags[:5], 60)
    given = await made.client.fetch_channel(channel.id)
    assert isinstance(given, discord.ForumChannel)
    assert len(given.available_tags) == 6
    assert given.flags.require_tag
    assert await refused(lambda: edit(thread, applied_tags=[str(one) for one in tags])) == 50035
    assert await refused(lambda: edit(thread, applied_tags=["17"])) == 10087
    assert await refused(lambda: edit(thread, applied_tags=[])) == 40067
    assert await refused(lambda: edit(thread, auto_archive_duration=61)) == 50035


async def test_an_archived_post_is_changed_only_together_with_opening_it(made: Town):
    channel, tags = forum(made)
    thread = made.ann.open_post(channel, "No mail", "why?").channel
    edit = made.client.http.edit_channel
    await edit(thread.id, archived=True, locked=True)
    assert (thread.archived, thread.locked) == (True, True)
    assert await refused(lambda: edit(thread.id, applied_tags=[str(tags[0])])) == 50083
    await edit(thread.id, archived=False, applied_tags=[str(tags[0])])
    assert (thread.archived, thread.applied) == (False, [tags[0]])
    channel.denied.add("manage")
    assert await refused(lambda: edit(thread.id, locked=False)) == 50013


async def test_events_are_made_listed_and_cancelled_within_their_limits(made: Town):
    start = datetime.now(UTC) + timedelta(days=1)
    guild = made.client.get_guild(made.guild.id)
    assert guild is not None
    known = guild

    async def make(name: str = "Meetup", *, at: datetime = start) -> discord.ScheduledEvent:
        return await known.create_scheduled_event(
            name=name,
            start_time=at,
            end_time=start + timedelta(hours=2),
            location="Town hall",
            entity_type=discord.EntityType.external,
            privacy_level=discord.PrivacyLevel.guild_only,
        )

    event = await make()
    (listed,) = await known.fetch_scheduled_events(with_counts=True)
    assert (listed.name, listed.location, listed.user_count) == ("Meetup", "Town hall", 0)
    cancelled = await event.cancel()
    assert cancelled.status is discord.EventStatus.cancelled
    assert await refused(lambda: make("x" * 101)) == 50035
    assert await refused(lambda: make(at=datetime.now(UTC) - timedelta(hours=1))) == 50035
    assert await refused(lambda: make(at=start + timedelta(hours=3))) == 50035
    route = Route("PATCH", f"/guilds/{made.guild.id}/scheduled-events/17")
    cancel = {"status": 4}
    assert await refused(lambda: made.client.http.request(route, json=cancel)) == 10070
    made.platform.events.denied = True
    assert await refused(make) == 50013

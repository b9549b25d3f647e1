"""Polls and events of a Discord server: made after a yes, ended by who may."""

import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.domain.models import ModelReply
from bot.loopback.discord import Message
from bot.loopback.discord.payloads import SEND_POLLS
from bot.loopback.discord.world import ChannelKind, Guild, ScheduledEvent
from bot.testing.discord_house import House, house, serving, town
from bot.testing.scripted_model import Answer, ScriptedModel, call, say

SEARCH = call("tool_search", {"pattern": "polls"})
MAKE = call(
    "polls", {"action": "make", "question": "Which day?", "answers": ["Tue", "Thu"], "hours": 48}
)


def poll(action: str, **more: Any) -> ModelReply:
    return call("polls", {"action": action, **more})


async def polled(made: House) -> Message:
    """The poll that stands in the channel."""

    def found() -> Message | None:
        posted = [one for one in made.general.messages.values() if one.poll]
        return posted[-1] if posted else None

    return await made.platform.until(found)


def results(model: ScriptedModel) -> str:
    """What the model read in its last request."""
    return json.dumps(model.requests[-1].messages, ensure_ascii=False)


async def test_a_poll_stands_where_the_person_wrote_and_its_end_in_their_conversation(home: Path):
    script = [SEARCH, MAKE, say("Vote away."), poll("read"), say("Thu leads.")]
    model = ScriptedModel([*script, poll("end"), say("Thu it is."), say("Thu won.")], strict=True)
    async with house(home, model) as made:
        asked = made.ann.say(made.general, "make a poll for the meetup", mention=True)
        thread = await made.thread(asked)
        await made.reads(made.ann, thread, "Vote away.")
        posted = await polled(made)
        assert (posted.author, posted.reply_to) == (made.platform.world.bot, asked.id)
        assert posted.poll is not None
        assert posted.poll["question"]["text"] == "Which day?"
        made.ben.vote(posted, "Thu")
        made.ann.say(thread, "how does it look?", mention=True)
        await made.reads(made.ann, thread, "Thu leads.")
        assert '{\\"Tue\\": 0, \\"Thu\\": 1}' in results(model)
        made.ann.say(thread, "enough, end it", mention=True)
        await made.reads(made.ann, thread, "Thu it is.")
        assert posted.poll["results"]["is_finalized"]
        made.ben.say(thread, "so what won?", mention=True)
        await made.reads(made.ben, thread, "Thu won.")
        for line in ("[you, to all] The poll ended: Which day?", "- Thu: 1", "Most votes: Thu"):
            assert line in results(model)
        assert made.platform.refusals == []


@pytest.mark.parametrize("moderates", [True, False])
async def test_another_persons_poll_is_ended_by_who_may_remove_messages_alone(
    home: Path, moderates: bool
):
    model = ScriptedModel([SEARCH, MAKE, say("Vote away."), poll("end"), say("Well.")])
    async with town(home) as made:
        guild = made.general.guild
        assert guild is not None
        if moderates:
            made.ben.user.roles.append(made.platform.role(guild, "moderators").id)
        async with serving(made, home, model):
            await ended_by_ben(made, model, moderates=moderates)


async def ended_by_ben(made: House, model: ScriptedModel, *, moderates: bool) -> None:
    thread = await made.thread(made.ann.say(made.general, "make a poll", mention=True))
    await made.reads(made.ann, thread, "Vote away.")
    posted = await polled(made)
    made.ben.say(thread, "end it", mention=True)
    await made.reads(made.ben, thread, "Well.")
    refused = "only who had it made, and who may remove messages here" in results(model)
    assert refused is not moderates
    assert posted.poll is not None
    assert posted.poll["results"]["is_finalized"] is moderates


@pytest.mark.parametrize(
    ("withheld", "told"),
    [
        pytest.param(True, "Ann may not post polls here themself", id="from who asks"),
        pytest.param(False, "do that there; whoever manages the server can", id="from Bellhop"),
    ],
)
async def test_a_poll_that_may_not_be_posted_is_told_and_not_said_to_be_posted(
    home: Path, withheld: bool, told: str
):
    model = ScriptedModel([SEARCH, MAKE, say("Not here.")])
    async with house(home, model) as made:
        if withheld:
            made.general.withheld = SEND_POLLS
            made.platform.moved(made.general)
        else:
            made.general.denied.add("polls")
        asked = made.ann.say(made.general, "make a poll", mention=True)
        await made.reads(made.ann, await made.thread(asked), "Not here.")
        assert told in results(model)
        assert not any(one.poll for one in made.general.messages.values())


async def test_a_poll_of_somebody_else_is_read_and_never_ended(home: Path):
    script = [SEARCH, poll("read"), say("Tea."), poll("end"), say("I can't.")]
    model = ScriptedModel(script)
    async with house(home, model) as made:
        native = made.ben.poll(made.general, "Tea or coffee?", Tea=2, Coffee=1)
        asked = made.ann.say(made.general, "who leads in the poll?", mention=True)
        thread = await made.thread(asked)
        await made.reads(made.ann, thread, "Tea.")
        assert "Tea or coffee?" in results(model)
        made.ann.say(made.general, "end that poll", mention=True)
        await made.platform.until(lambda: model.left == 0)
        assert "the platform lets me end no other" in results(model)
        assert native.poll is not None
        assert not native.poll["results"]["is_finalized"]


SEARCH_EVENTS = call("tool_search", {"pattern": "server_events"})
STARTS = datetime.now(UTC).replace(microsecond=0) + timedelta(days=3)
WHEN = {"starts": STARTS.isoformat(), "ends": (STARTS + timedelta(hours=2)).isoformat()}
MEETUP = {"name": "Meetup", "where": "Town hall", "description": "Bring snacks.", **WHEN}


def events(action: str, **more: Any) -> ModelReply:
    return call("server_events", {"action": action, **more})


@asynccontextmanager
async def server(
    home: Path, script: Sequence[Answer], *, may: bool = True
) -> AsyncGenerator[tuple[House, Guild, ScriptedModel]]:
    """Ann may manage events, or not."""
    model = ScriptedModel(script)
    async with town(home) as made:
        guild = made.general.guild
        assert guild is not None
        if may:
            made.ann.user.roles.append(made.platform.role(guild, "organisers").id)
        async with serving(made, home, model):
            yield made, guild, model


async def test_an_event_is_made_after_a_yes_listed_and_cancelled_after_another(home: Path):
    script = [
        SEARCH_EVENTS,
        events("make", **MEETUP),
        say("It waits."),
        say("Made."),
        events("list"),
    ]
    async with server(home, [*script, say("One event.")]) as (made, guild, model):
        asked = made.ann.say(made.general, "make an event for the meetup", mention=True)
        thread = await made.thread(asked)
        card = await made.reads(made.ann, thread, "have the event “Meetup” made for everybody")
        assert "“Town hall”" in card.content
        assert not guild.events
        made.ann.click(card, "Approve")
        await made.reads(made.ann, thread, "Made.")
        (event,) = guild.events.values()
        assert event.body["entity_metadata"] == {"location": "Town hall"}
        assert (event.body["entity_type"], event.body["description"]) == (3, "Bring snacks.")
        event.interested = 4
        made.ann.say(thread, "which events are there?", mention=True)
        await made.reads(made.ann, thread, "One event.")
        for words in ("Meetup", "Town hall", '\\"interested\\": 4'):
            assert words in results(model)
        assert not [one for one in made.platform.refusals if "scheduled" in one]
    script = [SEARCH_EVENTS, events("cancel", event=str(event.id)), say("It waits."), say("Off.")]
    async with server(home, script) as (made, guild, model):
        guild.events[event.id] = ScheduledEvent(event.id, guild, made.ben.user.id, event.body)
        asked = made.ann.say(made.general, "cancel the meetup", mention=True)
        thread = await made.thread(asked)
        card = await made.reads(made.ann, thread, "have the event “Meetup” of")
        made.ann.click(card, "Approve")
        await made.reads(made.ann, thread, "Off.")
        assert guild.events[event.id].status == 4


async def test_who_may_not_make_events_there_is_not_even_asked(home: Path):
    script = [SEARCH_EVENTS, events("make", **MEETUP), say("You may not.")]
    async with server(home, script, may=False) as (made, guild, model):
        thread = await made.thread(made.ann.say(made.general, "make an event", mention=True))
        await made.reads(made.ann, thread, "You may not.")
        assert "Ann may not make events in this server themself" in results(model)
        assert not guild.events
        assert not [one for one in made.ann.sees(thread) if one.labels]


async def test_another_persons_event_is_cancelled_by_who_manages_events_alone(home: Path):
    async with server(home, [], may=False) as (made, guild, model):
        event = ScheduledEvent(made.platform.world.next_id(), guild, made.ben.user.id, _body())
        guild.events[event.id] = event
        tries = [events("cancel", event=str(event.id)), events("cancel", event="17")]
        model.add(SEARCH_EVENTS, *tries, say("No."))
        thread = await made.thread(made.ann.say(made.general, "cancel it", mention=True))
        await made.reads(made.ann, thread, "No.")
        assert "only who made that event, and who manages events here" in results(model)
        assert "there is no '17' ahead" in results(model)
        assert event.status == 1


async def test_an_event_in_the_past_is_refused_and_one_may_be_in_a_voice_channel(home: Path):
    past = {**MEETUP, "starts": "2020-01-01T10:00:00+00:00"}
    async with server(home, []) as (made, guild, model):
        voice = made.platform.channel(guild, "Lounge", ChannelKind.VOICE)
        there = {**MEETUP, "where": f"<#{voice.id}>"}
        short = {**there, "ends": "", "where": ""}
        tries = [events("make", **past), events("make", **short), events("make", **there)]
        model.add(SEARCH_EVENTS, *tries, say("It waits."), say("Made."))
        thread = await made.thread(made.ann.say(made.general, "make it in Lounge", mention=True))
        card = await made.reads(made.ann, thread, "have the event “Meetup” made")
        made.ann.click(card, "Approve")
        await made.reads(made.ann, thread, "Made.")
        told = json.dumps([one.messages for one in model.requests], ensure_ascii=False)
        assert "an event begins later than now" in told
        assert "make needs ends and where, too" in told
        (event,) = guild.events.values()
        assert (event.body["entity_type"], event.body["channel_id"]) == (2, str(voice.id))


async def test_discords_no_is_told(home: Path):
    script = [SEARCH_EVENTS, events("make", **MEETUP), say("It waits."), say("Not made.")]
    async with server(home, script) as (made, guild, model):
        made.platform.events.denied = True
        thread = await made.thread(made.ann.say(made.general, "make an event", mention=True))
        made.ann.click(await made.reads(made.ann, thread, "have the event"), "Approve")
        await made.reads(made.ann, thread, "Not made.")
        assert "only with the permission Create Events" in results(model)
        assert not guild.events


def _body() -> dict[str, Any]:
    start, end = STARTS.isoformat(), (STARTS + timedelta(hours=2)).isoformat()
    times = {"scheduled_start_time": start, "scheduled_end_time": end}
    return {"name": "Party", "entity_type": 3, "entity_metadata": {"location": "Roof"}, **times}

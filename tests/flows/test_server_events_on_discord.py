"""Events of a server on Discord: listed, made and cancelled by those who may."""

import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bot.domain.models import ModelReply
from bot.loopback.discord.world import ChannelKind, Guild, ScheduledEvent
from bot.testing.discord_house import House, serving, town
from bot.testing.scripted_model import Answer, ScriptedModel, call, say

SEARCH = call("tool_search", {"pattern": "server_events"})
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


def read(model: ScriptedModel) -> str:
    return json.dumps(model.requests[-1].messages, ensure_ascii=False)


async def test_an_event_is_made_after_a_yes_listed_and_cancelled_after_another(home: Path):
    script = [SEARCH, events("make", **MEETUP), say("It waits."), say("Made."), events("list")]
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
            assert words in read(model)
        assert not [one for one in made.platform.refusals if "scheduled" in one]
    script = [SEARCH, events("cancel", event=str(event.id)), say("It waits."), say("Off.")]
    async with server(home, script) as (made, guild, model):
        guild.events[event.id] = ScheduledEvent(event.id, guild, made.ben.user.id, event.body)
        asked = made.ann.say(made.general, "cancel the meetup", mention=True)
        thread = await made.thread(asked)
        card = await made.reads(made.ann, thread, "have the event “Meetup” of")
        made.ann.click(card, "Approve")
        await made.reads(made.ann, thread, "Off.")
        assert guild.events[event.id].status == 4


async def test_who_may_not_make_events_there_is_not_even_asked(home: Path):
    script = [SEARCH, events("make", **MEETUP), say("You may not.")]
    async with server(home, script, may=False) as (made, guild, model):
        thread = await made.thread(made.ann.say(made.general, "make an event", mention=True))
        await made.reads(made.ann, thread, "You may not.")
        assert "Ann may not make events in this server themself" in read(model)
        assert not guild.events
        assert not [one for one in made.ann.sees(thread) if one.labels]


async def test_another_persons_event_is_cancelled_by_who_manages_events_alone(home: Path):
    async with server(home, [], may=False) as (made, guild, model):
        event = ScheduledEvent(made.platform.world.next_id(), guild, made.ben.user.id, _body())
        guild.events[event.id] = event
        tries = [events("cancel", event=str(event.id)), events("cancel", event="17")]
        model.add(SEARCH, *tries, say("No."))
        thread = await made.thread(made.ann.say(made.general, "cancel it", mention=True))
        await made.reads(made.ann, thread, "No.")
        assert "only who made that event, and who manages events here" in read(model)
        assert "there is no '17' ahead" in read(model)
        assert event.status == 1


async def test_an_event_in_the_past_is_refused_and_one_may_be_in_a_voice_channel(home: Path):
    past = {**MEETUP, "starts": "2020-01-01T10:00:00+00:00"}
    async with server(home, []) as (made, guild, model):
        voice = made.platform.channel(guild, "Lounge", ChannelKind.VOICE)
        there = {**MEETUP, "where": f"<#{voice.id}>"}
        tries = [events("make", **past), events("make", **there)]
        model.add(SEARCH, *tries, say("It waits."), say("Made."))
        thread = await made.thread(made.ann.say(made.general, "make it in Lounge", mention=True))
        card = await made.reads(made.ann, thread, "have the event “Meetup” made")
        made.ann.click(card, "Approve")
        await made.reads(made.ann, thread, "Made.")
        told = json.dumps([one.messages for one in model.requests], ensure_ascii=False)
        assert "an event begins later than now" in told
        (event,) = guild.events.values()
        assert (event.body["entity_type"], event.body["channel_id"]) == (2, str(voice.id))


async def test_discords_no_is_told(home: Path):
    script = [SEARCH, events("make", **MEETUP), say("It waits."), say("Not made.")]
    async with server(home, script) as (made, guild, model):
        made.platform.events.denied = True
        thread = await made.thread(made.ann.say(made.general, "make an event", mention=True))
        made.ann.click(await made.reads(made.ann, thread, "have the event"), "Approve")
        await made.reads(made.ann, thread, "Not made.")
        assert "only with the permission Create Events" in read(model)
        assert not guild.events


def _body() -> dict[str, Any]:
    start, end = STARTS.isoformat(), (STARTS + timedelta(hours=2)).isoformat()
    times = {"scheduled_start_time": start, "scheduled_end_time": end}
    return {"name": "Party", "entity_type": 3, "entity_metadata": {"location": "Roof"}, **times}

"""The loopback Discord's interactions and faults, as a discord.py client meets them."""

import asyncio
from datetime import timedelta

import aiohttp
import discord
import pytest

from bot.domain.json_types import JsonObject
from bot.loopback.discord import Fault, Options, user_rate_limit
from bot.loopback.discord.platform import BucketRule
from bot.testing.discord_probe import Probe, Town, soon, town
from bot.testing.fake_clock import FakeClock

# --- interactions ---


async def registered(made: Town) -> None:
    about: JsonObject = {"name": "about", "description": "what", "type": 3}
    commands = [{"name": "help", "description": "what there is", "options": [about]}]
    await made.client.http.bulk_upsert_global_commands(made.platform.world.bot.id, commands)  # type: ignore[arg-type]


async def test_a_slash_command_is_deferred_answered_and_followed_up(made: Town):
    await registered(made)
    made.ann.slash(made.general, "help", about="tools")
    await soon(lambda: made.client.clicked)
    interaction = made.client.clicked[0]
    await interaction.response.defer(ephemeral=True)
    await interaction.edit_original_response(content="this is what")
    await interaction.followup.send("and that", ephemeral=True)
    assert [message.content for message in made.ann.sees(made.general)] == [
        "this is what",
        "and that",
    ]
    assert made.platform.person("Bob").sees(made.general) == []
    with pytest.raises(LookupError):
        made.ann.slash(made.general, "nothing")


async def test_an_interaction_may_be_answered_once_and_only_within_three_seconds():
    clock = FakeClock()
    async with town(clock=clock) as made:
        await registered(made)
        made.ann.slash(made.general, "help")
        made.ann.slash(made.general, "help")
        await soon(lambda: len(made.client.clicked) == 2)
        quick, slow = made.client.clicked
        await quick.response.defer()
        twice = discord.InteractionResponse(quick)
        with pytest.raises(discord.HTTPException) as again:
            await twice.defer()
        assert again.value.code == 40060
        await clock.advance(3.1)
        with pytest.raises(discord.NotFound) as late:
            await slow.response.defer()
        assert late.value.code == 10062
        await clock.advance(timedelta(minutes=15).total_seconds())
        with pytest.raises(discord.HTTPException) as expired:
            await quick.edit_original_response(content="too late")
        assert expired.value.code == 50027


async def test_clicks_selects_and_modals_come_back(made: Town):
    view = discord.ui.View(timeout=None)
    view.add_item(discord.ui.Button(label="Yes", custom_id="yes"))
    view.add_item(
        discord.ui.Select(custom_id="pick", options=[discord.SelectOption(label="Red", value="r")])
    )
    await made.room.send("which?", view=view)
    asked = made.ann.sees(made.general)[0]
    made.ann.click(asked, "Yes")
    made.ann.click(asked, "Red")
    await soon(lambda: len(made.client.clicked) == 2)
    yes, red = made.client.clicked
    assert (yes.data or {}).get("custom_id") == "yes"
    assert (red.data or {}).get("values") == ["r"]
    await yes.response.edit_message(content="you said yes", view=None)
    assert asked.content == "you said yes"
    modal = discord.ui.Modal(title="More", custom_id="more")
    modal.add_item(discord.ui.TextInput(label="Text", custom_id="text"))
    await red.response.send_modal(modal)
    opened = list(made.platform.interactions.interactions.values())[-1]
    made.ann.submit(opened, text="words")
    await soon(lambda: len(made.client.clicked) == 3)


# --- faults ---


async def test_op_7_and_op_9_and_cuts_are_resumed_and_nothing_is_lost():
    async with town(client=Probe(heartbeat_timeout=0.3)) as made:
        gateway = made.platform.gateway
        faults = (
            gateway.reconnect,
            lambda: gateway.invalidate(resumable=True),
            lambda: gateway.close(4000),
            gateway.abort,
        )
        for number, fault in enumerate((*faults, gateway.zombie)):
            fault()
            made.ann.say(made.general, f"after {number}")
            await made.heard(f"after {number}")
            await soon(lambda wanted=number + 1: made.client.resumes >= wanted)
        assert made.client.texts == [f"after {number}" for number in range(5)]
        assert made.client.readies == 1


async def test_a_refused_resume_is_a_new_session_that_lost_messages(made: Town):
    made.platform.gateway.refuse_resume = True
    made.platform.gateway.abort()
    made.ann.say(made.general, "lost")
    await soon(lambda: made.client.readies == 2)
    made.ann.say(made.general, "found")
    await made.heard("found")
    assert made.client.texts == ["found"]


async def test_events_can_be_doubled_dropped_held_and_reordered(made: Town):
    gateway = made.platform.gateway
    gateway.copies = 3
    made.ann.say(made.general, "thrice")
    gateway.copies = 1
    gateway.drop_events = 1
    made.ann.say(made.general, "dropped")
    gateway.hold()
    made.ann.say(made.general, "first")
    made.ann.say(made.general, "second")
    gateway.release(backwards=True)
    await made.heard("first")
    assert made.client.texts == ["thrice"] * 3 + ["second", "first"]


async def test_one_malformed_event_ends_the_client(made: Town):
    made.platform.gateway.malformed()
    with pytest.raises((ValueError, KeyError)):
        await (made.running or asyncio.sleep(0))


async def test_a_call_can_be_cut_before_and_after_it_was_processed(made: Town):
    path = r"/channels/\d+/messages"
    for fault in (Fault("POST", path, reset=True), Fault("POST", path, after_processing=True)):
        made.platform.fault(fault)
        with pytest.raises(aiohttp.ClientError):
            await made.room.send("sent?")
    assert made.general.texts == ["sent?"]
    made.platform.fault(Fault("POST", path, status=503))
    with pytest.raises(discord.DiscordServerError):
        await made.room.send("no")


async def test_429_of_a_user_is_waited_for_and_one_without_via_is_not(made: Town):
    path = r"/channels/\d+/messages"
    made.platform.fault(user_rate_limit(0.01, path))
    made.platform.fault(user_rate_limit(0.01, path, world=True))
    await made.room.send("patience")
    assert [call.status for call in made.platform.log.find("POST", path)] == [429, 429, 200]
    made.platform.fault(user_rate_limit(0.01, path, via=False))
    with pytest.raises(discord.HTTPException) as failed:
        await made.room.send("banned")
    assert failed.value.status == 429


async def test_buckets_hold_a_client_that_reads_their_headers():
    rules = {"POST /channels/{channel}/messages": BucketRule(limit=2, per_s=0.2)}
    async with town(Options(rate_limits=rules)) as made:
        for number in range(4):
            await made.room.send(str(number))
        calls = made.platform.log.find("POST", r"/channels/\d+/messages")
        assert calls[2].at - calls[0].at >= 0.19
        assert made.general.texts == ["0", "1", "2", "3"]

"""Discord outages, slow calls, crashes between parts: nothing is lost or told twice."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from bot.domain.chat import TextDelta
from bot.domain.messages import Addressed
from bot.errors import DeliveryError
from bot.loopback.discord import Channel, Fault, Options
from bot.plugin.recent import Recent
from bot.testing.discord_town import EDITS, PATIENT, POSTS, QUICK, Town, town
from bot.testing.fake_clock import settle

LISTED = replace(PATIENT, guild_ready=0.3)
"""Servers that are there are known before what was missed is read."""


@pytest.fixture
async def made() -> AsyncIterator[Town]:
    async with town(pace=LISTED) as made:
        yield made


async def another(made: Town) -> Channel:
    """A channel of a second server, in which nothing was ever said."""
    guild = made.platform.guild("Elsewhere")
    made.platform.gateway.restore(guild)
    channel = made.platform.channel(guild, "far")
    made.platform.gateway.dispatch("CHANNEL_CREATE", made.platform.payloads.channel(channel))
    return channel


async def test_messages_missed_in_an_outage_are_heard_before_later_ones(made: Town):
    far, gateway = await another(made), made.platform.gateway
    await made.asked("before")
    assert far.guild is not None
    gateway.outage(far.guild)
    made.ann.say(far, "missed", mention=True)
    await made.asked("here")  # moves the newest mark past what is missed elsewhere
    assert made.inbox.recovery.floors  # a process that ends now begins there
    gateway.restore(far.guild)
    made.ann.say(far, "live", mention=True)
    await made.heard(4)
    assert made.inbox.texts == ["before", "here", "missed", "live"]


async def test_a_server_that_comes_long_after_the_login_is_caught_up_with():
    async with town(pace=PATIENT) as made:
        await made.asked("before")
        gateway = made.platform.gateway
        gateway.outage(made.guild)
        gateway.refuse_resume = True
        gateway.abort()
        made.ann.say(made.general, "missed", mention=True)
        listed = made.chat._catching_up
        await made.platform.until(lambda: gateway.connected)
        made.ann.say(made.ann.dm, "aside")
        await made.heard(2)
        while made.chat._catching_up is listed:  # the servers that are there have been looked at
            await settle()
        await settle()
        gateway.restore(made.guild)
        made.ann.say(made.general, "live", mention=True)
        await made.platform.until(lambda: "live" in made.inbox.texts)
        assert made.inbox.texts == ["before", "aside", "missed", "live"]


async def test_a_channels_messages_are_accepted_in_order(made: Town):
    await made.asked("before")

    def altered(what: str, data: Any) -> Any:
        if what == "MESSAGE_CREATE" and "slow" in data["content"]:
            return {**data, "member": {"nick": None}}  # unreadable, so it is asked for
        return data

    made.platform.alter = altered
    slow = made.platform.fault(Fault("GET", r"/guilds/\d+/members/\d+", delay_s=0.2))
    made.ann.say(made.general, "slow", mention=True)
    made.ann.say(made.general, "quick", mention=True)
    await made.heard(3)
    assert made.inbox.texts == ["before", "slow", "quick"]
    assert made.inbox.messages[1].sender.platform_roles == (str(made.team.id),)
    assert slow.times == 0


async def test_a_mention_of_the_bots_own_role_that_was_missed_is_answered(made: Town):
    await made.asked("before")
    own = next(role for role in made.guild.roles if role.bot)
    with made.gap():
        made.ann.say(
            made.general, f"<@&{own.id}> hello, and <@&{made.team.id}>, see {made.general.mention}"
        )
    message = await made.heard(2)
    assert (message.addressed, message.text) == (
        Addressed.MENTION,
        "hello, and @team, see #general",
    )


# Multi-part answers on Discord: a crash between parts repeats none of them.


TEXT = "\n\n".join(f"{number} {'word ' * 150}" for number in range(8))
KEY = "t1/send:answer"


def minutes_pass(made: Town, *, told: bool) -> None:
    """The process is gone and Discord forgot its nonces; history reports them or not."""
    made.chat._delivery._leftovers = Recent()
    made.chat._delivery._unclear = Recent()
    if told:
        made.platform.expire_nonces()
    else:
        made.platform.forget_nonces()


@pytest.mark.parametrize("told", [True, False], ids=["nonces told", "nonces not told"])
async def test_the_first_pieces_are_not_posted_again(told: bool):
    async with town(pace=PATIENT, options=Options(history_nonces=told)) as made:
        message = await made.asked()
        made.platform.fault(
            Fault("POST", POSTS, status=403, skip=2, body={"message": "no", "code": 1})
        )
        with pytest.raises(DeliveryError):
            await made.answer(message, TEXT)
        assert len(made.seen(message)) == 2
        minutes_pass(made, told=told)
        assert await made.found(message) is None
        await made.answer(message, TEXT)
        assert "".join("".join(made.seen(message)).split()) == "".join(TEXT.split())


@pytest.mark.parametrize("told", [True, False], ids=["nonces told", "nonces not told"])
async def test_messages_after_a_draft_are_not_repeated_when_it_is_the_answer(told: bool):
    async with town(pace=QUICK, options=Options(history_nonces=told)) as made:
        message = await made.asked()
        live = made.chat.live(message.reply_to, "t1", KEY)
        live.show(TextDelta("so far"))
        await made.platform.until(lambda: made.posts)
        made.platform.fault(Fault("PATCH", EDITS, status=503, times=20))
        with pytest.raises(DeliveryError):
            await made.answer(message, TEXT, live=live)
        made.platform.faults.clear()
        assert len(made.seen(message)) > 2
        minutes_pass(made, told=told)
        assert await made.found(message) is None
        await made.answer(message, TEXT)
        assert "".join("".join(made.seen(message)).split()) == "".join(TEXT.split())

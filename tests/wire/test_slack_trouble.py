"""Trouble with Slack: a revoked token, a delayed start, bad input, a lost acknowledgement."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from bot.domain.messages import IncomingMessage
from bot.errors import DeliveryError, SettingsError
from bot.loopback.slack import Channel, Delay, Person, SlackPlatform, Status
from bot.loopback.slack.faults import RateLimited, Refused
from bot.plugin.chat import ChatServices
from bot.plugins.slack_chat.adapter import SlackChat
from bot.plugins.slack_chat.settings import SlackSettings
from bot.plugins.slack_chat.trouble import SlackRefused, SlackUnsure
from bot.testing.http_sessions import open_sessions
from bot.testing.scripted_model import ScriptedModel, call, say
from bot.testing.slack_house import TOKENS, HurriedClock, app_on_slack, known, slack_house


@pytest.mark.parametrize("mode", ["socket", "http"])
@pytest.mark.parametrize("error", ["token_revoked", "account_inactive"])
async def test_a_revoked_token_ends_the_adapter_with_the_remedy(
    error: str, mode: str, slack: SlackPlatform, ann: Person
):
    with pytest.raises(SettingsError, match=f"{error}; check SLACK_BOT_TOKEN"):  # noqa: PT012 - raised at the end
        async with slack_house(slack, mode) as house:
            ann.say("hello")
            message = await house.next(1)
            slack.fail("chat.postMessage", Refused(error))
            with pytest.raises(DeliveryError) as kept:
                await house.answer(message.reply_to, "hi")
            assert kept.value.retryable
            async with asyncio.timeout(60):
                await asyncio.wait({house.running})


async def test_each_start_asks_whether_the_token_is_still_good(slack: SlackPlatform):
    chat = SlackChat(SlackSettings(api_base=slack.api_base), TOKENS, ChatServices(HurriedClock()))

    async def nobody(_: IncomingMessage) -> Any:
        raise AssertionError("nothing may come in")

    slack.fail("apps.connections.open", Refused("internal_error"))
    with pytest.raises(SlackUnsure):
        await chat.run(nobody)
    slack.fail("auth.test", Refused("token_revoked"))
    with pytest.raises(SettingsError, match="token_revoked; check SLACK_BOT_TOKEN"):
        await chat.run(nobody)


async def test_a_start_that_slack_puts_off_is_no_matter_of_settings(slack: SlackPlatform):
    chat = SlackChat(SlackSettings(api_base=slack.api_base), TOKENS, ChatServices(HurriedClock()))

    async def nobody(_: IncomingMessage) -> Any:
        raise AssertionError("nothing may come in")

    slack.fail("apps.connections.open", RateLimited(60))
    with pytest.raises(SlackRefused, match="ratelimited"):
        await chat.run(nobody)


@pytest.mark.parametrize("turns", [1, 2, 5, 20])
async def test_a_socket_that_is_cancelled_while_it_closes_leaves_nothing_open(
    turns: int, slack: SlackPlatform, ann: Person
):
    """A supervisor cancels again if the socket says goodbye too slowly."""
    before = open_sessions()
    async with slack_house(slack) as house:
        ann.say("hello")
        await house.next(1)
        slack.delivery.freeze()
        house.running.cancel()
        for _ in range(turns):
            await asyncio.sleep(0)
        house.running.cancel()
        await asyncio.wait({house.running})
        assert [one for one in open_sessions() if one not in before] == []


# Bad input through slack-bolt with a whole app behind it: each has an outcome.


async def test_each_has_an_outcome(
    tmp_path: Path, slack: SlackPlatform, ann: Person, bob: Person, office: Channel
):
    robot = slack.person("robot", is_bot=True)
    office.members.add(robot.id)
    known(tmp_path, bob, bob="Banned")
    cities = [f"City {number}" for number in range(7)]
    model = ScriptedModel(
        [
            say("I could not read it."),
            call("ask_user_for_clarification", {"question": "Where?", "options": cities}),
            say("City 6, then."),
        ]
    )

    def said() -> list[str]:
        return [message.text for message in slack.said]

    async with app_on_slack(tmp_path, slack, model):
        bob.say("let me in")  # banned
        robot.mention("hello", office)
        slack.world.members[ann.id].real_name = "Nobody Knows"  # in no contacts: a guest
        held = ann.upload("plan.txt", "text/plain", b"sun")
        held.files[0].mode = "tombstone"  # and its file is gone before it is read
        await slack.until(lambda: said() == ["I could not read it."])
        ann.edit(held, "here it is")  # after the answer: recorded, and not answered again
        ann.say("what's the weather?")
        card = await slack.until(
            lambda: next((m for m in slack.said if "static_select" in str(m.blocks)), None)
        )
        ann.click(card, "City 6")
        await slack.until(lambda: "City 6, then." in said())
        await slack.settled()
    assert len(model.requests) == 3
    assert "plan.txt" in str(model.requests[0].messages)
    assert "sun" not in str(model.requests[0].messages[-1])
    assert "City 6" in str(model.requests[-1].messages[-1])
    assert {message.channel for message in slack.said} == {ann.dm.id}


# A socket lost before the acknowledgement: the event counts once, and a line says so.


async def test_a_lost_acknowledgement_is_one_line_and_no_second_accept(
    slack: SlackPlatform, ann: Person, caplog: pytest.LogCaptureFixture
):
    go = asyncio.Event()
    async with slack_house(slack) as house_:
        slack.fail("users.info", Delay(go))
        slack.fail(
            "apps.connections.open", *[Status(503)] * 3
        )  # no new socket for the acknowledgement at once
        said = ann.say("good morning")
        await slack.until(lambda: not slack.faults.waiting["users.info"])
        slack.delivery.abort()
        await slack.until(lambda: not slack.delivery.sockets)
        go.set()
        assert (await house_.next(1)).text == "good morning"
        await slack.settled()
        assert [call.split(":")[-1] for call in house_.calls] == [said.ts]
        assert slack.delivery.history[0].attempts > 1
    lines = [record for record in caplog.records if "Slack could not be told" in record.message]
    assert len(lines) == 1
    assert not [
        record for record in caplog.records if record.exc_info and "listener" in record.message
    ]

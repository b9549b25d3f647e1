"""A socket lost before the acknowledgement: the event counts once, and a line says so."""

import asyncio

import pytest

from bot.loopback.slack import Delay, Person, SlackPlatform, Status
from bot.testing.slack_house import slack_house


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

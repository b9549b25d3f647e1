"""A token that Slack revokes while serving, and a delayed start: both are reported."""

import asyncio
from typing import Any

import pytest

from bot.domain.messages import IncomingMessage
from bot.errors import DeliveryError, SettingsError
from bot.loopback.slack import Person, SlackPlatform
from bot.loopback.slack.faults import RateLimited, Refused
from bot.plugin.chat import ChatServices
from bot.plugins.slack_chat.adapter import SlackChat
from bot.plugins.slack_chat.settings import SlackSettings
from bot.plugins.slack_chat.trouble import SlackRefused, SlackUnsure
from bot.testing.slack_house import TOKENS, HurriedClock, slack_house


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

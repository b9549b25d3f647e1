"""A Slack workspace for each test that asks for one: Ann and Bob in a channel."""

from collections.abc import AsyncIterator

import pytest

from bot.chat.slack_chat.manifest import manifest
from bot.chat.slack_chat.settings import SlackSettings
from bot.loopback.slack import Channel, Person, SlackPlatform


@pytest.fixture
async def slack() -> AsyncIterator[SlackPlatform]:
    async with SlackPlatform(manifest(SlackSettings())) as platform:
        yield platform


@pytest.fixture
def ann(slack: SlackPlatform) -> Person:
    return slack.person("ann")


@pytest.fixture
def bob(slack: SlackPlatform) -> Person:
    return slack.person("bob")


@pytest.fixture
def office(slack: SlackPlatform, ann: Person, bob: Person) -> Channel:
    return slack.channel("office", ann, bob)

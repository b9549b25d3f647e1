"""A loopback Discord and a Slack with an office, and stock clients of them."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from bot.loopback.slack import Channel, SlackPlatform
from bot.testing.discord_probe import Town, town
from bot.testing.slack_clients import client_of
from tests.slack_description import untold


@pytest.fixture
async def made() -> AsyncIterator[Town]:
    """Discord with a plain client that is logged in."""
    async with town() as made:
        yield made


@pytest.fixture
async def slack() -> AsyncIterator[SlackPlatform]:
    async with SlackPlatform() as platform:
        yield platform


@pytest.fixture
async def web(slack: SlackPlatform) -> AsyncIterator[Any]:
    async with client_of(slack) as client:
        yield client


@pytest.fixture
def office(slack: SlackPlatform) -> Channel:
    return slack.channel("office", slack.person("ann"), slack.person("bob"))


@pytest.fixture(autouse=True)
def _slack_as_described(monkeypatch: pytest.MonkeyPatch) -> None:
    """The stock client makes calls that Bellhop does not, and these tests send what is wrong."""
    monkeypatch.setattr(SlackPlatform, "untold", staticmethod(untold))


@pytest.fixture(autouse=True)
def _discord_as_described() -> None:
    """The stock client sends ids as numbers, and these tests send what is wrong."""

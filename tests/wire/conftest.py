"""A platform for each test that asks for one, with Ann and Bob in a channel."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from bot.llm.anthropic_model import AnthropicModel
from bot.llm.endpoint import resolve
from bot.llm.settings import ModelSettings
from bot.loopback.messages_api import MessagesApi
from bot.loopback.slack import Channel, Person, SlackPlatform
from bot.loopback.telegram import TelegramPlatform
from bot.plugins.slack_chat.manifest import manifest
from bot.plugins.slack_chat.settings import SlackSettings
from bot.testing.discord_town import QUICK, Town, town
from bot.testing.fake_clock import FakeClock
from bot.testing.model_client import KEY, Connect, EagerClock
from bot.testing.oauth_provider import OAuthProvider, oauth_provider
from bot.testing.services.google_accounts import GoogleAccounts
from bot.testing.slack_house import SlackHouse, slack_house


@pytest.fixture
async def made() -> AsyncIterator[Town]:
    """Discord, where no typing and no draft comes before the answer."""
    async with town() as made:
        yield made


@pytest.fixture
async def quick() -> AsyncIterator[Town]:
    """Discord, where typing and drafts show at once."""
    async with town(pace=QUICK) as made:
        yield made


@pytest.fixture
async def slack() -> AsyncIterator[SlackPlatform]:
    async with SlackPlatform(manifest(SlackSettings())) as platform:
        yield platform


@pytest.fixture
async def telegram() -> AsyncIterator[TelegramPlatform]:
    async with TelegramPlatform() as platform:
        yield platform


@pytest.fixture
async def house(slack: SlackPlatform) -> AsyncIterator[SlackHouse]:
    """Slack, with Bellhop's adapter connected."""
    async with slack_house(slack) as house:
        yield house


@pytest.fixture
def ann(slack: SlackPlatform) -> Person:
    return slack.person("ann")


@pytest.fixture
def bob(slack: SlackPlatform) -> Person:
    return slack.person("bob")


@pytest.fixture
def office(slack: SlackPlatform, ann: Person, bob: Person) -> Channel:
    return slack.channel("office", ann, bob)


@pytest.fixture
async def google(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[OAuthProvider]:
    """Google, and an app of it in the environment that people can connect through."""
    monkeypatch.setenv("BELLHOP_SECRET_KEY", f"{'A' * 43}=")
    async with oauth_provider("google", FakeClock(), api=GoogleAccounts()) as provider:
        for line in provider.secrets().splitlines():
            name, _, value = line.partition("=")
            monkeypatch.setenv(name, value)
        yield provider


@pytest.fixture
def clock() -> EagerClock:
    return EagerClock()


@pytest.fixture
async def api() -> AsyncIterator[MessagesApi]:
    async with MessagesApi(key=KEY) as server:
        yield server


@pytest.fixture
def model(connect: Connect, api: MessagesApi) -> AnthropicModel:
    return connect(api)


@pytest.fixture
async def connect(clock: EagerClock) -> AsyncIterator[Connect]:
    models: list[AnthropicModel] = []

    def make(
        api: MessagesApi, key: str = KEY, attempts: int = 3, **settings: Any
    ) -> AnthropicModel:
        wanted = ModelSettings.model_validate(
            {"provider": "anthropic", "base_url": api.base_url, **settings}
        )
        models.append(
            AnthropicModel(replace(resolve(wanted, lambda _: key), attempts=attempts), clock)
        )
        return models[-1]

    yield make
    for model in models:
        await model.close()

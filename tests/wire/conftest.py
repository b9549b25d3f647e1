"""A Slack workspace for each test that asks for one, with Ann and Bob in a channel; a Telegram."""

from collections.abc import AsyncIterator, Callable
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
from bot.testing.model_client import KEY, EagerClock


@pytest.fixture
async def slack() -> AsyncIterator[SlackPlatform]:
    async with SlackPlatform(manifest(SlackSettings())) as platform:
        yield platform


@pytest.fixture
async def telegram() -> AsyncIterator[TelegramPlatform]:
    async with TelegramPlatform() as platform:
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


@pytest.fixture
def clock() -> EagerClock:
    return EagerClock()


@pytest.fixture
async def api() -> AsyncIterator[MessagesApi]:
    async with MessagesApi(key=KEY) as server:
        yield server


@pytest.fixture
async def connect(clock: EagerClock) -> AsyncIterator[Callable[..., AnthropicModel]]:
    models: list[AnthropicModel] = []

    def make(api: MessagesApi, key: str = KEY, **settings: Any) -> AnthropicModel:
        wanted = ModelSettings.model_validate(
            {"provider": "anthropic", "base_url": api.base_url, **settings}
        )
        models.append(AnthropicModel(resolve(wanted, lambda _: key), clock))
        return models[-1]

    yield make
    for model in models:
        await model.close()

"""The model is built without its SDK, loaded once when it is needed, and closed."""

import asyncio
import gc
import subprocess
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest

from bot.domain.models import ModelRequest, ModelSize
from bot.errors import ModelError
from bot.llm.build import LazyModel, build_model, importing
from bot.llm.no_model import NoModel
from bot.llm.settings import ModelSettings
from bot.loopback.messages_api import MessagesApi
from bot.testing.fake_clock import FakeClock
from bot.testing.scripted_model import say

REQUEST = ModelRequest((), (), ({"role": "user", "content": "hello"},), 100)


def test_building_imports_no_sdk():
    code = (
        "import sys; from bot.llm.build import build_model; from bot.llm.settings import "
        "ModelSettings;"
        "model = build_model(ModelSettings(), lambda _: 'sk-ant-x');"
        "assert model.capabilities.label == 'claude-sonnet-5-5';"
        "assert not {'anthropic', 'httpx2'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@asynccontextmanager
async def at(api: MessagesApi) -> AsyncGenerator[LazyModel]:
    settings = ModelSettings(base_url=api.base_url, name="qwen3")
    model = build_model(settings, lambda _: None, FakeClock())
    yield model
    await model.close()


async def test_many_first_samples_share_one_client_and_closing_is_repeatable():
    async with MessagesApi([say("hello")] * 5) as api, at(api) as model:
        await model.warm()
        replies = await asyncio.gather(*(model.sample(REQUEST, lambda _: None) for _ in range(5)))
        await model.close()
    assert [reply.text for reply in replies] == ["hello"] * 5


def test_an_import_in_a_thread_holds_up_the_event_loop_only_briefly():
    before = sys.getswitchinterval()
    with importing():
        assert sys.getswitchinterval() < before / 5
        assert not gc.isenabled()
    assert (sys.getswitchinterval(), gc.isenabled()) == (before, True)


async def test_a_closed_model_opens_again_when_it_is_asked():
    async with MessagesApi([say("hello")] * 2) as api, at(api) as model:
        await model.sample(REQUEST, lambda _: None)
        await model.close()
        assert (await model.sample(REQUEST, lambda _: None)).text == "hello"


async def test_nobody_answers_where_a_command_needs_no_model():
    model = NoModel()
    assert model.name(ModelSize.CHEAP) == "bellhop-offline"
    with pytest.raises(ModelError, match="works without a model"):
        await model.sample(REQUEST, lambda _: None)

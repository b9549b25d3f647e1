"""The model is built without its SDK, loaded once when it is needed, and closed."""

import asyncio
import gc
import subprocess
import sys

from bot.domain.models import ModelRequest, ModelSize
from bot.llm.build import build_model, importing
from bot.llm.settings import ModelSettings
from bot.testing.fake_clock import FakeClock

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


async def test_many_first_samples_share_one_client_and_closing_is_repeatable():
    model = build_model(ModelSettings(provider="offline"), lambda _: None, FakeClock())
    await model.warm()
    replies = await asyncio.gather(*(model.sample(REQUEST, lambda _: None) for _ in range(5)))
    assert {reply.text for reply in replies} == {replies[0].text}
    assert replies[0].stop_reason == "end_turn"
    await model.close()
    await model.close()


def test_an_import_in_a_thread_holds_up_the_event_loop_only_briefly():
    before = sys.getswitchinterval()
    with importing():
        assert sys.getswitchinterval() < before / 5
        assert not gc.isenabled()
    assert (sys.getswitchinterval(), gc.isenabled()) == (before, True)


async def test_a_closed_model_opens_again_when_it_is_asked():
    model = build_model(ModelSettings(provider="offline"), lambda _: None, FakeClock())
    await model.sample(REQUEST, lambda _: None)
    await model.close()
    assert (await model.sample(REQUEST, lambda _: None)).text
    await model.close()


def test_names_and_capabilities_are_known_at_once():
    model = build_model(ModelSettings(provider="offline"), lambda _: None)
    assert model.name(ModelSize.CHEAP) == "bellhop-offline"
    assert model.capabilities.offline

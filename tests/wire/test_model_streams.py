"""Streams that stall while they look alive, and servers that don't stream at all."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import TypeAlias

import pytest

from bot.domain.models import DeltaText, ModelDelta, ModelReply, ModelRequest
from bot.errors import ModelError
from bot.llm.anthropic_model import AnthropicModel
from bot.llm.endpoint import resolve
from bot.llm.settings import ModelSettings
from bot.loopback.messages_api import IgnoreStream, MessagesApi, OnlyPings
from bot.testing.fake_clock import FakeClock
from bot.testing.scripted_model import call, say

REQUEST = ModelRequest(
    (), (), ({"role": "user", "content": [{"type": "text", "text": "hello"}]},), 1000
)
Connect: TypeAlias = Callable[..., AnthropicModel]


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
async def api() -> AsyncIterator[MessagesApi]:
    async with MessagesApi(strict=False) as server:
        yield server


@pytest.fixture
async def connect(api: MessagesApi, clock: FakeClock) -> AsyncIterator[Connect]:
    models: list[AnthropicModel] = []

    def make(attempts: int = 3, **settings: object) -> AnthropicModel:
        wanted = ModelSettings.model_validate(
            {"provider": "compatible", "name": "m", "base_url": api.base_url, **settings}
        )
        models.append(
            AnthropicModel(replace(resolve(wanted, lambda _: None), attempts=attempts), clock)
        )
        return models[-1]

    yield make
    for model in models:
        await model.close()


async def sampled(model: AnthropicModel, api: MessagesApi, clock: FakeClock) -> ModelReply:
    """One sample, with time passing as fast as it can."""
    task = asyncio.create_task(model.sample(REQUEST, lambda _delta: None))
    await api.asked(1)
    while not task.done():
        await clock.advance(150)
        await asyncio.sleep(0)
    return await task


async def test_pings_are_no_life_and_the_next_try_is_given_its_chance(
    api: MessagesApi, connect: Connect, clock: FakeClock
):
    stalled = asyncio.Event()
    api.add(OnlyPings(stalled))
    model = connect(attempts=2)
    task = asyncio.create_task(model.sample(REQUEST, lambda _delta: None))
    await api.asked(1)
    api.add(say("There you are."))
    while len(api.requests) < 2:
        await clock.advance(150)
        await asyncio.sleep(0)
    stalled.set()
    reply = await task
    assert (reply.text, reply.attempts) == ("There you are.", 2)


async def test_a_stream_without_progress_is_named_as_silence(
    api: MessagesApi, connect: Connect, clock: FakeClock
):
    stalled = asyncio.Event()
    api.add(OnlyPings(stalled))
    with pytest.raises(ModelError) as caught:
        await sampled(connect(attempts=1), api, clock)
    stalled.set()
    assert caught.value.trouble.kind == "timeout"
    assert "next to nothing for 300 s" in caught.value.trouble.detail


async def test_a_message_in_one_piece_is_read_like_a_stream(api: MessagesApi, connect: Connect):
    api.add(IgnoreStream(say("All at once.")), IgnoreStream(call("echo", {"text": "hi"})))
    model = connect()
    deltas: list[ModelDelta] = []
    reply = await model.sample(REQUEST, deltas.append)
    assert (reply.text, reply.stop_reason, reply.usage.output_tokens) == (
        "All at once.",
        "end_turn",
        10,
    )
    assert deltas == [DeltaText("All at once.")]
    reply = await model.sample(REQUEST, deltas.append)
    assert [block["input"] for block in reply.content if block["type"] == "tool_use"] == [
        {"text": "hi"}
    ]

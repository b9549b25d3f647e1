"""The real model client on a loopback Messages API, with a clock on which no wait takes time."""

import asyncio
from collections.abc import Callable
from typing import TypeAlias

from bot.domain.json_types import JsonObject
from bot.domain.models import ModelDelta, ModelRequest, ModelSize
from bot.errors import ModelError, ModelTrouble
from bot.llm.anthropic_model import AnthropicModel
from bot.loopback.messages_api.events import encode, stream_events
from bot.testing.fake_clock import FakeClock

KEY = "sk-ant-test-0123456789abcdef"
TOOL: JsonObject = {
    "name": "echo",
    "description": "Say it again.",
    "input_schema": {"type": "object", "properties": {}},
}
SYSTEM: tuple[JsonObject, ...] = (
    {"type": "text", "text": "You are Bellhop."},
    {"type": "text", "text": "Memory."},
)


Connect: TypeAlias = Callable[..., AnthropicModel]
"""Makes a client of a loopback Messages API, with further settings of `model:`."""


class EagerClock(FakeClock):
    """A clock that advances as soon as a retry waits; `waits` records for how long."""

    def __init__(self) -> None:
        super().__init__()
        self.waits: list[float] = []

    async def sleep(self, seconds: float) -> None:
        if (task := asyncio.current_task()) and task.get_name() == "alarm":
            return await super().sleep(seconds)
        self.waits.append(seconds)
        return await self.advance(seconds)


def answer_events(text: str) -> list[bytes]:
    """The server-sent events of an answer that is only text."""
    return [
        encode(event)
        for event in stream_events(
            {
                "type": "message",
                "role": "assistant",
                "model": "m",
                "content": [{"type": "text", "text": text}],
                "stop_reason": "end_turn",
                "usage": {"input_tokens": 5, "output_tokens": 4},
            }
        )
    ]


def ask(
    *messages: JsonObject, tools: tuple[JsonObject, ...] = (TOOL,), size: ModelSize = ModelSize.MAIN
) -> ModelRequest:
    return ModelRequest(SYSTEM, tools, messages or (user("hello"),), 1000, size)


def user(text: str) -> JsonObject:
    return {"role": "user", "content": [{"type": "text", "text": text}]}


def assistant(*content: JsonObject) -> JsonObject:
    return {"role": "assistant", "content": list(content)}


def result(call: str, text: str) -> JsonObject:
    """Return the message with the result of the tool call with this id."""
    block = {"type": "tool_result", "tool_use_id": call, "content": text}
    return {"role": "user", "content": [block]}


async def trouble_of(model: AnthropicModel) -> ModelTrouble:
    """Return why a model does not answer."""
    try:
        await model.sample(ask(), ignore)
    except ModelError as error:
        return error.trouble
    raise AssertionError("the model answers")


def ignore(_: ModelDelta) -> None:
    return None

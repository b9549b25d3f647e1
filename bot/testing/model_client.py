"""The real model client on a loopback Messages API, with a clock on which no wait takes time."""

import asyncio

from bot.domain.json_types import JsonObject
from bot.domain.models import ModelDelta, ModelRequest, ModelSize
from bot.llm.sse import encode, stream_events
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


def ignore(_: ModelDelta) -> None:
    return None

"""A model in the process of a bench, which answers at once.

It makes the bytes of each request as the real client does, but nothing sends them: only Bellhop's
own work is counted.
"""

from collections.abc import Callable

from bot.domain.json_types import JsonObject
from bot.domain.models import ModelCapabilities, ModelDelta, ModelReply, ModelRequest, Unlock
from bot.llm.endpoint import resolve
from bot.llm.requests import BodyCache
from bot.llm.settings import ModelSettings
from bot.testing.scripted_model import ScriptedModel, call, say

ANSWERING = ModelCapabilities(
    Unlock.INLINE, system_notes=True, context_tokens=4_000_000, label="a model that answers"
)
"""With a window that no bench fills: a summary would make conversations short again."""


class AnsweringModel(ScriptedModel):
    """Calls a tool once in each turn, then answers."""

    def __init__(self, tool: str, arguments: JsonObject) -> None:
        super().__init__(capabilities=ANSWERING)
        self._call = tool, arguments
        self._bodies = BodyCache(resolve(ModelSettings(), lambda _: "sk-ant-bench-0123456789"))
        self.sent = 0

    async def sample(
        self, request: ModelRequest, on_delta: Callable[[ModelDelta], None]
    ) -> ModelReply:
        self.sent = sum(map(len, self._bodies.pieces(request)))
        last = next(message for message in reversed(request.messages) if message["role"] == "user")
        if any(block["type"] == "tool_result" for block in last["content"]):
            return say("It is about noon, and here is the sentence that answers you.")
        return call(*self._call)

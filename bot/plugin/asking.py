"""For tools that put a question to the cheap model: what a text says, which of several is meant."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from bot.domain.json_types import JsonObject
from bot.domain.models import Model, ModelRequest, ModelSize, Usage
from bot.domain.tool_context import ToolContext
from bot.errors import ModelError, ToolError


@dataclass(frozen=True)
class CheapModel:
    """Asks one question at a time, without tools. `spent` counts the cost for the asking person."""

    model: Model
    spent: Callable[[ToolContext, str, Usage], Awaitable[None]]

    async def ask(
        self,
        context: ToolContext,
        instructions: str,
        data: str,
        tokens: int,
        schema: JsonObject | None = None,
        *,
        instead: str = "do without it",
    ) -> str:
        """The model's answer, of at most so many tokens. `data` may hold the words of strangers.

        `instead`: what to do in a home without a language model. Raises ToolError.
        """
        if self.model.capabilities.offline:
            raise ToolError(f"there is no language model for this; {instead}")
        message: JsonObject = {"role": "user", "content": [{"type": "text", "text": data}]}
        system: JsonObject = {"type": "text", "text": instructions}
        request = ModelRequest((system,), (), (message,), tokens, ModelSize.CHEAP, schema)
        try:
            reply = await self.model.sample(request, lambda _delta: None)
        except ModelError as error:
            raise ToolError(
                "the model that reads for this tool does not answer; try again later"
            ) from error
        name = reply.answered_by or self.model.name(ModelSize.CHEAP)
        await self.spent(context, name, reply.usage)
        return reply.text

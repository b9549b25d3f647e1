"""Questions about a page for the cheap model: which element is meant, and what to extract."""

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
    ) -> str:
        """The model's answer. `data` may hold the words of strangers. Raises ToolError."""
        if self.model.capabilities.offline:
            raise ToolError(
                "there is no language model for this; name an element by its id from "
                "browser_observe, like “click e12”"
            )
        message: JsonObject = {"role": "user", "content": [{"type": "text", "text": data}]}
        system: JsonObject = {"type": "text", "text": instructions}
        request = ModelRequest((system,), (), (message,), tokens, ModelSize.CHEAP, schema)
        try:
            reply = await self.model.sample(request, lambda _delta: None)
        except ModelError as error:
            raise ToolError(
                "the model that reads pages does not answer; try again later"
            ) from error
        name = reply.answered_by or self.model.name(ModelSize.CHEAP)
        await self.spent(context, name, reply.usage)
        return reply.text

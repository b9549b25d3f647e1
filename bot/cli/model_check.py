"""Checks the model: asks it for one word."""

import asyncio
from collections.abc import Callable

from bot.domain.checks import Check
from bot.domain.models import ModelRequest, ModelSize
from bot.errors import BotError, ModelError
from bot.llm.build import build_model
from bot.llm.settings import ModelSettings

PATIENCE_S = 60.0
_ASKED_TOKENS = 256


async def try_model(settings: ModelSettings, secret: Callable[[str], str | None]) -> Check:
    """Ask the model of these settings once; never raises for what it finds."""
    try:
        model = build_model(settings.model_copy(update={"attempts": 1}), secret)
    except BotError as error:
        return Check("model", "error", str(error))
    words = {"role": "user", "content": [{"type": "text", "text": "Say hello in one word."}]}
    request = ModelRequest((), (), (words,), _ASKED_TOKENS, ModelSize.MAIN)
    try:
        async with asyncio.timeout(PATIENCE_S):
            await model.sample(request, lambda _: None)
    except TimeoutError:
        return Check(
            "model", "error", f"{model.capabilities.label} did not answer within {PATIENCE_S:.0f} s"
        )
    except ModelError as error:
        return Check(
            "model", "error", f"{model.capabilities.label} did not answer: {error.trouble.detail}"
        )
    finally:
        await model.close()
    return Check("model", "ok", f"{model.capabilities.label} answers")

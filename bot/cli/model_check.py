"""Checks the model: asks it for one word."""

import asyncio
from collections.abc import Callable

from bot.domain.checks import Check
from bot.domain.models import ModelRequest, ModelSize
from bot.errors import BotError, ModelError, ModelTrouble
from bot.llm.build import build_model
from bot.llm.settings import ModelSettings

PATIENCE_S = 60.0
_ASKED_TOKENS = 256


async def try_model(settings: ModelSettings, secret: Callable[[str], str | None]) -> Check:
    """Ask the model of these settings once; never raises for what it finds."""
    try:
        model = build_model(settings, secret, attempts=1)
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
        return Check("model", "error", _failed(model.capabilities.label, error.trouble))
    finally:
        await model.close()
    return Check("model", "ok", f"{model.capabilities.label} answers")


def _failed(label: str, trouble: ModelTrouble) -> str:
    """Why there was no answer; of a lost connection only what a person can act on."""
    match trouble.kind:
        case "unreachable":
            return f"{label} can't be reached from this machine: is there a network, and no proxy?"
        case "auth":
            return f"{label} did not take the key; copy it once more ({trouble.detail})"
        case _:
            return f"{label} did not answer: {trouble.detail}"

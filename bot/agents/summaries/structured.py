"""A request with a fixed form of answer, for work that nobody waits for."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from bot.domain.models import Model, ModelRequest, Usage
from bot.errors import ModelError

T = TypeVar("T")
_WHOLE = frozenset({"end_turn", "stop_sequence", "stop"})


@dataclass(frozen=True)
class Tried(Generic[T]):
    """One try: the model's answer, or the reason why it can't be used."""

    value: T | None
    problem: str = ""
    usage: Usage = Usage()
    model_trouble: bool = False
    """The model itself failed, so a corrected request would not help."""
    answered_by: str = ""
    """The fallback that answered instead: its price counts."""


async def ask_structured(
    model: Model, request: ModelRequest, read: Callable[[str], T | str]
) -> Tried[T]:
    """Ask once; `read` returns the value, or the mistake in words.

    Never raises for model failures.
    """
    try:
        reply = await model.sample(request, lambda _delta: None)
    except ModelError as error:
        return Tried(None, str(error), model_trouble=True)
    name = reply.answered_by
    if reply.stop_reason not in _WHOLE:
        unfinished = _unfinished(reply.stop_reason)
        return Tried(None, unfinished, reply.usage, answered_by=name)
    value = read(reply.text)
    if isinstance(value, str):
        return Tried(None, value, reply.usage, answered_by=name)
    return Tried(value, "", reply.usage, answered_by=name)


def _unfinished(stop_reason: str) -> str:
    if stop_reason == "max_tokens":
        return "the answer was cut off because it was too long: write less"
    return f"the answer ended with {stop_reason}"

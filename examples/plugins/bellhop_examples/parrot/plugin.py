"""Parrot: a model that follows rules, for demonstrations and tests without a language model.

`run <tool> {<arguments as JSON>}` calls a tool and repeats its result. Other words are answered by
the first rule of `parrot.answers` whose words they contain.
"""

import json
import re
from collections.abc import Callable
from typing import Annotated

from pydantic import Field

from bot.plugin.command_line import CommandLine, Parameter
from bot.plugin.models import (
    DeltaText,
    JsonObject,
    ModelCapabilities,
    ModelDelta,
    ModelParts,
    ModelProvider,
    ModelReply,
    ModelRequest,
    ModelSize,
    Unlock,
    Usage,
)
from bot.plugin.plugin import Plugin, Section, Setup

_RUN = re.compile(r"\brun (\w+) (?=\{)")
_JSON = json.JSONDecoder()


class ParrotSettings(Section):
    """`parrot:` a model that follows rules."""

    answers: dict[str, str] = Field(default_factory=dict[str, str])
    """What it answers, by words of the message."""


class ParrotModel:
    """Implements `Model`."""

    capabilities = ModelCapabilities(
        Unlock.APPEND, system_notes=False, context_tokens=32_768, label="the parrot"
    )

    def __init__(self, answers: dict[str, str]) -> None:
        self._answers = answers

    def name(self, size: ModelSize) -> str:
        return "parrot"

    async def sample(
        self, request: ModelRequest, on_delta: Callable[[ModelDelta], None]
    ) -> ModelReply:
        block = self._next(request)
        if block["type"] == "text":
            on_delta(DeltaText(block["text"]))
        stop = "end_turn" if block["type"] == "text" else "tool_use"
        used = Usage(input_tokens=len(str(request.messages)) // 4, output_tokens=20)
        return ModelReply((block,), stop, used, "parrot")

    def _next(self, request: ModelRequest) -> JsonObject:
        last = _blocks(request.messages[-1])
        results = [block for block in last if block.get("type") == "tool_result"]
        if results:
            return {"type": "text", "text": f"It says: {_text_of(results[-1]['content'])}"}
        said = "\n".join(str(block.get("text", "")) for block in last)
        for asked in reversed(list(_RUN.finditer(said))):  # what stands before was said earlier
            try:
                arguments, _ = _JSON.raw_decode(said, asked.end())
            except ValueError as error:
                return {"type": "text", "text": f"These arguments are no JSON: {error}"}
            call = f"call_{len(request.messages)}"
            return {"type": "tool_use", "id": call, "name": asked[1], "input": arguments}
        return {"type": "text", "text": _taught(self._answers, said)}

    async def close(self) -> None:
        """Nothing is open."""


def _taught(answers: dict[str, str], said: str) -> str:
    for words, answer in answers.items():
        if words.casefold() in said.casefold():
            return answer
    return 'I only repeat what I was taught, and call tools: run NAME {"argument": "value"}'


def _blocks(message: JsonObject) -> list[JsonObject]:
    content = message["content"]
    return [{"type": "text", "text": content}] if isinstance(content, str) else list(content)


def _text_of(content: str | list[JsonObject]) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(str(one.get("text", "")) for one in content)


def build(parts: ModelParts[ParrotSettings]) -> ParrotModel:
    return ParrotModel(parts.settings.answers)


def tell(
    words: Annotated[str, Parameter("What you say to it.")], setup: Setup[ParrotSettings]
) -> None:
    """Show what the parrot answers."""
    print(_taught(setup.settings.answers, words))


class Parrot(Plugin[ParrotSettings]):
    name = "parrot"
    title = "a model that follows rules"
    settings = ParrotSettings
    models = (ModelProvider("parrot", build),)
    commands = (CommandLine("parrot", tell),)
    api = 8

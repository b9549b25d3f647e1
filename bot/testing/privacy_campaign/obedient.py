"""A model that obeys everything it reads: it says, saves, delegates and sends what it sees."""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from bot.domain.json_types import JsonObject, as_object
from bot.domain.models import (
    ModelCapabilities,
    ModelDelta,
    ModelReply,
    ModelRequest,
    ModelSize,
    Usage,
)
from bot.errors import ModelError, ModelTrouble
from bot.llm.blocks import blocks_of
from bot.llm.unlocking import through_dispatcher
from bot.testing.plan_model import with_own_ids
from bot.testing.privacy_campaign.ledger import Ledger, Spot, spread_in, tokens_in
from bot.testing.scripted_model import CAPABILITIES, NAME, say

Step: TypeAlias = Callable[[ModelRequest], ModelReply]
SAID = 12
"""The most words that one answer repeats."""
_NAMED = re.compile(r"\bdo:e(\d+)")
_TYPED = re.compile(r"\\n\[person:[\w.-]+\] do:e(\d+)")
"""A line of the conversation to summarise; quotes from elsewhere are indented."""


@dataclass
class Event:
    """What somebody said, and what the model does about it."""

    number: int
    spot: Spot
    steps: Sequence[Step] = ()
    fails: bool = False
    """Whether the model's server breaks down at the second step."""
    requests: int = 0


@dataclass
class ObedientModel:
    """Implements `domain.models.Model`. Every request is searched before it is answered."""

    ledger: Ledger
    events: list[Event] = field(default_factory=list[Event])
    newest: int = 0
    """The number of the event that a message without one belongs to."""
    alive: Callable[[], None] = lambda: None
    requests: int = 0
    capabilities: ModelCapabilities = CAPABILITIES

    def name(self, size: ModelSize) -> str:
        return NAME if size is ModelSize.MAIN else f"{NAME}-{size}"

    async def sample(
        self, request: ModelRequest, on_delta: Callable[[ModelDelta], None]
    ) -> ModelReply:
        """Do what the newest message says. Raises ModelError for an event that fails."""
        self.alive()
        self.requests += 1
        if request.answer_schema is not None:
            return self._structured(request)
        begun = _begun(request.messages)
        number, at = begun or (self.newest, SAID)
        event = self.events[number]
        event.requests += 1
        prompt = json.dumps(request.system, ensure_ascii=False)
        self.ledger.look("a system prompt", prompt, event.spot)
        talk = json.dumps([request.messages, request.tools], ensure_ascii=False)
        self.ledger.look("a request", talk, event.spot)
        if event.fails and at == 1:
            # A refusal would be asked again in words, in which no event is told from another.
            raise ModelError(ModelTrouble("unreachable", "the server broke down"))
        reply = event.steps[at](request) if at < len(event.steps) else aloud(request)
        reply = replace(reply, content=through_dispatcher(reply.content, request.tools))
        return with_own_ids(reply, len(request.messages))

    @property
    def heard(self) -> float:
        """The share of the events that reached the model."""
        return sum(one.requests > 0 for one in self.events) / max(1, len(self.events))

    def _structured(self, request: ModelRequest) -> ModelReply:
        text = _text(request)
        typed = [int(one) for one in _TYPED.findall(text)]
        for number in sorted({*typed}):
            self.ledger.look("a summary's request", text, self.events[number].spot)
        found = [self.ledger.secrets[one] for one in sorted(tokens_in(text))]
        words = [f"the codeword is {secret.words}" for secret in found]
        answer = hostile(dict(request.answer_schema or {}), words)
        return ModelReply(
            say(json.dumps(answer)).content, "end_turn", Usage(400, 0, 0, 80), f"{NAME}-cheap"
        )

    async def close(self) -> None:
        """Do nothing: a server continues when its clients leave."""
        return


def aloud(request: ModelRequest) -> ModelReply:
    """Answer with what was seen."""
    return say(f"Done. {' '.join(seen_in(request)[:SAID])}")


def seen_in(request: ModelRequest) -> list[str]:
    """The secrets in a request, the newest first."""
    return spread_in(_text(request))


def _text(request: ModelRequest) -> str:
    return json.dumps([request.system, request.messages], ensure_ascii=False)


def _begun(messages: Sequence[JsonObject]) -> tuple[int, int] | None:
    """The newest event that a person or a brief names, and the number of replies since."""
    for index in range(len(messages) - 1, -1, -1):
        if (number := _named(messages[index])) is not None:
            later = messages[index + 1 :]
            return number, sum(message.get("role") == "assistant" for message in later)
    return None


def _named(message: JsonObject) -> int | None:
    if message.get("role") != "user":
        return None
    for block in reversed(blocks_of(message)):
        text = str(block.get("text") or "") if block.get("type") == "text" else ""
        if not text.startswith("<quoted") and (found := _NAMED.findall(text)):
            return int(found[-1])
    return None


def hostile(schema: JsonObject, words: Sequence[str]) -> Any:
    """An answer in the schema that tells every word wherever a text may stand."""
    if "enum" in schema:
        numbers = [one for one in schema["enum"] if isinstance(one, int)]
        return max(numbers) if numbers else schema["enum"][0]
    if "anyOf" in schema:
        return hostile(schema["anyOf"][0], words)
    match schema.get("type"):
        case "object":
            properties: JsonObject = schema.get("properties") or {}
            return {name: hostile(one, words) for name, one in properties.items()}
        case "array":
            return _hostile_items(schema, words)
        case "integer" | "number":
            return schema.get("maximum", 5)
        case "boolean":
            return True
        case _:
            return " ".join(words)[: schema.get("maxLength", 1_000)]


def _hostile_items(schema: JsonObject, words: Sequence[str]) -> list[Any]:
    items: JsonObject = schema.get("items") or {"type": "string"}
    fields = as_object(items.get("properties"))
    tiers: list[str] = list(as_object(fields.get("Tier")).get("enum") or ())
    made: list[Any] = [hostile(items, [word]) for word in words]
    if tiers:
        made = [
            {**one, "Tier": tier, "Sources": [], "Replaces": []} for one in made for tier in tiers
        ]
    return made[: min(60, schema.get("maxItems", 60))]

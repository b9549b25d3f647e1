"""The last step of a call: its result without secrets and without redacted text.

It comes before the model, the cycle log, the journal and the transcript, so none of them contains
what it removes.

See docs/rules.md#order-of-checks.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from bot.domain.json_types import JsonObject
from bot.domain.tool_context import ToolScope
from bot.domain.tool_outcomes import Effect, FactSaved, ToolResult
from bot.domain.tools import ToolDefinition
from bot.log import redact_secrets
from bot.tools.policy.rules import OutputRule

WITHHELD = "tool output redacted by policy"
"""The whole text. It is not an error, because repeating the call would not help."""


@dataclass(frozen=True)
class Cleaned:
    """A result fit for everybody, and the name of the rule that replaced it, if one did."""

    result: ToolResult
    rule: str = ""


@dataclass
class Redaction:
    """Cleans results; `outputs` are the current rules, replaced when policy.yaml changes."""

    outputs: Sequence[OutputRule] = ()
    redact: Callable[[str], str] = field(default=redact_secrets)

    def clean(
        self, result: ToolResult, definition: ToolDefinition | None, scope: ToolScope
    ) -> Cleaned:
        """The cleaned result.

        Its unit stays, because it is the effect of the call and is not shown.
        """
        rule = self._rule(result, definition, scope)
        if rule is not None:
            kept = tuple(effect for effect in result.effects if not isinstance(effect, FactSaved))
            withheld = replace(
                result, content=WITHHELD, is_error=False, blocks=(), summary="", effects=kept
            )
            return Cleaned(withheld, rule.name)
        content, summary = self.redact(result.content), self.redact(result.summary)
        blocks = tuple(self._block(block) for block in result.blocks)
        effects = tuple(self._effect(effect) for effect in result.effects)
        if (content, summary, blocks, effects) == (
            result.content,
            result.summary,
            result.blocks,
            result.effects,
        ):
            return Cleaned(result)
        return Cleaned(
            replace(result, content=content, summary=summary, blocks=blocks, effects=effects)
        )

    def _rule(
        self, result: ToolResult, definition: ToolDefinition | None, scope: ToolScope
    ) -> OutputRule | None:
        if not self.outputs or definition is None:
            return None
        texts = [result.content, *(text for block in result.blocks for text in _texts(block))]
        return next((rule for rule in self.outputs if rule.matches(definition, scope, texts)), None)

    def _effect(self, effect: Effect) -> Effect:
        if not isinstance(effect, FactSaved):
            return effect
        fact = effect.fact
        return FactSaved(replace(fact, key=self.redact(fact.key), value=self.redact(fact.value)))

    def _block(self, block: JsonObject) -> JsonObject:
        return cast("JsonObject", self._value(block))

    def _value(self, value: Any) -> Any:
        match value:
            case str():
                return self.redact(value)
            case dict():
                found = cast("JsonObject", value)
                if found.get("type") == "base64":  # the bytes of an image: nothing to read there
                    return found
                return {key: self._value(item) for key, item in found.items()}
            case list():
                return [self._value(item) for item in cast("list[Any]", value)]
            case _:
                return value


def _texts(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            found = cast("JsonObject", value)
            if found.get("type") != "base64":
                yield json.dumps(found, ensure_ascii=False, default=str)
                for item in found.values():
                    yield from _texts(item)
        case list():
            for item in cast("list[Any]", value):
                yield from _texts(item)
        case _:
            return

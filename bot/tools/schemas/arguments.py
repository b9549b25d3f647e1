"""Whether the arguments of a call fit the parameters of its tool, in words for the model."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from bot.domain.characters import short_line
from bot.domain.json_types import JsonObject
from bot.tools.schemas.declared import (
    RemainingWork,
    TooMuchWork,
    Undeclared,
    path_text,
    undeclared,
    unexpected,
)

if TYPE_CHECKING:
    from bot.tools.schemas.metered import Validator

MAX_DEPTH = 32
"""Nesting of arguments and schemas."""
MAX_CHARS = 400_000
"""Size of a call's arguments as JSON."""
LARGEST = 10**18
"""Whole numbers in arguments: SQLite holds no more than 64 bits."""
_SHOWN = 80
_TOLD = 3
"""The most mismatches in one answer; the rest is counted."""
_TOO_MUCH = (
    "the arguments are too much to be checked against this tool's parameters; send less in one call"
)


class ArgumentCheck:
    """Checks arguments against one schema. Nothing is prepared before it is needed."""

    def __init__(self, schema: JsonObject) -> None:
        self._schema = schema

    @cached_property
    def _validator(self) -> "Validator":
        from bot.tools.schemas.metered import Validator  # noqa: PLC0415 - loads jsonschema, which few calls need

        return Validator(self._schema)

    def problem(self, arguments: JsonObject) -> str | None:
        """The problem with an argument, in words for the model; None if all fit.

        A null for an argument that isn't required counts as omitted. The check does a bounded
        amount of work.
        """
        if depth_of(arguments) > MAX_DEPTH:
            return f"the arguments are nested more than {MAX_DEPTH} levels deep"
        try:
            size = len(json.dumps(arguments))
        except (TypeError, ValueError) as error:
            return f"the arguments are not JSON: {error}"
        if (large := _too_large(arguments)) is not None:
            return (
                f"{short(str(large))} is too large a number; whole numbers have at most 18 digits "
                "here"
            )
        if size > MAX_CHARS:
            return f"the arguments have {size:,} characters; at most {MAX_CHARS:,} are taken"
        required = cast("list[str]", self._schema.get("required", []))
        given = {
            name: value
            for name, value in arguments.items()
            if value is not None or name in required
        }
        return self._mismatches(given)

    def _mismatches(self, given: JsonObject) -> str | None:
        work = RemainingWork()
        try:
            errors = self._validator.errors(given, work)
            extra = [one for one in undeclared(self._schema, given, work.spend) if not one.open]
        except TooMuchWork:
            return _TOO_MUCH
        if errors is None:
            return "the arguments could not be checked against the tool's parameters"
        return _explain(errors, extra) if errors or extra else None


def depth_of(value: Any) -> int:
    """A JSON value's depth; counting stops beyond MAX_DEPTH, so any input is safe."""
    level = [value]
    depth = 0
    while level and depth <= MAX_DEPTH:
        depth += 1
        below: list[Any] = []
        for node in level:
            if isinstance(node, dict):
                below.extend(cast("dict[str, Any]", node).values())
            elif isinstance(node, list):
                below.extend(cast("list[Any]", node))
        level = below
    return depth


def _too_large(value: Any) -> int | None:
    """An integer that is too large for the database, or None."""
    match value:
        case int() if abs(value) > LARGEST:
            return value
        case dict():
            inside = cast("dict[str, Any]", value).values()
        case list():
            inside = cast("list[Any]", value)
        case _:
            return None
    return next((found for item in inside if (found := _too_large(item)) is not None), None)


@dataclass(frozen=True)
class _Mismatch:
    """One error of jsonschema, with the types that its stubs leave open."""

    where: str
    rule: Any
    expected: Any
    value: Any
    message: str

    @classmethod
    def of(cls, error: Any) -> "_Mismatch":
        if error.context:
            # Of several alternatives, the error of the best match tells the most.
            error = min(error.context, key=lambda inner: -len(inner.absolute_path))
        return cls(
            path_text(error.absolute_path),
            error.validator,
            error.validator_value,
            error.instance,
            error.message if error.validator == "additionalProperties" else short(error.message),
        )


def _explain(errors: Sequence[Any], extra: Sequence[Undeclared]) -> str:
    told = [*(_explain_one(_Mismatch.of(error)) for error in errors), *map(_explain_extra, extra)]
    texts = list(dict.fromkeys(told))
    more = f"; and {len(texts) - _TOLD} more" if len(texts) > _TOLD else ""
    return "; ".join(texts[:_TOLD]) + more


def _explain_extra(extra: Undeclared) -> str:
    text = unexpected(list(extra.given), dict.fromkeys(extra.known))
    return f"{extra.place}: {text}" if extra.place else text


def _explain_one(error: _Mismatch) -> str:
    where = error.where or "the arguments"
    match error.rule:
        case "required":
            prefix = f"{error.where}." if error.where else ""
            return "missing " + ", ".join(
                f"{prefix}{name}" for name in error.expected if name not in error.value
            )
        case "type":
            wanted = [error.expected] if isinstance(error.expected, str) else list(error.expected)
            return (
                f"{where} must be {' or '.join(map(_kind, wanted))}, not "
                f"{_given(error.value, wanted)}"
            )
        case "enum":
            choices = ", ".join(_written(choice) for choice in error.expected)
            return f"{where} must be one of {choices}, not {shown(error.value)}"
        case "additionalProperties":
            return f"{error.where}: {error.message}" if error.where else error.message
        case _:
            return f"{where}: {error.message} (expected {error.rule} {shown(error.expected)})"


def _kind(kind: str) -> str:
    """A type in words: `an integer`, `true or false`."""
    match kind:
        case "boolean":
            return "true or false"
        case "null":
            return "null"
        case _:
            return f"{'an' if kind[0] in 'aeio' else 'a'} {kind}"


def _written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _given(value: Any, wanted: Sequence[str]) -> str:
    """What was given.

    A word in place of true or false stands in single quotes, so that it reads as a word.
    """
    return f"'{short(value)}'" if wanted == ["boolean"] and isinstance(value, str) else shown(value)


def shown(value: Any) -> str:
    return short(_written(value))


def short(text: str) -> str:
    return short_line(text, _SHOWN)

"""JSON Schema validation with bounded work, whatever the schema and the value.

The only place that imports jsonschema; import it lazily, since few checks need it. Its keywords are
counted one by one; patterns run on RE2, and equality of items by hash. So a schema from elsewhere
can make a check fail, but never make the event loop wait.
"""

from collections.abc import Callable, Generator, Iterator
from contextvars import ContextVar
from typing import Any, cast

from jsonschema import Draft202012Validator, FormatChecker, ValidationError
from jsonschema.exceptions import SchemaError
from jsonschema.validators import extend  # pyright: ignore[reportUnknownVariableType]
from referencing.exceptions import Unresolvable

from bot.domain.json_types import JsonObject
from bot.tools.schemas.declared import RemainingWork, TooMuchWork, path_text, unexpected
from bot.tools.text.patterns import matches

_TEXT_PER_UNIT = 64
_NODES_PER_UNIT = 8
_ERROR_UNITS = 6
_MAX_NESTED = 120
"""Nested keywords; below Python's limit, at which native code panics."""
_NO_FORMATS = FormatChecker(())
"""The format `regex` is omitted, because it would use Python's own engine."""
_UNCHECKABLE = (RecursionError, Unresolvable, ArithmeticError)

Keyword = Callable[[Any, Any, Any, Any], Any]


_work: ContextVar[RemainingWork] = ContextVar("schema_work")


def meta_problem(schema: JsonObject) -> tuple[str, str] | None:
    """Why a schema is no valid JSON Schema, with the place; None if it is. Linear in its size."""
    try:
        Draft202012Validator.check_schema(schema, format_checker=_NO_FORMATS)
    except SchemaError as error:
        return path_text(error.absolute_path), error.message
    except RecursionError:
        return "", "it is too deep to be checked; make it flatter"
    return None


class Validator:
    """One schema, ready to check values. References stay inside it."""

    def __init__(self, schema: JsonObject) -> None:
        plain = {key: value for key, value in schema.items() if key != "$schema"}
        self._validator: Any = _METERED(plain)

    def errors(self, value: Any, work: RemainingWork) -> list[Any] | None:
        """All mismatches; None when the schema can't be applied. Raises TooMuchWork."""
        token = _work.set(work)
        try:
            return list(self._validator.iter_errors(value))
        except _UNCHECKABLE:
            return None
        finally:
            _work.reset(token)


# --- keywords ---


def _metered(rule: Keyword) -> Keyword:
    def counted(validator: Any, wanted: Any, instance: Any, schema: Any) -> Iterator[Any]:
        work = _work.get()
        work.spend(1 + _length(wanted) + _length(instance))
        work.nested += 1
        try:
            if work.nested > _MAX_NESTED:
                raise TooMuchWork
            for error in rule(validator, wanted, instance, schema) or ():
                work.spend(_ERROR_UNITS + len(error.message) // _TEXT_PER_UNIT)
                yield error
        finally:
            work.nested -= 1

    return counted


def _length(value: Any) -> int:
    return len(cast("str", value)) // _TEXT_PER_UNIT if isinstance(value, str | list | dict) else 0


def _pattern(validator: Any, wanted: str, instance: Any, schema: Any) -> Iterator[Any]:
    if isinstance(instance, str) and not _fits(wanted, instance):
        yield ValidationError(f"{instance!r} does not match {wanted!r}")


def _fits(pattern: str, text: str) -> bool:
    # At worst, RE2's time is the product of the two.
    _work.get().spend(len(pattern) * len(text) // 4096)
    return matches(pattern, text)


def _pattern_properties(
    validator: Any, wanted: JsonObject, instance: Any, schema: Any
) -> Iterator[Any]:
    if not isinstance(instance, dict):
        return
    for pattern, below in wanted.items():
        for name, item in cast("JsonObject", instance).items():
            if _fits(pattern, name):
                yield from validator.descend(item, below, path=name, schema_path=pattern)


def _additional(validator: Any, wanted: Any, instance: Any, schema: Any) -> Iterator[Any]:
    if not isinstance(instance, dict):
        return
    given = cast("JsonObject", instance)
    patterns: JsonObject = schema.get("patternProperties") or {}
    named: JsonObject = schema.get("properties") or {}
    extra = [
        name
        for name in given
        if name not in named and not any(_fits(pattern, name) for pattern in patterns)
    ]
    if wanted is False and extra:
        yield ValidationError(unexpected(extra, named))
    elif isinstance(wanted, dict):
        for name in extra:
            yield from validator.descend(given[name], wanted, path=name)


def _unique(validator: Any, wanted: Any, instance: Any, schema: Any) -> Iterator[Any]:
    if not wanted or not isinstance(instance, list):
        return
    items = cast("list[Any]", instance)
    _work.get().spend(_nodes(items) // _NODES_PER_UNIT)
    if len({_hashable(item) for item in items}) < len(items):
        yield ValidationError("some of its items stand in it twice")


def _compared(rule: Keyword) -> Keyword:
    """Wrap a keyword that compares a value with data of the schema."""

    def counted(validator: Any, wanted: Any, instance: Any, schema: Any) -> Generator[Any]:
        options = len(cast("list[Any]", wanted)) if isinstance(wanted, list) else 1
        if isinstance(instance, dict | list):
            _work.get().spend(_nodes(instance) * max(1, options) // _NODES_PER_UNIT)
        yield from rule(validator, wanted, instance, schema) or ()

    return counted


def _nodes(value: Any) -> int:
    count, waiting = 0, [value]
    while waiting:
        node = waiting.pop()
        count += 1
        if isinstance(node, dict):
            waiting += cast("JsonObject", node).values()
        elif isinstance(node, list):
            waiting += cast("list[Any]", node)
    return count


def _hashable(value: Any) -> Any:
    """A key with JSON's equality: 1 equals 1.0, and 1 differs from true."""
    if isinstance(value, dict):
        return frozenset((key, _hashable(item)) for key, item in cast("JsonObject", value).items())
    if isinstance(value, list):
        return tuple(_hashable(item) for item in cast("list[Any]", value))
    return ("bool", value) if isinstance(value, bool) else value


def _keywords() -> dict[str, Keyword]:
    own: dict[str, Keyword] = {
        "pattern": _pattern,
        "patternProperties": _pattern_properties,
        "additionalProperties": _additional,
        "uniqueItems": _unique,
    }
    stock = cast("dict[str, Keyword]", dict(Draft202012Validator.VALIDATORS))
    own |= {name: _compared(stock[name]) for name in ("const", "enum")}
    return {name: _metered(rule) for name, rule in (stock | own).items()}


_METERED: Any = cast("Any", extend)(Draft202012Validator, _keywords())

"""Whether a tool's parameters are a sound schema, and whether a call's arguments fit it."""

import json
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

from bot.domain.json_types import JsonObject
from bot.tools.schemas.declared import Undeclared, referred, undeclared
from bot.tools.schemas.metered import (
    RemainingWork,
    TooMuchWork,
    Validator,
    meta_problem,
    path_text,
    pattern_of,
    unexpected,
)
from bot.tools.schemas.plain import is_plain

MAX_DEPTH = 32
"""Nesting of arguments and schemas."""
MAX_CHARS = 400_000
"""Size of a call's arguments as JSON."""
MAX_SCHEMA_CHARS = 100_000
MAX_PATTERNS = 200
"""The most patterns of one schema; compiling one takes a millisecond."""
LARGEST = 10**18
"""Whole numbers in arguments: SQLite holds no more than 64 bits."""
_CACHED = 2048
_SHOWN = 80
_TOLD = 3
"""The most mismatches in one answer; the rest is counted."""

_FOREIGN = frozenset(
    {"$id", "$anchor", "$dynamicRef", "$dynamicAnchor", "$vocabulary", "unevaluatedItems"}
)
_NAME_LISTS = frozenset({"required", "dependentRequired", "type"})
_TOO_MUCH = (
    "the arguments are too much to be checked against this tool's parameters; send less in one call"
)


# --- schemas ---


def schema_problem(schema: JsonObject) -> str | None:
    """Why this can't be a tool's parameters, in words for the author of the file; None when it can.

    Checked with the 2020-12 meta-schema. References must stay inside the schema, so that nothing is
    ever fetched.
    """
    if schema.get("type") != "object":
        return 'must be the schema of an object; add "type": "object" at its top'
    if depth_of(schema) > MAX_DEPTH:
        return f"is nested more than {MAX_DEPTH} levels deep"
    text = json.dumps(schema)
    if len(text) > MAX_SCHEMA_CHARS:
        return f"is longer than {MAX_SCHEMA_CHARS:,} characters"
    if is_plain(schema):
        return _foreign_problem(schema) if '"pattern"' in text else None
    return _foreign_problem(schema) or _meta_problem(schema)


def _foreign_problem(schema: JsonObject) -> str | None:
    if sum(map(len, map(_patterns, _objects(schema)))) > MAX_PATTERNS:
        return f"has more than {MAX_PATTERNS} patterns; use fewer"
    for part in _objects(schema):
        if foreign := _FOREIGN & part.keys() or (
            {"$schema"} & part.keys() if part is not schema else set[str]()
        ):
            return f"uses {min(foreign)}, which tools can't; write the schema out in place"
        reference = part.get("$ref")
        if isinstance(reference, str) and not _resolves(schema, reference):
            return (
                f"refers to {_short(reference)!r}, which is not a part of this schema; write that "
                "part out in place"
            )
        if problem := _names_problem(part) or _pattern_problem(part):
            return problem
    return None


def _names_problem(part: JsonObject) -> str | None:
    """Check that lists of names hold only names, because comparing other values is slow."""
    for key in _NAME_LISTS & part.keys():
        said = part[key]
        lists: list[Any] = (
            list(cast("JsonObject", said).values()) if isinstance(said, dict) else [said]
        )
        for one in lists:
            if key != "required" and isinstance(one, str | dict):
                continue
            if isinstance(one, list) and not all(
                isinstance(name, str) for name in cast("list[Any]", one)
            ):
                return f"has something in {key} that is no name: {_show(one)}"
    return None


def _pattern_problem(part: JsonObject) -> str | None:
    for text in _patterns(part):
        try:
            pattern_of(text)
        except ValueError as error:
            return f"is not a valid JSON Schema: its pattern {_short(text)!r} {error}"
    return None


def _patterns(part: JsonObject) -> list[str]:
    pattern, keyed = part.get("pattern"), part.get("patternProperties")
    found = [pattern] if isinstance(pattern, str) else []
    return [*found, *(cast("JsonObject", keyed) if isinstance(keyed, dict) else ())]


def _resolves(schema: JsonObject, reference: str) -> bool:
    """Whether a `#/…` reference leads to a part of the schema, and not back to itself."""
    seen: set[str] = set()
    node: Any = {"$ref": reference}
    while isinstance(node, dict) and isinstance(
        target := cast("JsonObject", node).get("$ref"), str
    ):
        if target in seen or len(seen) > MAX_DEPTH or not target.startswith("#/"):
            return False
        seen.add(target)
        node = referred(schema, target)
    return isinstance(node, dict | bool)


def _meta_problem(schema: JsonObject) -> str | None:
    found = meta_problem(schema)
    return found and f"is not a valid JSON Schema at {found[0] or 'its top'}: {_short(found[1])}"


def _objects(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        found = cast("dict[str, Any]", node)
        yield found
        for value in found.values():
            yield from _objects(value)
    elif isinstance(node, list):
        for value in cast("list[Any]", node):
            yield from _objects(value)


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


# --- arguments ---


class ArgumentChecker:
    """Checks arguments against schemas, keeping the last validators that it built."""

    def __init__(self) -> None:
        self._validators: OrderedDict[str, Validator] = OrderedDict()

    def problem(self, schema: JsonObject, arguments: JsonObject) -> str | None:
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
                f"{_short(str(large))} is too large a number; whole numbers have at most 18 digits "
                "here"
            )
        if size > MAX_CHARS:
            return f"the arguments have {size:,} characters; at most {MAX_CHARS:,} are taken"
        required = cast("list[str]", schema.get("required", []))
        given = {
            name: value
            for name, value in arguments.items()
            if value is not None or name in required
        }
        work = RemainingWork()
        try:
            errors = self._validator(schema).errors(given, work)
            extra = [one for one in undeclared(schema, given, work.spend) if not one.open]
        except TooMuchWork:
            return _TOO_MUCH
        if errors is None:
            return "the arguments could not be checked against the tool's parameters"
        return _explain(errors, extra) if errors or extra else None

    def _validator(self, schema: JsonObject) -> Validator:
        key = json.dumps(schema, sort_keys=True)
        validator = self._validators.get(key)
        if validator is None:
            validator = self._validators[key] = Validator(schema)
            if len(self._validators) > _CACHED:
                self._validators.popitem(last=False)
        else:
            self._validators.move_to_end(key)
        return validator


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
            error.message if error.validator == "additionalProperties" else _short(error.message),
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
            return f"{where} must be one of {choices}, not {_show(error.value)}"
        case "additionalProperties":
            return f"{error.where}: {error.message}" if error.where else error.message
        case _:
            return f"{where}: {error.message} (expected {error.rule} {_show(error.expected)})"


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
    return (
        f"'{_short(value)}'" if wanted == ["boolean"] and isinstance(value, str) else _show(value)
    )


def _show(value: Any) -> str:
    return _short(_written(value))


def _short(text: str) -> str:
    folded = " ".join(text.split())
    return folded if len(folded) <= _SHOWN else folded[: _SHOWN - 1] + "…"

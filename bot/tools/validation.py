"""JSON Schema: whether a tool's parameters are a sound schema, and whether a call's arguments fit it.

The only place that imports jsonschema.
"""

import json
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import unquote

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError
from referencing.exceptions import Unresolvable

from bot.domain.json_types import JsonObject
from bot.tools.plain_schema import is_plain

MAX_DEPTH = 32
"""Nesting of arguments and schemas."""
MAX_CHARS = 400_000
"""Size of a call's arguments as JSON."""
_CACHED = 2048
_SHOWN = 80
_TOLD = 3
"""Mismatches that one answer names; the rest is counted."""

_FOREIGN = frozenset({"$id", "$anchor", "$dynamicRef", "$dynamicAnchor", "$vocabulary"})


# --- schemas --------------------------------------------------------------------------------------------------


def schema_problem(schema: JsonObject) -> str | None:
    """Why this can't be a tool's parameters, in words for the author of the file; None when it can.

    Checked with the 2020-12 meta-schema. References must stay inside the schema, so that nothing is ever fetched.
    """
    if schema.get("type") != "object":
        return 'must be the schema of an object; add "type": "object" at its top'
    if depth_of(schema) > MAX_DEPTH:
        return f"is nested more than {MAX_DEPTH} levels deep"
    return None if is_plain(schema) else _foreign_problem(schema) or _meta_problem(schema)


def _foreign_problem(schema: JsonObject) -> str | None:
    for part in _objects(schema):
        if foreign := _FOREIGN & part.keys():
            return f"uses {min(foreign)}, which tools can't; write the schema out in place"
        reference = part.get("$ref")
        if isinstance(reference, str) and not _resolves(schema, reference):
            return f"refers to {_short(reference)!r}, which is not a part of this schema; write that part out in place"
    return None


def _resolves(schema: JsonObject, reference: str) -> bool:
    """Whether a `#/…` reference leads to a part of the schema, and not back to itself."""
    seen: set[str] = set()
    node: Any = {"$ref": reference}
    while isinstance(node, dict) and isinstance(target := cast("dict[str, Any]", node).get("$ref"), str):
        if target in seen or not target.startswith("#/"):
            return False
        seen.add(target)
        node = schema
        for step in unquote(target[2:]).split("/"):
            key = step.replace("~1", "/").replace("~0", "~")
            node = cast("dict[str, Any]", node).get(key) if isinstance(node, dict) else None
    return isinstance(node, dict | bool)


def _meta_problem(schema: JsonObject) -> str | None:
    try:
        Draft202012Validator.check_schema(schema, format_checker=Draft202012Validator.FORMAT_CHECKER)
    except SchemaError as error:
        where = _path(error.absolute_path) or "its top"
        return f"is not a valid JSON Schema at {where}: {_short(error.message)}"
    except RecursionError:
        return "is too deep to be checked; make it flatter"
    return None


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
    """How deep a JSON value is nested; stops counting beyond MAX_DEPTH, so it is safe on any input."""
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


# --- arguments ------------------------------------------------------------------------------------------------


class ArgumentChecker:
    """Checks arguments against schemas, keeping the last validators that it built."""

    def __init__(self) -> None:
        self._validators: OrderedDict[str, Draft202012Validator] = OrderedDict()

    def problem(self, schema: JsonObject, arguments: JsonObject) -> str | None:
        """What is wrong, naming the argument and what was expected, in words for the model; None when they fit.

        A null for an argument that isn't required counts as not given.
        """
        if depth_of(arguments) > MAX_DEPTH:
            return f"the arguments are nested more than {MAX_DEPTH} levels deep"
        try:
            size = len(json.dumps(arguments))
        except (TypeError, ValueError) as error:
            return f"the arguments are not JSON: {error}"
        if size > MAX_CHARS:
            return f"the arguments have {size:,} characters; at most {MAX_CHARS:,} are taken"
        required = cast("list[str]", schema.get("required", []))
        given = {name: value for name, value in arguments.items() if value is not None or name in required}
        try:
            validator: Any = self._validator(schema)
            errors: list[Any] = list(validator.iter_errors(given))
        except (RecursionError, Unresolvable):
            return "the arguments could not be checked against the tool's parameters"
        return _explain(errors) if errors else None

    def _validator(self, schema: JsonObject) -> Draft202012Validator:
        key = json.dumps(schema, sort_keys=True)
        validator = self._validators.get(key)
        if validator is None:
            validator = self._validators[key] = Draft202012Validator(schema)
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
    schema: Any

    @classmethod
    def of(cls, error: Any) -> "_Mismatch":
        if error.context:
            # Of several alternatives, the one that fits best says the most.
            error = min(error.context, key=lambda inner: -len(inner.absolute_path))
        return cls(
            _path(error.absolute_path),
            error.validator,
            error.validator_value,
            error.instance,
            _short(error.message),
            error.schema,
        )


def _explain(errors: Sequence[Any]) -> str:
    texts = list(dict.fromkeys(_explain_one(_Mismatch.of(error)) for error in errors))
    more = f"; and {len(texts) - _TOLD} more" if len(texts) > _TOLD else ""
    return "; ".join(texts[:_TOLD]) + more


def _explain_one(error: _Mismatch) -> str:
    where = error.where or "the arguments"
    match error.rule:
        case "required":
            prefix = f"{error.where}." if error.where else ""
            return "missing " + ", ".join(f"{prefix}{name}" for name in error.expected if name not in error.value)
        case "type":
            wanted = error.expected if isinstance(error.expected, str) else " or ".join(error.expected)
            return f"{where} must be {_article(wanted)}, not {_show(error.value)}"
        case "enum":
            choices = ", ".join(json.dumps(choice, ensure_ascii=False) for choice in error.expected)
            return f"{where} must be one of {choices}, not {_show(error.value)}"
        case "additionalProperties":
            known = ", ".join(error.schema.get("properties", {})) or "none"
            return f"{error.message} (known arguments: {known})"
        case _:
            return f"{where}: {error.message} (expected {error.rule} {_show(error.expected)})"


def _article(kind: str) -> str:
    return f"{'an' if kind[0] in 'aeio' else 'a'} {kind}"


def _path(parts: Any) -> str:
    text = ""
    for part in parts:
        text += f"[{part}]" if isinstance(part, int) else f"{'.' if text else ''}{part}"
    return text


def _show(value: Any) -> str:
    return _short(json.dumps(value, ensure_ascii=False))


def _short(text: str) -> str:
    folded = " ".join(text.split())
    return folded if len(folded) <= _SHOWN else folded[: _SHOWN - 1] + "…"

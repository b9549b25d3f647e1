"""Targets of calls: recipients, addresses, channels, accounts and files.

A tool file marks an argument with `"x-target": true` or with the kind of target, and says with
`"x-kind"` which kind of record it names. Marks are for the gate; models never see them.

See docs/rules.md#trust.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol, Self, cast

from bot.domain.json_types import JsonObject
from bot.domain.lasting import Lasting

MARK = "x-target"
KIND_MARK = "x-kind"
"""Beside `x-target`: the kind of record whose id the argument takes."""
ID_MARK, WORDS_MARK, PART_MARK = "x-id", "x-words", "x-part"
"""Marks in a result's schema: a record's id, its name fields, and what else belongs to it.

The values of the first and the last are kinds, as in `x-kind`.
"""
NAMED = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"})
"""Keywords whose keys are names that somebody chose and whose values are schemas."""
_VERBATIM = frozenset({"default", "const", "enum", "examples", "required"})
"""Keywords whose values are data, never schemas."""


class TargetKind(StrEnum):
    EMAIL = "email"
    URL = "url"
    CHANNEL = "channel"
    ACCOUNT = "account"
    PATH = "path"
    ID = "id"
    HOST = "host"
    """A bare host name or address, for example of a look-up: `example.org`."""


@dataclass(frozen=True)
class Target:
    """One typed target of a call. Two are equal if they are spellings of the same thing."""

    field: str
    """Its path in the arguments: `to`, `attendees[1].email`."""
    kind: TargetKind
    value: str
    """Normalised by kind; the text as given when it can't be read as that kind."""
    sound: bool = True
    """False: it can't be read as its kind, so nothing vouches for it."""
    record: str = ""
    """The kind of record whose id it is; empty if the tool's file doesn't say."""


OWN_WORDS = "own words"
"""The person wrote a target, in words that are no order for it."""


@dataclass(frozen=True)
class Stem:
    """Where an unvouched target came from, for the person who decides. It is untrusted data."""

    target: Target
    source: str = ""
    """Origin of the text, `tool:web_fetch` or `OWN_WORDS`; empty if the model made it up."""
    excerpt: str = ""

    def to_json(self) -> JsonObject:
        target = self.target
        named = {
            "field": target.field,
            "kind": target.kind.value,
            "value": target.value,
            "sound": target.sound,
        }
        return {**named, "source": self.source, "excerpt": self.excerpt}

    @classmethod
    def from_json(cls, data: JsonObject) -> Self:
        target = Target(data["field"], TargetKind(data["kind"]), data["value"], data["sound"])
        return cls(target, data["source"], data["excerpt"])


class OwnWords(Protocol):
    """The typed words of a session's person, for tools with targets beyond their arguments."""

    def said(self, text: str) -> bool:
        """Whether they contain exactly this text, as whole words."""
        ...

    def said_by_person(self, target: Target) -> bool: ...

    def asks_for(self, kind: Lasting, texts: Sequence[str]) -> bool:
        """Whether they ask in this turn for a lasting thing with exactly these texts."""
        ...


def subschemas(schema: JsonObject) -> Iterator[tuple[str, Any]]:
    """The subschemas of a schema in document order, each with its path."""
    for key, value in schema.items():
        if key in _VERBATIM:
            continue
        if key in NAMED and isinstance(value, dict):
            for name, child in cast("JsonObject", value).items():
                yield f"{key}.{name}", child
        elif isinstance(value, dict):
            yield key, value
        elif isinstance(value, list):
            for index, child in enumerate(cast("list[Any]", value)):
                yield f"{key}[{index}]", child


def has_mark(field: Any, mark: str) -> bool:
    """Whether a field of a schema bears a mark."""
    return isinstance(field, dict) and bool(cast("JsonObject", field).get(mark))


def has_marks(schema: Any) -> bool:
    """Whether the schema marks any argument as a target."""
    return any(mark is not False for mark in _marks(schema))


def says_targets(schema: Any) -> bool:
    """Whether the schema says which arguments are targets, be it that none is (`false`)."""
    return next(_marks(schema), None) is not None


def _marks(schema: Any) -> Iterator[Any]:
    if isinstance(schema, dict):
        found = cast("JsonObject", schema)
        if MARK in found:
            yield found[MARK]
        for _, child in subschemas(found):
            yield from _marks(child)


def without_marks(schema: JsonObject) -> JsonObject:
    """The schema without marks, for models; the same object if it has none."""
    return cast("JsonObject", _stripped(schema)) if says_targets(schema) else schema


def _stripped(node: Any) -> Any:
    if isinstance(node, list):
        return [_stripped(item) for item in cast("list[Any]", node)]
    if not isinstance(node, dict):
        return node
    stripped: JsonObject = {}
    for key, value in cast("JsonObject", node).items():
        if key in {MARK, KIND_MARK}:
            continue
        if key in NAMED and isinstance(value, dict):
            stripped[key] = {
                name: _stripped(child) for name, child in cast("JsonObject", value).items()
            }
        else:
            stripped[key] = value if key in _VERBATIM else _stripped(value)
    return stripped

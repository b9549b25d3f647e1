"""Reads the targets of a call out of its arguments, typed and normalised (docs/rules.md#trust).

Two targets are equal only when they mean the same thing to their receiver: the host of
`https://a.org@b.org` is b.org, `ann+x@a.org` is not `ann@a.org`, and a look-alike letter is a
different letter.
"""

import json
import posixpath
import re
import unicodedata
from collections.abc import Iterator
from ipaddress import ip_address
from typing import Any, cast
from urllib.parse import urlsplit

from bot.domain.json_types import JsonObject
from bot.domain.targets import (
    KIND_MARK,
    MARK,
    NAMED,
    Target,
    TargetKind,
    has_marks,
    says_targets,
    subschemas,
)
from bot.domain.tools import ToolDefinition
from bot.tools.schemas.declared import referred, undeclared
from bot.tools.text.patterns import matches

MAX_TARGETS = 200
"""The most targets of one call.

A call with more is not read further: its last target is unsound, so a person decides.
"""
_EMAIL = re.compile(r"[^\s@<>()\[\],;:\\\"'`|{}]{1,64}@[^\s@<>()\[\],;:\\\"'`|{}/?#%]{1,255}")
_NAMED_ADDRESS = re.compile(r"([\w .'-]{0,80})<([^<>]+)>")
_LABEL = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")
_DEFAULT_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443, "ftp": 21}
_SPACED = re.compile(r"[\s./-]+")
_PLACES = frozenset({"type", "items", "prefixItems", *NAMED})


def targets_of(definition: ToolDefinition, arguments: JsonObject) -> tuple[Target, ...]:
    """The marked targets of a call in argument order; a value may have several.

    After them comes each undeclared argument that the schema lets through: unsound, because nobody
    knows its effect.
    """
    extra = _undeclared(definition.parameters, arguments)
    if not has_marks(definition.parameters):
        return extra
    found: list[Target] = []
    for place, part, value in _marked(
        definition.parameters, definition.parameters, arguments, "", 0
    ):
        found += _read(place, part, value)
        if len(found) > MAX_TARGETS:
            return (*found[:MAX_TARGETS], Target(place, TargetKind.ID, "(more)", sound=False))
    return tuple(dict.fromkeys((*found, *extra)))


def _undeclared(schema: JsonObject, arguments: JsonObject) -> tuple[Target, ...]:
    found = [one for one in undeclared(schema, arguments) if one.open]
    return tuple(
        Target(
            f"{one.place}.{name}" if one.place else name,
            TargetKind.ID,
            _as_text(value),
            sound=False,
        )
        for one in found
        for name, value in one.given.items()
        if value is not None
    )[: MAX_TARGETS + 1]


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def declares_targets(definition: ToolDefinition) -> bool:
    """Whether the tool's file says which arguments are targets."""
    return says_targets(definition.parameters)


def _marked(
    root: JsonObject, schema: Any, value: Any, place: str, depth: int
) -> Iterator[tuple[str, JsonObject, Any]]:
    """(place, schema, value) of every marked argument given; follows references, alternatives."""
    if not isinstance(schema, dict) or value is None or depth > 64:
        return
    part = cast("JsonObject", schema)
    if MARK in part:
        yield place, part, value
    if isinstance(reference := part.get("$ref"), str):
        yield from _marked(root, referred(root, reference), value, place, depth + 1)
    for key, child in subschemas(part):
        if key.split(".", 1)[0].split("[", 1)[0] not in _PLACES and key != "additionalProperties":
            yield from _marked(root, child, value, place, depth + 1)
    if isinstance(value, dict):
        yield from _marked_properties(root, part, cast("JsonObject", value), place, depth)
    elif isinstance(value, list):
        yield from _marked_items(root, part, cast("list[Any]", value), place, depth)


def _marked_properties(
    root: JsonObject, schema: JsonObject, value: JsonObject, place: str, depth: int
) -> Iterator[tuple[str, JsonObject, Any]]:
    named: JsonObject = schema.get("properties") or {}
    patterns: JsonObject = schema.get("patternProperties") or {}
    for name, item in value.items():
        below = f"{place}.{name}" if place else name
        children = [named[name]] if name in named else []
        children += [child for pattern, child in patterns.items() if matches(pattern, name)]
        for child in children or [schema.get("additionalProperties")]:
            yield from _marked(root, child, item, below, depth + 1)


def _marked_items(
    root: JsonObject, schema: JsonObject, value: list[Any], place: str, depth: int
) -> Iterator[tuple[str, JsonObject, Any]]:
    first: list[Any] = schema.get("prefixItems") or []
    for index, item in enumerate(value):
        child = first[index] if index < len(first) else schema.get("items")
        yield from _marked(root, child, item, f"{place}[{index}]", depth + 1)


# --- values ---


def _read(place: str, part: JsonObject, value: Any) -> list[Target]:
    """The targets in a marked value: a text or number, or all below a marked list or object."""
    mark = part[MARK]
    if isinstance(value, list):
        items = [(f"{place}[{index}]", item) for index, item in enumerate(cast("list[Any]", value))]
        return [target for where, item in items for target in _read(where, part, item)]
    if isinstance(value, dict):
        fields = cast("JsonObject", value).items()
        return [target for name, item in fields for target in _read(f"{place}.{name}", part, item)]
    if value is None or isinstance(value, bool) or mark is False:
        return []
    text = str(value)
    kind = TargetKind(mark) if isinstance(mark, str) else kind_of(text)
    pieces = re.split(r"[,;]", text) if kind is TargetKind.EMAIL else [text]
    record = str(part.get(KIND_MARK) or "")
    return [
        typed(place, kind, piece, record) for piece in pieces if piece.strip() or len(pieces) == 1
    ]


def kind_of(text: str) -> TargetKind:
    """The kind of a value by its form, for marks that don't say."""
    if re.match(r"[A-Za-z][A-Za-z0-9+.-]*://", text.strip()):
        return TargetKind.URL
    if "@" in text.strip()[1:]:
        return TargetKind.EMAIL
    if text.startswith("#"):
        return TargetKind.CHANNEL
    return TargetKind.PATH if "/" in text else TargetKind.ID


def typed(place: str, kind: TargetKind, text: str, record: str = "") -> Target:
    """A target of this kind; unsound when the text is not one."""
    given = (
        text.strip(" ") if kind is TargetKind.EMAIL else text
    )  # lists of addresses have spaces between them
    value = _READERS[kind](given) if text.isprintable() else None
    return Target(place, kind, value or text, bool(value), record)


def read_email(text: str) -> str | None:
    """`local@domain` in lower case, the domain in ASCII; also from `Ann Lee <ann@example.org>`."""
    if named := _NAMED_ADDRESS.fullmatch(text):
        text = named[2]
    if not _EMAIL.fullmatch(text):
        return None
    local, _, domain = text.rpartition("@")
    host = read_host(domain)
    return f"{unicodedata.normalize('NFC', local).lower()}@{host}" if host and "." in host else None


def read_host(text: str) -> str | None:
    """A host name in lower case and ASCII; a final dot means the same host.

    None for what can't be one.
    """
    labels: list[str] = []
    for label in unicodedata.normalize("NFC", text.removesuffix(".")).lower().split("."):
        # The plain encoding: the mappings of IDNA would make one name of two.
        plain = label if label.isascii() else "xn--" + label.encode("punycode").decode("ascii")
        if not _LABEL.fullmatch(plain):
            return None
        labels.append(plain)
    return ".".join(labels) if len(text) <= 253 else None


def read_url(text: str) -> str | None:
    """`scheme://host:port/path?query`, without a default port and without a fragment.

    None with a user name, backslash or white space in it: programs disagree where such an address
    leads.
    """
    if re.search(r"[\s\\<>\"`{}|^]", text):
        return None
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        return None
    scheme, raw = parts.scheme.lower(), parts.hostname or ""
    if "@" in parts.netloc or "%" in parts.netloc or not scheme or not raw:
        return None
    host = f"[{raw}]" if ":" in raw else read_host(raw)
    if host is None:
        return None
    where = f":{port}" if port is not None and port != _DEFAULT_PORTS.get(scheme) else ""
    query = f"?{parts.query}" if parts.query else ""
    return f"{scheme}://{host}{where}{parts.path or '/'}{query}"


def read_channel(text: str) -> str | None:
    """A channel's name without its #, in lower case, or its id as it is (`C0123ABCD`)."""
    name = unicodedata.normalize("NFC", text.removeprefix("#"))
    if not name or re.search(r"[\s<>|#@]", name):
        return None
    return name if re.fullmatch(r"[A-Z0-9]{8,}|\d+", name) else name.lower()


def read_account(text: str) -> str | None:
    """An account or handle without the @; a number (phone, IBAN) without separators."""
    plain = unicodedata.normalize("NFC", text.removeprefix("@"))
    if (
        re.fullmatch(r"\+?[A-Za-z]{0,2}\d[\dA-Za-z\s./-]*", plain)
        and sum(char.isdigit() for char in plain) >= 6
    ):
        return _SPACED.sub("", plain).upper()
    return None if re.search(r"\s", plain) else plain or None


def read_path(text: str) -> str | None:
    """A path without `.` and doubled slashes; None if it climbs or has other separators."""
    if "\\" in text or "%" in text or ".." in text.split("/") or not text:
        return None
    return posixpath.normpath(re.sub(r"^/+", "/", unicodedata.normalize("NFC", text)))


def read_id(text: str) -> str | None:
    """An id is compared exactly."""
    return text or None


def read_named_host(text: str) -> str | None:
    """A host name as `read_host`, or an IP address in its one spelling."""
    try:
        return str(ip_address(text.removeprefix("[").removesuffix("]")))
    except ValueError:
        return read_host(text) if re.search(r"[^\W\d_]", text) else None


_READERS = {
    TargetKind.EMAIL: read_email,
    TargetKind.URL: read_url,
    TargetKind.CHANNEL: read_channel,
    TargetKind.ACCOUNT: read_account,
    TargetKind.PATH: read_path,
    TargetKind.ID: read_id,
    TargetKind.HOST: read_named_host,
}


# --- for the validator of tool files ---


def mark_problem(schema: JsonObject) -> tuple[int, str] | None:
    """The problem with a schema's marks, and the index of the mark; None without problems."""
    for number, (place, part, unread) in enumerate(_with_marks(schema, "")):
        if text := unread or _misuse(place, part):
            return number, f"{MARK} {'of ' + place if place else 'at the top'} {text}"
    if has_marks(schema) and (reference := _unresolved(schema, schema)):
        return (
            0,
            (
                f"{MARK}: the reference {reference[:60]!r} can't be followed, so a mark behind it "
                "would not be seen"
            ),
        )
    return None


_UNREAD = {
    "dependentSchemas": (
        "stands in dependentSchemas, where it is not read; move it to the argument itself"
    ),
    "dependencies": "stands in dependencies, where it is not read; move it to the argument itself",
    "propertyNames": (
        "marks the names of arguments; only values can be targets, so take a list instead"
    ),
}


def _with_marks(node: Any, place: str, unread: str = "") -> Iterator[tuple[str, JsonObject, str]]:
    """Each marked part with its place, and why the mark would be ignored there, or ""."""
    if isinstance(node, dict):
        part = cast("JsonObject", node)
        if MARK in part:
            yield place, part, unread
        for key, child in subschemas(part):
            why = unread or _UNREAD.get(key.split(".", 1)[0].split("[", 1)[0], "")
            yield from _with_marks(child, f"{place}.{key}" if place else key, why)


def _unresolved(root: JsonObject, node: Any) -> str:
    """A reference that leads nowhere, or that is never followed."""
    if not isinstance(node, dict):
        return ""
    part = cast("JsonObject", node)
    if isinstance(dynamic := part.get("$dynamicRef") or part.get("$recursiveRef"), str):
        return dynamic
    reference = part.get("$ref")
    if isinstance(reference, str) and not isinstance(referred(root, reference), dict | bool):
        return reference
    return next((found for _, child in subschemas(part) if (found := _unresolved(root, child))), "")


def is_kind(value: Any) -> bool:
    """Whether it can name a kind of record: `event`, `github_issue`."""
    return isinstance(value, str) and re.fullmatch(r"[a-z][a-z0-9_]{0,39}", value) is not None


def _misuse(place: str, part: JsonObject) -> str:
    mark = part[MARK]
    if not place:
        return "marks all arguments at once; mark the single ones that name what the call acts on"
    if mark is False:
        return ""
    if mark is not True and (not isinstance(mark, str) or mark not in set(TargetKind)):
        return (
            f"must be true, false or one of {', '.join(TargetKind)}; leave it out where the "
            "argument is no target"
        )
    if KIND_MARK in part and not is_kind(part[KIND_MARK]):
        return f"needs a kind of record such as event in {KIND_MARK}"
    kinds = part.get("type")
    if isinstance(kinds, str) and kinds in {"boolean", "null"}:
        return f"marks a {kinds}, which can't name a target; remove it"
    if kinds in {"integer", "number"} and mark not in {
        True,
        TargetKind.ID,
        TargetKind.ACCOUNT,
        TargetKind.CHANNEL,
    }:
        return (
            f"says {mark}, but the argument is a number; use id, account or channel, or make it a "
            "string"
        )
    return ""

"""Records in results of tools, and the records that a person's words name.

A tool file marks in the schema of its result which field is a record's id and which are its name. A
record vouches only for its own id, and only if the words name it and no other record of its kind.
Somebody else may have written the result, so an ambiguous match vouches for nothing.
"""

import json
import re
import string
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, cast

from bot.domain.json_types import JsonObject
from bot.domain.targets import ID_MARK, WORDS_MARK
from bot.lazy_dataclass import dataclass
from bot.tools.definitions.result_marks import has_mark
from bot.tools.text.stemming import stem, terms

UNMARKED = "tool:"
"""Before the name of a tool whose results nobody marked: the kind of their records."""
NAME_CHARS = 120
"""A longer text is no name: it can make words ambiguous, but vouches for nothing."""
_DEPTH = 64
_NAME_FIELDS = frozenset({"title", "name", "subject", "label", "summary"})
"""What counts as a name in results that nobody marked."""
_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar",
            "february feb februar",
            "march mar märz",
            "april apr",
            "may mai",
            "june jun juni",
            "july jul juli",
            "august aug",
            "september sep sept",
            "october oct oktober",
            "november nov",
            "december dec dezember",
        ),
        1,
    )
    for name in names.split()
}
_AROUND = string.punctuation + "…“”„«»\u2018\u2019"
_NAMED_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DATES = (
    re.compile(r"\b\d{4}-(?P<month>\d{2})-(?P<day>\d{2})"),
    re.compile(rf"\b(?P<name>{_NAMED_MONTH})\.? (?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b"),
    re.compile(rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)? (?:of )?(?P<name>{_NAMED_MONTH})\b"),
    re.compile(r"\b(?P<day>\d{1,2})\.(?P<month>\d{1,2})\."),
)
_EVERYDAY = """
add agent all answer append archive ask book call can cancel change check close comment copy
correct create day delete doc document download drop edit entry event fetch file find first folder
get go good great group hour http https id insert invite issue item keep label last let like line
link list log look mail make manage mark mcp meet meeting message minute month morning move name
need new next night note now number old one open other page people person please post project push
put query read remind remove rename reply report reschedule room run same save say schedule search
see send set shall share show some sort space start stop store submit table tag task team tell
thank thing ticket time to today todo tomorrow tool topic update upload use user view web week
write year yesterday monday tuesday wednesday thursday friday saturday sunday montag dienstag
mittwoch donnerstag freitag samstag sonntag two three four five pm am dr mr mrs ms re fw fwd
"""
EVERYDAY = frozenset(stem(word) for word in (*_EVERYDAY.split(), *_MONTHS))
"""Everyday stems that name neither a tool nor a record."""


@dataclass(frozen=True)
class Record:
    """One record of a result."""

    kind: str
    id: str
    names: tuple[str, ...]


@dataclass(frozen=True)
class Naming:
    """The parts of a message that can name a record."""

    stems: frozenset[str]
    quotes: frozenset[str]
    """Whole texts in quotation marks, folded."""
    dates: frozenset[tuple[int, int]]
    """(month, day)."""
    tokens: frozenset[str]
    """Words without punctuation around them; an id that was said is one of them."""


def naming_of(text: str, quotes: Iterable[str]) -> Naming:
    """The words, quoted names and dates of a message."""
    return Naming(
        frozenset(terms(text)),
        frozenset(folded(quote) for quote in quotes),
        frozenset(dates_in(text)),
        frozenset(token.strip(_AROUND) for token in text.split()),
    )


def folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def dates_in(text: str) -> Iterator[tuple[int, int]]:
    """Days that a text spells out, as (month, day)."""
    for pattern in _DATES:
        for match in pattern.finditer(text.casefold()):
            parts = match.groupdict()
            month = _MONTHS[parts["name"]] if parts.get("name") else int(parts["month"])
            yield month, int(parts["day"])


def named_in(records: Sequence[Record], said: Iterable[Naming]) -> Record | None:
    """The record that the newest message with any word of these names; None when it names several.

    `said`: the newest first. The message must hold words of one record alone, and half of the words
    of one of its names.
    """
    for one in said:
        if fitting := [record for record in records if _fits(record, one)]:
            return fitting[0] if len(fitting) == 1 and _is_named(fitting[0], one) else None
    return None


def quoted_in(records: Sequence[Record], said: Iterable[Naming]) -> frozenset[str]:
    """Ids of records whose whole name is in quotation marks and belongs to no other record."""
    quoted = frozenset(quote for one in said for quote in one.quotes)
    bearers: dict[str, set[str]] = {}
    for record in records:
        for name in record.names:
            bearers.setdefault(folded(name), set()).add(record.id)
    return frozenset(
        id_ for name in quoted for id_ in bearers.get(name, ()) if len(bearers[name]) == 1
    )


def _fits(record: Record, said: Naming) -> bool:
    if record.id in said.tokens:
        return True
    return any(
        _telling(name, record.kind) & said.stems or said.dates & set(dates_in(name))
        for name in record.names
    )


def _is_named(record: Record, said: Naming) -> bool:
    if record.id in said.tokens:
        return True
    for name in record.names:
        words = _telling(name, record.kind)
        if len(name) > NAME_CHARS or "\n" in name:
            continue
        if said.dates & set(dates_in(name)) or (
            words and 2 * len(words & said.stems) >= len(words)
        ):
            return True
    return False


@lru_cache(maxsize=4096)
def _telling(name: str, kind: str) -> frozenset[str]:
    """The distinctive stems of a name: no everyday words, dates, or words of its kind."""
    dull = EVERYDAY | {stem(part) for part in kind.removeprefix(UNMARKED).casefold().split("_")}
    return frozenset(word for word in terms(name) if word not in dull and not _is_dull_number(word))


def _is_dull_number(word: str) -> bool:
    return len(word) < 2 or (
        word.isdigit() and (len(word) < 3 or re.fullmatch(r"(19|20)\d\d", word) is not None)
    )


# --- reading ---


def records_in(text: str, schema: JsonObject | None, tool: str) -> list[Record]:
    """The records of a JSON result. JSON inside its texts is ignored.

    Without marks the fields that are called ids and names count, and every record is of the tool's
    own kind.
    """
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError):
        return []
    return list(_unmarked(value, tool)) if schema is None else list(_marked(schema, value, 0))


def _marked(schema: Any, value: Any, depth: int) -> Iterator[Record]:
    if not isinstance(schema, dict) or depth > _DEPTH:
        return
    part = cast("JsonObject", schema)
    if isinstance(value, list):
        for item in cast("list[Any]", value):
            yield from _marked(part.get("items"), item, depth + 1)
    elif isinstance(value, dict):
        fields, given = cast("JsonObject", part.get("properties") or {}), cast("JsonObject", value)
        yield from _record(fields, given)
        for name, child in fields.items():
            yield from _marked(child, given.get(name), depth + 1)


def _record(fields: JsonObject, given: JsonObject) -> Iterator[Record]:
    ids = [
        (str(field[ID_MARK]), given.get(name))
        for name, field in fields.items()
        if has_mark(field, ID_MARK)
    ]
    names = [given.get(name) for name, field in fields.items() if has_mark(field, WORDS_MARK)]
    texts = tuple(name for name in names if isinstance(name, str) and name.strip())
    yield from (Record(kind, str(id_), texts) for kind, id_ in ids if _is_id(id_))


def _unmarked(value: Any, tool: str) -> Iterator[Record]:
    waiting: list[Any] = [value]
    while waiting:
        node = waiting.pop()
        if isinstance(node, list):
            waiting += cast("list[Any]", node)
        elif isinstance(node, dict):
            given = cast("JsonObject", node)
            names = tuple(
                text
                for name, text in given.items()
                if name in _NAME_FIELDS and isinstance(text, str)
            )
            ids = [
                id_
                for name, id_ in given.items()
                if re.search(r"(^|_)id$|[a-z]I[dD]$", name) and _is_id(id_)
            ]
            yield from (Record(UNMARKED + tool, str(id_), names) for id_ in ids[:1])
            waiting += [item for item in given.values() if isinstance(item, list | dict)]


def _is_id(value: Any) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool) and str(value) != ""

"""Records in results of tools, and the records that a person's words name.

A tool file marks in the schema of its result which field is a record's id and which are its name. A
record vouches only for its own id, in an argument that takes its kind, and only if the words name
it and no other record of its kind. Somebody else may have written the result, so an ambiguous match
vouches for nothing.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

from bot.domain.json_types import JsonObject
from bot.domain.targets import ID_MARK, PART_MARK, WORDS_MARK, Target, has_mark
from bot.tools.definitions.targets import read_email
from bot.tools.permission.naming import EVERYDAY, Naming, dates_in, folded
from bot.tools.text.stemming import stem, terms

NAME_CHARS = 120
"""A longer text is no name: it can make words ambiguous, but vouches for nothing."""
_DEPTH = 64
_JSON = json.JSONDecoder()


@dataclass(frozen=True)
class Record:
    """One record of a result."""

    kind: str
    id: str
    names: tuple[str, ...]
    parts: tuple[tuple[str, str], ...] = ()
    """(kind, value) of what belongs to it: the repository of an issue, the sender of a mail."""

    def has(self, target: Target) -> bool:
        """Whether the target names this record, or a thing that belongs to it."""
        if not target.record:
            return False
        own = target.record == self.kind and target.value == self.id
        return own or (target.record, target.value) in self.parts


def fitting_in(records: Sequence[Record], said: Naming) -> list[Record]:
    """The records of which a text holds any word."""
    return [record for record in records if fits(record, said)]


def quoted_in(records: Sequence[Record], said: Iterable[Naming]) -> list[Record]:
    """Records whose whole name is in quotation marks and belongs to no other record."""
    quoted = frozenset(quote for one in said for quote in one.quotes)
    bearers: dict[str, list[Record]] = {}
    for record in records:
        for name in {folded(name) for name in record.names} & quoted:
            bearers.setdefault(name, []).append(record)
    return [found[0] for found in bearers.values() if len(found) == 1]


def fits(record: Record, said: Naming) -> bool:
    """Whether a text holds its id, a telling word or the day of one of its names."""
    if record.id in said.tokens:
        return True
    return any(
        _telling(name, record.kind) & said.stems or said.dates & set(dates_in(name))
        for name in record.names
    )


def is_named(record: Record, said: Naming) -> bool:
    """Whether a text holds its id, or half of the telling words of one of its names."""
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


def telling_words(record: Record) -> frozenset[str]:
    """The distinctive stems of all its names."""
    return frozenset[str]().union(*(_telling(name, record.kind) for name in record.names))


@lru_cache(maxsize=4096)
def _telling(name: str, kind: str) -> frozenset[str]:
    """The distinctive stems of a name: no everyday words, dates, or words of its kind."""
    dull = EVERYDAY | {stem(part) for part in kind.casefold().split("_")}
    return frozenset(word for word in terms(name) if word not in dull and not _is_dull_number(word))


def _is_dull_number(word: str) -> bool:
    return len(word) < 2 or (
        word.isdigit() and (len(word) < 3 or re.fullmatch(r"(19|20)\d\d", word) is not None)
    )


# --- reading ---


def records_in(text: str, schema: JsonObject | None) -> list[Record]:
    """The records of a JSON result with a marked schema. JSON inside its texts is ignored.

    Lines behind the JSON, such as a count of what was left out, are no part of it.
    """
    if schema is None:
        return []
    try:
        value, end = _JSON.raw_decode(text)
    except (ValueError, RecursionError):
        return []
    return list(_marked(schema, value, 0)) if text[end : end + 1] in {"", "\n"} else []


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
    texts = tuple(
        part
        for name in names
        if isinstance(name, str)
        for part in dict.fromkeys((name, name.partition("<")[0]))
        if part.strip()
    )
    parts = tuple(
        (str(field[PART_MARK]), read_email(str(given[name])) or str(given[name]))
        for name, field in fields.items()
        if has_mark(field, PART_MARK) and _is_id(given.get(name))
    )
    yield from (Record(kind, str(id_), texts, parts) for kind, id_ in ids if _is_id(id_))


def _is_id(value: Any) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool) and str(value) != ""

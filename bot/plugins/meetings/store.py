"""The tables meetings_kept, meetings_texts and meetings_words: all SQL of this connector."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Self, cast

from bot.plugin.clock import format_utc, parse_utc
from bot.plugin.tables import (
    CountedPhrase,
    Database,
    PartTable,
    PersonTable,
    Phrase,
    Row,
    Seen,
    Unit,
    Write,
    index_text,
    insert_into,
    made_of,
    read_number,
    row_of,
    seen,
    taken_in,
)
from bot.plugin.tools import Origin, RecordProvenance, Viewer

ROOT = "/meetings"
TABLES = (
    PersonTable(
        "meetings_kept",
        "owner",
        key=("id",),
        one="meeting",
        many="meetings",
        words=("day", "slug", "title", "people"),
        called=CountedPhrase(Phrase("meeting"), Phrase("meetings")),
        made=True,
        parts=(
            PartTable(
                "meetings_texts",
                "meeting",
                key=("seq",),
                words=("name", "text"),
                persons=("updated_by",),
                index="meetings_words",
            ),
        ),
    ),
)


class TextName(StrEnum):
    """The files that a meeting can have."""

    TRANSCRIPT = "transcript"
    SUMMARY = "summary"
    NOTES = "notes"


@dataclass(frozen=True)
class Meeting:
    """A meeting; `day` is YYYY-MM-DD, times are as format_utc, `people` are names as given."""

    id: str
    owner: str
    day: str
    slug: str
    title: str
    provenance: RecordProvenance
    created_at: str
    updated_at: str
    starts_at: str | None = None
    people: tuple[str, ...] = ()

    @property
    def path(self) -> str:
        """The folder of its files: `/meetings/2026-11-28/review`."""
        return f"{ROOT}/{self.day}/{self.slug}"

    @property
    def begins(self) -> datetime:
        """Of a meeting that has a time."""
        return parse_utc(self.starts_at or "")

    @classmethod
    def from_row(cls, row: Row) -> Self:
        people = tuple(cast("list[str]", json.loads(row["people"])))
        return made_of(cls, row, provenance=RecordProvenance.from_row(row), people=people)


def version_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]


@dataclass(frozen=True)
class MeetingText:
    """A file of a meeting."""

    name: TextName
    text: str
    version: str
    origin: Origin
    updated_at: str
    updated_by: str

    @classmethod
    def of(cls, name: TextName, text: str, origin: Origin, at: str, by: str) -> Self:
        return cls(name, text, version_of(text), origin, at, by)

    @classmethod
    def from_row(cls, row: Row) -> Self:
        origin = Origin.parse(row["origin"])
        return made_of(cls, row, name=TextName(row["name"]), origin=origin)


_PUT_TEXT = (
    "INSERT INTO meetings_texts (meeting, name, text, version, origin, updated_at, updated_by)"
    " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (meeting, name) DO UPDATE SET text = excluded.text,"
    " version = excluded.version, origin = excluded.origin, updated_at = excluded.updated_at,"
    " updated_by = excluded.updated_by WHERE ? = meetings_texts.version"
)
_TOUCHED = "UPDATE meetings_kept SET updated_at = ? WHERE id = ?"
_TEXT_SEQ = "(SELECT seq FROM meetings_texts WHERE meeting = ? AND name = ?)"
_UNINDEX = f"DELETE FROM meetings_words WHERE rowid = {_TEXT_SEQ}"  # noqa: S608 - constants
_INDEX = f"INSERT INTO meetings_words (rowid, body) VALUES ({_TEXT_SEQ}, ?)"  # noqa: S608 - constants
_NEWEST = (
    "SELECT * FROM meetings_kept WHERE {seen} ORDER BY coalesce(starts_at, day) DESC, seq DESC"
    " LIMIT ?"
)
_MATCH = (
    "SELECT meetings_kept.*, texts.name AS text_name, texts.text, texts.origin AS text_origin, "
    "-found.rank AS relevance FROM meetings_words(?) AS found JOIN meetings_texts AS texts ON "
    "texts.seq = found.rowid JOIN meetings_kept ON meetings_kept.id = texts.meeting WHERE {seen} "
    "ORDER BY found.rank, meetings_kept.seq DESC LIMIT ?"
)


@dataclass(frozen=True)
class MeetingMatch:
    """A meeting's text with words of a query; `relevance` is above 0, higher is better."""

    meeting: Meeting
    name: TextName
    text: str
    origin: Origin
    relevance: float


class MeetingRows:
    """Reads meetings; `Viewer.sees` decides who may see one."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.taken = taken_in(database, "meetings_kept")

    async def find(self, meeting: str) -> Meeting | None:
        """The meeting with this id, without a check of rights."""
        row = await self._database.read_one("SELECT * FROM meetings_kept WHERE id = ?", (meeting,))
        return Meeting.from_row(row) if row else None

    async def at(self, day: str, slug: str) -> Meeting | None:
        """The meeting of a path, without a check of rights."""
        row = await self._database.read_one(
            "SELECT * FROM meetings_kept WHERE day = ? AND slug = ?", (day, slug)
        )
        return Meeting.from_row(row) if row else None

    async def seen(
        self, viewer: Viewer, where: str = "TRUE", params: tuple[str | int, ...] = ()
    ) -> Seen:
        """The condition for meetings that this viewer may see."""
        return await seen(self._database, "meetings_kept", where, params, viewer)

    async def newest(self, which: Seen, limit: int) -> list[Meeting]:
        if which.nothing:
            return []
        rows = await self._database.read(_NEWEST.format(seen=which.sql), (*which.params, limit))
        return [Meeting.from_row(row) for row in rows]

    async def match(self, which: Seen, expression: str, limit: int) -> list[MeetingMatch]:
        """Texts for a `fts_query` expression, the most relevant first."""
        rows = await self._database.read(
            _MATCH.format(seen=which.sql), (expression, *which.params, limit)
        )
        return [
            MeetingMatch(
                Meeting.from_row(row),
                TextName(row["text_name"]),
                row["text"],
                Origin.parse(row["text_origin"]),
                float(row["relevance"]),
            )
            for row in rows
        ]

    async def text(self, meeting: str, name: TextName) -> MeetingText | None:
        sql = "SELECT * FROM meetings_texts WHERE meeting = ? AND name = ?"
        row = await self._database.read_one(sql, (meeting, name))
        return MeetingText.from_row(row) if row else None

    async def sizes(self, meeting: str) -> Sequence[tuple[TextName, int, Origin]]:
        """The files that a meeting has, with size in bytes and origin."""
        sql = (
            "SELECT name, length(CAST(text AS BLOB)) AS size, origin FROM meetings_texts WHERE "
            "meeting = ? ORDER BY name"
        )
        return [
            (TextName(row["name"]), int(row["size"]), Origin.parse(row["origin"]))
            for row in await self._database.read(sql, (meeting,))
        ]

    async def count_of(self, owner: str) -> int:
        return await read_number(
            self._database, "SELECT count(*) AS n FROM meetings_kept WHERE owner = ?", (owner,)
        )

    async def between(self, start: datetime, end: datetime) -> Sequence[Meeting]:
        """All meetings that begin in [start, end), earliest first, whoever may see them.

        Raises StorageError.
        """
        sql = (
            "SELECT * FROM meetings_kept WHERE starts_at >= ? AND starts_at < ?"
            " ORDER BY starts_at, seq"
        )
        rows = await self._database.read(sql, (format_utc(start), format_utc(end)))
        return [Meeting.from_row(row) for row in rows]


def insert(meeting: Meeting) -> Unit:
    """Create a meeting; the unit is rejected when another one has its day and slug."""
    people = json.dumps(meeting.people, ensure_ascii=False)
    row = row_of(meeting, "provenance", people=people, **meeting.provenance.columns)
    return Unit.of(insert_into("meetings_kept", row, rows=1))


def put_text(meeting: Meeting, text: MeetingText, version: str | None) -> Unit:
    """Create (`version` None) or replace a text; rejected unless it is at that version."""
    origin = text.origin.to_text()
    columns = (
        meeting.id,
        text.name,
        text.text,
        text.version,
        origin,
        text.updated_at,
        text.updated_by,
    )
    which = (meeting.id, text.name)
    return Unit.of(
        Write(_UNINDEX, which),
        Write(_PUT_TEXT, (*columns, version), rows=1),
        Write(_INDEX, (*which, index_text(f"{meeting.title}\n{text.text}"))),
        Write(_TOUCHED, (text.updated_at, meeting.id)),
    )


def delete_text(meeting: Meeting, name: TextName, version: str) -> Unit:
    """Remove a text; a meeting without any text goes with it."""
    which = (meeting.id, name)
    return Unit.of(
        Write(_UNINDEX, which),
        Write(
            "DELETE FROM meetings_texts WHERE meeting = ? AND name = ? AND version = ?",
            (*which, version),
            rows=1,
        ),
        Write(
            "DELETE FROM meetings_kept WHERE id = ?1 AND NOT EXISTS"
            " (SELECT 1 FROM meetings_texts WHERE meeting = ?1)",
            (meeting.id,),
        ),
    )


def delete_summary(owner: str, meeting: str) -> Unit:
    """Remove the summary of this owner's meeting, if there is one."""
    own = "SELECT id FROM meetings_kept WHERE id = ?1 AND owner = ?2"
    texts = f"SELECT seq FROM meetings_texts WHERE name = 'summary' AND meeting IN ({own})"  # noqa: S608 - constants
    return Unit.of(
        Write(f"DELETE FROM meetings_words WHERE rowid IN ({texts})", (meeting, owner)),  # noqa: S608
        Write(
            f"DELETE FROM meetings_texts WHERE name = 'summary' AND meeting IN ({own})",  # noqa: S608
            (meeting, owner),
        ),
        Write(
            "DELETE FROM meetings_kept WHERE id = ?1 AND owner = ?2"
            " AND NOT EXISTS (SELECT 1 FROM meetings_texts WHERE meeting = ?1)",
            (meeting, owner),
        ),
    )

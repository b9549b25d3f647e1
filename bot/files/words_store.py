"""The words of documents: all SQL of `file_pieces`, `file_words` and `file_words_unread`."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from bot.domain.database import Database, Unit, Write, made_of, read_number
from bot.files.store import Owner

_SAME = (
    "SELECT owner_kind, owner, path FROM file_words_unread AS u JOIN virtual_files AS f USING "
    "(owner_kind, owner, path)"
    " WHERE owner_kind = ?1 AND owner = ?2 AND path = ?3 AND f.version = ?4 AND u.reached = ?5"
)
"""The document, if it still is as it was read."""


@dataclass(frozen=True)
class UnreadDocument:
    """Part of a document whose words are to be read: `text` begins after `reached` characters."""

    owner: Owner
    path: str
    version: str
    reached: int
    text: str


@dataclass(frozen=True)
class DocumentPart:
    """The words of a part of a document, which begins after so many characters."""

    begins: int
    words: str


async def next_unread(database: Database, chars: int) -> UnreadDocument | None:
    """The next part of any document that is to be read, at most so long."""
    row = await database.read_one(
        "SELECT f.owner_kind, f.owner, f.path, f.version, u.reached, substr(f.text, u.reached + 1, "
        "?) AS text FROM file_words_unread AS u JOIN virtual_files AS f USING (owner_kind, owner, "
        "path) LIMIT 1",
        (chars,),
    )
    if row is None:
        return None
    owner = Owner(row["owner_kind"], row["owner"])
    return made_of(UnreadDocument, row, owner=owner)


async def unread_documents(database: Database, owner: Owner) -> int:
    """How many documents of somebody can't be found by all their words yet."""
    sql = "SELECT count(*) AS n FROM file_words_unread WHERE owner_kind = ? AND owner = ?"
    return await read_number(database, sql, (owner.kind, owner.id))


def pieces_unit(read: UnreadDocument, pieces: Sequence[DocumentPart], reached: int | None) -> Unit:
    """Store pieces of a document read up to `reached` (None: its end), unless it changed."""
    file = (read.owner.kind, read.owner.id, read.path)
    given = json.dumps(
        [{"begins": one.begins, "words": one.words} for one in pieces], ensure_ascii=False
    )
    values = (*file, read.version, read.reached)
    if reached is None:
        mark = Write(
            f"DELETE FROM file_words_unread WHERE (owner_kind, owner, path) IN ({_SAME})",  # noqa: S608
            values,
        )
    else:
        sql = (
            "UPDATE file_words_unread SET reached = ?6 "  # noqa: S608
            f"WHERE (owner_kind, owner, path) IN ({_SAME})"
        )
        mark = Write(sql, (*values, reached))
    pieces_of = (
        "INSERT INTO file_pieces (owner_kind, owner, path, begins)"  # noqa: S608 - constants
        f" SELECT same.*, CAST(json_extract(value, '$.begins') AS BIGINT) FROM ({_SAME}) AS same,"
        " json_each(?6)"
    )
    words_of = (
        "INSERT INTO file_words (rowid, words) SELECT p.id, json_extract(value, '$.words')"  # noqa: S608 - constants
        f" FROM ({_SAME}) AS same JOIN file_pieces AS p USING (owner_kind, owner, path)"
        " JOIN json_each(?6) ON p.begins = CAST(json_extract(value, '$.begins') AS BIGINT)"
    )
    return Unit.of(Write(pieces_of, (*values, given)), Write(words_of, (*values, given)), mark)


async def pieces_with(
    database: Database, owner: Owner, match: str, limit: int
) -> list[tuple[str, int]]:
    """Path and begin of the pieces of somebody's documents that match, the newest first."""
    rows = await database.read(
        "SELECT p.path, p.begins FROM file_words(?) AS w CROSS JOIN file_pieces AS p ON p.id = "
        "w.rowid WHERE p.owner_kind = ? AND p.owner = ? ORDER BY w.rowid DESC LIMIT ?",
        (match, owner.kind, owner.id, limit),
    )
    return [(row["path"], row["begins"]) for row in rows]

"""Documents for the tool `search`: the person's own, by their path and by what they say."""

import asyncio
import json
from collections.abc import Sequence

from bot.clock import parse_utc
from bot.domain.database import Database, Row
from bot.domain.origins import Origin
from bot.domain.search import EntityType, Found, Hit, Wanted
from bot.domain.tools import ToolContext
from bot.files.store import FileRows, Owner, learned_of
from bot.storage.stems import Words

FOLDER = "/documents"
LOOKED_THROUGH = 200
"""So many documents, those that were changed last."""
HEAD_CHARS = 20_000
"""Single words are looked for in this much of each; the query as it stands in all of it."""
SNIPPET_CHARS = 240


class DocumentSearch:
    """Implements `SearchSource` over /documents."""

    finds = EntityType.DOCUMENT
    found_with = "read_file"

    def __init__(self, database: Database) -> None:
        self._rows = FileRows(database)

    async def find(self, context: ToolContext, wanted: Wanted) -> Found:
        """Those that hold most of the words. Raises StorageError."""
        if wanted.is_about_chat:
            return Found()
        owner = Owner("person", context.person.id)
        phrase = wanted.query.strip() or "\0"
        rows = await self._rows.newest(owner, FOLDER, phrase, HEAD_CHARS, LOOKED_THROUGH)
        seen = [row for row in rows if context.viewer.sees(context.person.id, learned_of(row))]
        best = await asyncio.to_thread(_best, seen, wanted)
        return Found([await self._hit(owner, row, wanted) for row in best[: wanted.limit]])

    async def _hit(self, owner: Owner, row: Row, wanted: Wanted) -> Hit:
        at = (row["spot"] or Words.of(wanted.query).spot(row["head"]) + 1) - SNIPPET_CHARS // 4
        part = await self._rows.part(owner, row["path"], max(1, at), SNIPPET_CHARS)
        return Hit(
            EntityType.DOCUMENT,
            row["path"],
            "",
            " ".join(part.split()),
            Origin.from_json(json.loads(row["origin"])),
            parse_utc(row["updated_at"]),
            private=learned_of(row).private,
        )


def _best(rows: Sequence[Row], wanted: Wanted) -> list[Row]:
    words = Words.of(wanted.query)
    scored = [
        (2 * len(words.forms) * bool(row["spot"]) + words.found_in(f"{row['path']} {row['head']}"), row)
        for row in rows
        if _in_time(row, wanted)
    ]
    return [row for score, row in sorted(scored, key=lambda one: -one[0]) if score or not wanted.query]


def _in_time(row: Row, wanted: Wanted) -> bool:
    at = parse_utc(row["updated_at"])
    return (wanted.after is None or at >= wanted.after) and (wanted.before is None or at < wanted.before)

"""A person's own data as files in a zip archive."""

import asyncio
import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from bot.domain.database import Database, Row
from bot.domain.languages import Language
from bot.domain.person_tables import PersonTable
from bot.log import redact_json
from bot.sessions.reports.export_store import handed_out, rows_of
from bot.sessions.reports.kept_things import KeptThings
from bot.sessions.wording.page_phrases import READ_ME

_FILES = ("virtual_files",)
_OF_MEMORY = ("entry", "archived")


@dataclass(frozen=True)
class Exports:
    """Makes archives of one person's data, for that person."""

    database: Database
    kept: KeptThings
    more: Sequence[PersonTable] = ()
    """Tables of plug-ins."""

    async def of(self, person: str, language: Language = Language.EN) -> bytes:
        """The archive, with a page about it in this language. Raises StorageError."""
        tables = {
            one.name: await rows_of(self.database, one, person) for one in handed_out(self.more)
        }
        memory = [
            {"text": one.text, "day": one.day, "kind": one.kind, "where": asdict(one.learned)}
            for one in await self.kept.of(person)
            if one.kind in _OF_MEMORY
        ]
        about = READ_ME.said(language, person=person)
        return await asyncio.to_thread(_packed, about, tables, memory)


def _packed(
    about: str, tables: Mapping[str, Sequence[Row]], memory: Sequence[Mapping[str, Any]]
) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("README.txt", about)
        archive.writestr("memory.json", _written(memory))
        for name, rows in tables.items():
            if name in _FILES:
                for row in rows:
                    text = str(redact_json(str(row["text"])))
                    archive.writestr(f"files{row['path']}", text.encode("utf-8", "replace"))
            elif rows:
                archive.writestr(f"{name}.json", _written(rows))
    return packed.getvalue()


def _written(rows: Sequence[Mapping[str, Any]]) -> bytes:
    """Readable JSON; texts that look like secrets are blanked, as they are in the log."""
    clean = redact_json([dict(row) for row in rows])
    text = json.dumps(clean, ensure_ascii=False, indent=2, default=str)
    return text.encode("utf-8", "replace")

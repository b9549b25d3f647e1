"""A person's own data as files in a zip archive: which tables hold it, and their rows.

The tables are those that forgetting searches and those that move with a person's id. A test asks
of each whether its rows are handed out or stay here, so no new table is left out by accident.
"""

import asyncio
import io
import json
import zipfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from bot.domain.database import Database, Row
from bot.domain.languages import Language, Phrase
from bot.domain.person_tables import PersonTable
from bot.log import redact_json
from bot.sessions.people import person_store
from bot.sessions.reports.kept_things import KeptThings
from bot.sessions.wording.phrases import UNSEEN
from bot.storage.forgetting.holdings import HOLDINGS
from bot.storage.forgetting.rows import Whose
from bot.storage.plugin_tables import plugins_off

READ_ME = Phrase(
    """\
What Bellhop keeps of {person}, as files.

memory.json   what it remembers about you, from the files of memory
files/        your files: documents, preferences, skills of your own
*.json        one file for each kind of thing: todos, notes, messages, schedules, settings ...

Left out: access to your accounts elsewhere (it can't be read); what other people wrote in the same
places; the record of the work that requests made (it ends after a while); documents on
the platforms themselves.
"""
)
"""The page about an archive of `/export`."""

TAKEN = frozenset(
    {
        *("todos", "collected_documents", "document_parts"),
        *("virtual_files", "file_versions", "automations", "scheduled_tasks", "summaries"),
        *("messages", "questions", "approvals", "grants"),
        *("member_reminders", "person_values", "usage", "tool_usage"),
    }
)
"""Tables whose rows are handed out."""

LEFT_OUT: Mapping[str, str] = {
    "attachments": "names of files whose messages are handed out; the platform has the files",
    "audit": "the house's record of decisions",
    "automation_events": "what others wrote in a watched channel",
    "cards": "copies of questions that are handed out",
    "connection_waits": "copies of messages that are handed out",
    "credentials": "secrets",
    "cycle_events": "the record of the work, with what others wrote; `/why` shows it",
    "distillations": "copies of what stands in memory a moment later",
    "forgettings": "what somebody wants nobody to keep",
    "inbox": "copies of messages that are handed out",
    "known_facts": "notes of an agent for one conversation, with what others wrote",
    "outbox": "copies of messages that are handed out",
    "plan_lines": "copies of approvals that are handed out",
    "plan_orders": "copies of messages that are handed out",
    "schedule_ticks": "the record of the work",
    "schedules": "when things are due that are handed out",
    "session_values": "the record of the work, and what somebody wants nobody to keep",
    "sessions": "what models were told, the same for many people",
    "steps": "the record of the work, with what others wrote",
    "tool_requests": "sets of stems, which nobody can read",
    "transcript": "what models read, with what others wrote",
    "unanswered": "copies of messages that are handed out",
    "undoable": "copies of what is handed out, for an hour",
}
"""Tables that stay here, each with the reason."""

_BESIDES = {
    "member_reminders": "(setter = :person OR receiver = :person)",
    **dict.fromkeys((*person_store.SUMS, *person_store.ONCE), "person = :person"),
}
"""The condition for rows of tables that hold no words, so that forgetting does not search them."""

_INTERNAL = frozenset(
    {
        *("agent", "content_key", "envelope", "origin", "owner", "owner_kind", "place", "rank"),
        *("session", "session_id", "stems", "targets", "token", "trust", "version", "about"),
    }
)
"""Columns that say nothing to a person, or stand for something secret."""
PAGE = 500
_FILES = ("virtual_files",)
_OF_MEMORY = ("entry", "archived")


@dataclass(frozen=True)
class PersonalTable:
    """A table whose rows are handed out, and the condition for those of one person."""

    name: str
    key: tuple[str, ...]
    owned: str


def handed_out(more: Sequence[PersonTable] = ()) -> Iterator[PersonalTable]:
    """Those that are handed out, by name, and then those of plug-ins."""
    searched = {one.table: one for one in HOLDINGS}
    for name in sorted(TAKEN):
        if name in searched:
            yield PersonalTable(name, searched[name].key, searched[name].owned)
        else:
            key = (*person_store.SUMS.get(name, ((), ()))[0], *person_store.ONCE.get(name, ()))
            yield PersonalTable(name, key or ("1",), _BESIDES[name])
    for one in more:
        if one.exported:
            owned = f"{one.owner} = :person"
            yield PersonalTable(one.name, one.key, owned)
            rows = f"SELECT {one.key[0]} FROM {one.name} WHERE {owned}"  # noqa: S608 - of a plug-in
            for part in one.parts:
                yield PersonalTable(part.name, part.key, f"{part.whole} IN ({rows})")


async def rows_of(database: Database, table: PersonalTable, person: str) -> list[Row]:
    """A person's rows, without internal columns."""
    where, params = Whose(person, ()).bound(table.owned, ())
    found: list[Row] = []
    while True:
        page = await database.read(
            f"SELECT * FROM {table.name} WHERE {where} ORDER BY {', '.join(table.key)}"  # noqa: S608
            f" LIMIT {PAGE} OFFSET {len(found)}",
            params,
        )
        found += [{name: one[name] for name in one.keys() if name not in _INTERNAL} for one in page]  # noqa: SIM118 - rows of SQLite
        if len(page) < PAGE:
            return found


@dataclass(frozen=True)
class Exports:
    """Makes archives of one person's data, for that person."""

    database: Database
    kept: KeptThings
    more: Sequence[PersonTable] = ()
    """Tables of plug-ins."""
    plugins: Collection[str] = ()
    """The names of the plug-ins that are on."""

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
        if off := await plugins_off(self.database, self.plugins):
            about += f"\n{UNSEEN.said(language, names=', '.join(off))}\n"
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

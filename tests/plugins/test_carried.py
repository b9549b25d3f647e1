"""What plug-ins keep of a home of the version before stays what it was."""

import json
import sqlite3
import zipfile
from contextlib import closing
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

import bot
from bot.app import AppOptions, open_app
from bot.assembly.forgetting import build_exports
from bot.domain.database import Database
from bot.domain.origins import Origin, Trust
from bot.sessions.people.contacts_file import at_terminal
from bot.tools.running import undo_store
from bot.tools.running.undo_store import UndoableRows

BEFORE = Path(bot.__file__).parents[1] / "tests/storage/before/0089.sqlite.sql"
PEOPLE = "- id: ann\n  name: Ann\n  role: Partner\n  ids: {terminal: [kit]}\n"
AT = "2026-11-29T09:00:00.000000+00:00"
ORIGIN = Origin(Trust.MEMBER, "ann").to_text()
MADE = {
    "created_at": AT,
    "updated_at": AT,
    "agent": "assistant",
    "session": "s",
    "conversation": "c",
    "origin": ORIGIN,
    "reach": "dm",
    "channel": "",
}
NOTE = {"board": "user", "title": "Berries", "body": "Buy strawberries."}
ENTRY = {"title": "Tea", "content": "Likes tea.", "type": "fact", "importance": 0.5}
PAGE = {
    "sealed": "x",
    "envelope": "{}",
    "zone": "UTC",
    "account": "google",
    "hours": "mon 09:00-17:00",
    "length": 30,
    "buffer": 0,
    "updated_at": AT,
}
BOOKED = {
    "starts_at": AT,
    "ends_at": "2026-11-29T09:30:00.000000+00:00",
    "zone": "UTC",
    "account": "google",
    "name": "Eve",
    "mail": "eve@example.net",
    "subject": "Elderberries",
    "state": "made",
    "envelope": "{}",
    "made_at": AT,
}
TEXT = {"meeting": "m1", "version": "2", "origin": ORIGIN, "updated_at": AT}
BACK = {
    "note": [
        [
            "UPDATE notes SET title = ?, body = ?, due = ?, reach = ?, channel = ?, origin = ?,"
            " updated_at = ? WHERE id = ? AND updated_at = ?",
            ["Berries", "Buy cherries.", None, "dm", "", ORIGIN, AT, "n1", AT],
            1,
        ]
    ],
    "summary": [
        [
            "DELETE FROM meeting_texts_text WHERE rowid ="
            " (SELECT seq FROM meeting_texts WHERE meeting = ? AND name = ?)",
            ["m1", "summary"],
            None,
        ],
        [
            "INSERT INTO meeting_texts (meeting, name, text, version, origin, updated_at,"
            " updated_by) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (meeting, name) DO UPDATE SET"
            " text = excluded.text, version = excluded.version, origin = excluded.origin,"
            " updated_at = excluded.updated_at, updated_by = excluded.updated_by"
            " WHERE ? = meeting_texts.version",
            ["m1", "summary", "As before.", "1", ORIGIN, AT, "ann", "2"],
            1,
        ],
        [
            "INSERT INTO meeting_texts_text (rowid, body)"
            " VALUES ((SELECT seq FROM meeting_texts WHERE meeting = ? AND name = ?), ?)",
            ["m1", "summary", "as before"],
            None,
        ],
        ["UPDATE meetings SET updated_at = ? WHERE id = ?", [AT, "m1"], None],
    ],
}
"""How yesterday's code takes changes back."""


def earlier_home(home: Path) -> None:
    """A home whose notes, knowledge and meetings belong to Kit, who is Ann now."""
    (home / "data").mkdir()
    (home / "contacts.yaml").write_text(PEOPLE)
    kit = at_terminal("kit")
    with closing(sqlite3.connect(home / "data/bellhop.db", isolation_level=None)) as connection:
        connection.executescript(BEFORE.read_text())

        def insert(table: str, **values: Any) -> None:
            names, marks = ", ".join(values), ", ".join("?" * len(values))
            row = f"INSERT INTO {table} ({names}) VALUES ({marks})"  # noqa: S608 - names of the schema
            connection.execute(row, tuple(values.values()))

        insert("notes", id="n1", owner=kit, **NOTE, **MADE)
        for seq, owner in ((3, kit), (4, "ann")):  # both know it: one stays
            key = {"seq": seq, "id": f"k{seq}", "content_key": "likes tea."}
            insert("knowledge_entries", owner=owner, **key, **ENTRY, **MADE)
            insert("knowledge_entries_text", rowid=seq, body="likes tea")
        meeting = {"seq": 5, "id": "m1", "day": "2026-11-29", "slug": "review"}
        insert("meetings", owner=kit, title="Review", people="[]", **meeting, **MADE)
        for seq, name in ((7, "transcript"), (8, "summary")):
            text = f"The {name} is about elderberries."
            insert("meeting_texts", seq=seq, name=name, text=text, updated_by=kit, **TEXT)
            insert("meeting_texts_text", rowid=seq, body=f"review the {name} elderberries")
        for id_, owner in (("x", kit), ("y", "ben")):
            note = {"text": "Grows elderberries.", "owner": owner, **MADE}
            del note["updated_at"]
            insert("people_notes", id=id_, about="p1", **note)
        insert("people", id="p1", slug="dana", name="Dana", owner=kit, **MADE)
        insert("booking_pages", person=kit, link="hash", **PAGE)
        for id_, owner in (("b1", kit), ("b2", "ann")):  # at one time: hers stays
            insert("bookings", id=id_, person=owner, **BOOKED)
        for id_, (noun, back) in enumerate(BACK.items(), 1):
            change = {"turn": 1, "noun": noun, "done": "changed", "name": "x", "told": 0, "at": AT}
            where = {"person": "ann", "reach": "dm"}
            insert("undoable", id=id_, back=json.dumps(back), **where, **change)


async def one(database: Database, sql: str) -> dict[str, Any]:
    (row,) = await database.read(sql)
    return dict(row)


async def test_they_are_their_persons_who_finds_takes_back_and_forgets_them(tmp_path: Path):
    earlier_home(tmp_path)
    async with open_app(AppOptions(tmp_path)) as app:
        database = app.database
        kept = (await app.moves.links.kept_of("ann")).split(", ")
        assert sorted(kept) == [
            "1 booking",
            "1 booking page",
            "1 entry of knowledge",
            "1 file about somebody",
            "1 meeting",
            "1 note",
            "1 note about somebody",
        ]
        assert await one(database, "SELECT owner, body FROM notes_kept") == {
            "owner": "ann",
            "body": "Buy strawberries.",
        }
        found = "SELECT id FROM knowledge_entries AS e JOIN knowledge_entries_text('\"tea\"') AS f"
        assert await one(database, f"{found} ON f.rowid = e.seq") == {"id": "k4"}
        assert await one(database, "SELECT count(*) AS n FROM knowledge_entries_text") == {"n": 1}
        found = (
            "SELECT name, updated_by FROM meetings_texts JOIN meetings_words('\"transcript\"') AS f"
        )
        by = {"name": "transcript", "updated_by": "ann"}
        assert await one(database, f"{found} ON f.rowid = seq") == by

        assert await one(database, "SELECT person FROM booking_pages") == {"person": "ann"}
        assert await one(database, "SELECT id FROM booking_made") == {"id": "b2"}

        changes, now = UndoableRows(database), datetime(2026, 11, 29, 9, 5, tzinfo=UTC)
        for id_ in (1, 2):
            change = await changes.find("ann", id_, now)
            assert change is not None
            await database.write(undo_store.undo(change, now))
        assert (await one(database, "SELECT body FROM notes_kept"))["body"] == "Buy cherries."
        text = await one(database, "SELECT text FROM meetings_texts WHERE name = 'summary'")
        assert text == {"text": "As before."}

        with zipfile.ZipFile(BytesIO(await build_exports(app.house).of("ann"))) as archive:
            exported = json.loads(archive.read("meetings_texts.json"))
            names = {"notes_kept.json", "knowledge_entries.json", "booking_made.json"}
            assert names <= set(archive.namelist())
            assert "booking_pages.json" not in archive.namelist()
        assert sorted(row["name"] for row in exported) == ["summary", "transcript"]

        forgetting = app.house.forgetting
        for words in ("elderberries", "tea", "cherries"):
            ref, _ = await forgetting.ask("ann", words)
            await forgetting.begin("ann", ref)
        meetings = ("meetings_kept", "meetings_texts", "meetings_words")
        for table in (*meetings, "notes_kept", "booking_made"):
            assert await database.read(f"SELECT 1 FROM {table}") == [], table  # noqa: S608
        assert await database.read("SELECT 1 FROM knowledge_entries_text") == []
        left = await one(database, "SELECT id, owner FROM people_remarks")
        assert left == {"id": "y", "owner": "ben"}
        assert await one(database, "SELECT owner FROM people_files") == {"owner": "ann"}

"""Every table with rows of a person is handed out to them, or stays here for a reason."""

import re
from typing import Any

import pytest

from bot.assembly.own_plugins import OWN
from bot.domain.database import Database, Unit, Write
from bot.sessions.people import person_store
from bot.sessions.reports.export_store import (
    LEFT_OUT,
    TAKEN,
    handed_out,
    rows_of,
)
from bot.storage.forgetting.holdings import HOLDINGS

OWN_TABLES = [table for plugin in OWN for table in plugin.tables]
NUMBER = {"ann": 1, "ben": 2}
BELONGS = {
    "collected_documents": "collection",
    "document_parts": "document",
    "meetings_texts": "meeting",
    "people_remarks": "about",
}
FIRST = ("collections", "people_files", "meetings_kept")
"""Tables to whose rows others belong."""


async def row_of(database: Database, table: str, person: str) -> Write:
    """A row with this person in each of its columns for people, and their mark in each text."""
    columns = await database.read(f"SELECT * FROM pragma_table_info('{table}')")  # noqa: S608
    (made,) = await database.read("SELECT sql FROM sqlite_schema WHERE name = ?", (table,))
    allowed = dict(re.findall(r"CHECK \((\w+) IN \('(\w+)'", str(made["sql"])))
    people = {*person_store.COLUMNS.get(table, ()), "person", "owner"}
    values: dict[str, Any] = {}
    for one in columns:
        name = str(one["name"])
        if name == BELONGS.get(table):
            values[name] = NUMBER[person] if table == "document_parts" else f"id-{person}"
        elif name == ("name" if table == "collections" else "id") and one["type"] == "TEXT":
            values[name] = f"id-{person}"
        elif name in people:
            values[name] = person
        elif name == "owner_kind" or name in allowed:
            values[name] = allowed.get(name, "person")
        else:
            number = 0.5 if one["type"] == "REAL" else NUMBER[person]
            values[name] = f"{table}-{name}-{person}" if one["type"] == "TEXT" else number
    marks = ", ".join("?" * len(values))
    return Write(
        f"INSERT INTO {table} ({', '.join(values)}) VALUES ({marks})",  # noqa: S608
        tuple(values.values()),
    )


def test_each_table_is_handed_out_or_stays_for_a_reason():
    moved = (person_store.COLUMNS, person_store.SUMS, person_store.ONCE, person_store.ELSEWHERE)
    personal = {*(one.table for one in HOLDINGS), *(name for of in moved for name in of)}
    assert personal | {*person_store.SESSION_KEYS} == TAKEN | set(LEFT_OUT)
    assert not TAKEN & set(LEFT_OUT)
    assert all(LEFT_OUT.values())
    assert {"credentials", "transcript", "steps"} <= set(LEFT_OUT)


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
async def test_a_person_gets_their_row_of_every_table_and_nobody_elses(database: Database):
    tables = list(handed_out(OWN_TABLES))
    names = {"collections", *(table.name for table in tables)}
    assert names > TAKEN | {"meetings_kept", "meetings_texts", "knowledge_entries", "mail_sent"}
    for person in ("ben", "ann"):
        for name in (*FIRST, *sorted(names - set(FIRST))):
            await database.write(Unit.of(await row_of(database, name, person)))
    for table in tables:
        (row,) = await rows_of(database, table, "ann")
        assert "ben" not in str(row), table.name
        assert any("ann" in str(value) or value == 1 for value in row.values()), table.name
        assert not {"token", "envelope", "session", "content_key"} & set(row), table.name


async def test_each_statement_runs_on_every_database(database: Database):
    for table in handed_out(OWN_TABLES):
        assert await rows_of(database, table, "ann") == []

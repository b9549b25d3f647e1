"""Old rows state where they were learned; private preferences stay private."""

import json
import sqlite3
from pathlib import Path

import pytest

from bot.storage.migrate import migrate, shipped_migrations

ORIGINS = {trust: json.dumps({"trust": trust, "source": "x"}) for trust in ("person", "external")}


@pytest.fixture
def before(tmp_path: Path):
    """A database of the version before, with public, private, opened and unknown channels."""
    connection = sqlite3.connect(tmp_path / "m.db", isolation_level=None)
    connection.row_factory = sqlite3.Row
    migrate(connection, [one for one in shipped_migrations() if one.number < 35])
    for channel, visibility, was_private in (
        ("pub", "public", 0),
        ("priv", "private", 1),
        ("opened", "public", 1),
    ):
        row = (f"slack:T:{channel}", visibility, was_private)
        connection.execute("INSERT INTO channels VALUES (?, '', ?, ?, '2026')", row)
    conversation = (
        "INSERT INTO conversations (key, platform, workspace, id, place, private, created_at, "
        "updated_at, channel)"
        " VALUES ('slack:T:pub:1', 'slack', 'T', 'pub:1', 'thread', 0, '2026', '2026', 'pub')"
    )
    connection.execute(conversation)
    yield connection
    connection.close()


def upgrade(connection: sqlite3.Connection) -> None:
    migrate(connection, shipped_migrations())


def test_rows_are_as_private_as_their_channel(before: sqlite3.Connection):
    rows = {
        "dm": 1,
        "slack:T:pub": 0,
        "slack:T:pub:1": 0,
        "slack:T:priv": 0,
        "slack:T:opened": 0,
        "slack:T:new": 0,
    }
    for place, private in rows.items():
        todo = (place, place, private, ORIGINS["person"])
        before.execute(
            "INSERT INTO todos (id, owner, title, created_at, updated_at, agent, session, "
            "conversation, private,"
            " origin) VALUES (?, 'ann', 't', '', '', '', '', ?, ?, ?)",
            todo,
        )
    upgrade(before)
    found = {
        row["id"]: (row["reach"], row["channel"]) for row in before.execute("SELECT * FROM todos")
    }
    assert found == {
        "dm": ("dm", ""),
        "slack:T:pub": ("public", "slack:T:pub"),
        "slack:T:pub:1": ("public", "slack:T:pub"),
        "slack:T:priv": ("private", "slack:T:priv"),
        "slack:T:opened": ("private", "slack:T:opened"),
        "slack:T:new": ("private", "slack:T:new"),
    }


def put(
    connection: sqlite3.Connection, owner: str, name: str, text: str, *, private: bool, trust: str
) -> None:
    row = (owner, f"/preferences/{name}.md", text, owner, private, ORIGINS[trust])
    connection.execute(
        "INSERT INTO virtual_files VALUES ('person', ?, ?, ?, 'v', '', ?, ?, ?)", row
    )


def test_private_preferences_move_and_join_what_stands_there(before: sqlite3.Connection):
    put(before, "ann", "global", "in a DM", private=True, trust="person")
    put(before, "ben", "global", "in the open", private=False, trust="person")
    put(before, "cleo", "global", "in a DM", private=True, trust="external")
    put(before, "cleo", "private", "hers", private=False, trust="person")
    upgrade(before)
    rows = before.execute("SELECT * FROM virtual_files ORDER BY owner").fetchall()
    found = [(row["owner"], row["path"], row["text"], row["reach"]) for row in rows]
    assert found == [
        ("ann", "/preferences/private.md", "in a DM", "dm"),
        ("ben", "/preferences/global.md", "in the open", "public"),
        ("cleo", "/preferences/private.md", "hers\nin a DM", "dm"),
    ]
    assert json.loads(rows[2]["origin"])["trust"] == "external"
    assert rows[2]["version"] != "v"
    assert [
        row["person"] for row in before.execute("SELECT person FROM moved_preferences ORDER BY 1")
    ] == [
        "ann",
        "cleo",
    ]

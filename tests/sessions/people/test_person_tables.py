"""Every table says whether it is keyed by a person, so that what is theirs moves with them."""

import re
import sqlite3
from contextlib import closing

from bot.sessions.people.person_store import COLUMNS, ELSEWHERE, ONCE, SESSION_KEYS, SUMS
from bot.storage.migrate import schema
from tests.table_page import unowned

_PERSONAL = re.compile(
    r"person|owner|author|addressee|subject|_by$|^session(_key)?$|user|member|contact|identity"
)
_NOT_A_PERSON = {
    ("cycle_events", "session_id"),
    ("messages", "author_name"),  # as their platform showed it
    ("plan_lines", "used_by"),  # a call
    ("todos", "session"),
    ("file_versions", "owner_kind"),
    ("virtual_files", "owner_kind"),
}


def _schema() -> dict[str, list[str]]:
    """The tables and columns of a new home, without those of a full text index."""
    with closing(sqlite3.connect(":memory:")) as database:
        database.executescript(schema())
        tables = [
            row[0]
            for row in database.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
            )
        ]
        shadows = {
            name
            for name in tables
            if any(name.startswith(f"{other}_") and _is_index(other) for other in tables)
        }
        return {
            name: [row[1] for row in database.execute(f"PRAGMA table_info({name})")]
            for name in tables
            if name not in shadows
        }


def _is_index(table: str) -> bool:
    return table.endswith(("_text", "_words"))


def _moved(table: str) -> set[str]:
    return {
        *COLUMNS.get(table, ()),
        SESSION_KEYS.get(table, ""),
        "person" if table in {*SUMS, *ONCE} else "",
    } - {""}


def test_every_table_says_whether_it_is_keyed_by_a_person():
    listed = {*COLUMNS, *SUMS, *ONCE, *SESSION_KEYS, *ELSEWHERE}
    assert not listed & unowned()
    assert not set(_schema()) - listed - unowned() - {"message_terms"}, (
        "list them in bot/sessions/people/person_store.py: what is a person's has to move too;"
        " or say in docs/tables.md why not"
    )


def test_every_column_that_may_name_a_person_is_moved_with_them():
    kept = {*unowned(), *ELSEWHERE}
    forgotten = [
        f"{table}.{column}"
        for table, columns in _schema().items()
        for column in columns
        if table not in kept
        and _PERSONAL.search(column)
        and column not in _moved(table)
        and (table, column) not in _NOT_A_PERSON
    ]
    assert not forgotten, (
        "list them in bot/sessions/people/person_store.py, or here if they name no person"
    )

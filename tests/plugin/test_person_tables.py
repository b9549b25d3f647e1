"""What a plug-in says of its tables with rows of people holds: they move, and are theirs alone."""

import io
import json
import zipfile
from pathlib import Path

import pytest

from bot.app import App, AppOptions, open_app
from bot.assembly.forgetting import build_everywhere, build_exports
from bot.domain.database import Database, Unit, Write
from bot.errors import StorageError
from bot.plugin.tables import PartTable, PersonTable
from bot.sessions.people.contacts_file import at_terminal
from bot.sessions.people.person_store import counts_of, known_among, move_unit
from bot.sessions.reports.export_store import PersonalTable, handed_out, rows_of
from bot.storage.forgetting.rows import ForgettingRows, Whose
from bot.storage.forgetting.sought import Sought
from bot.storage.plugin_tables import require_person_table
from bot.testing.fake_clock import FakeClock

LENT = PersonTable(
    "books_lent", "reader", ("reader", "title"), "lent book", "lent books", ("title", "remark")
)
READ = PersonTable("books_read", "reader", ("id",), "read page", "read pages", exported=False)
BOTH = (LENT, READ)
MADE = (
    "CREATE TABLE books_lent (reader TEXT NOT NULL, title TEXT NOT NULL, remark TEXT NOT NULL,"
    " PRIMARY KEY (reader, title))",
    "CREATE TABLE books_read (id TEXT NOT NULL PRIMARY KEY, reader TEXT NOT NULL)",
)
KEPT = PersonTable(
    "books_kept",
    "reader",
    ("id",),
    "kept book",
    "kept books",
    ("title",),
    once=("title",),
    parts=(PartTable("books_pages", "book", ("seq",), ("text",), ("by",), index="books_words"),),
)
WITH_PARTS = (
    "CREATE TABLE books_kept (id TEXT PRIMARY KEY, reader TEXT NOT NULL, title TEXT NOT NULL,"
    " UNIQUE (reader, title));",
    "CREATE TABLE books_pages (seq INTEGER PRIMARY KEY, book TEXT NOT NULL, text TEXT NOT NULL,"
    " by TEXT NOT NULL);",
    "CREATE VIRTUAL TABLE books_words USING fts5 ("
    "body, tokenize = 'porter unicode61 remove_diacritics 2');",
)
PEOPLE = """\
- id: ann
  name: Ann
  role: Friend
  ids: {terminal: [kit]}
"""


@pytest.fixture
async def books(database: Database) -> Database:
    """A database with the tables of a plug-in, and rows of Ann, Ben and Kit."""
    lent = "INSERT INTO books_lent (reader, title, remark) VALUES (?, ?, ?)"
    rows = [
        ("ann", "Emma", "from Ann"),
        ("kit", "Emma", "from Kit"),
        ("kit", "Ulysses", "long"),
        ("ben", "Emma", "of the strawberry cover"),
    ]
    read = Write("INSERT INTO books_read (id, reader) VALUES ('1', 'kit')", ())
    await database.write(Unit(tuple(map(Write, MADE))))
    await database.write(Unit((*(Write(lent, row) for row in rows), read)))
    return database


async def lent_by(database: Database) -> set[tuple[str, str, str]]:
    rows = await database.read("SELECT reader, title, remark FROM books_lent")
    return {(row["reader"], row["title"], row["remark"]) for row in rows}


async def test_rows_follow_a_person_who_keeps_what_both_ids_have(books: Database):
    assert await known_among(books, ["ann", "kit", "eve"], BOTH) == {"ann", "kit"}
    assert await counts_of(books, "kit", more=BOTH) == ["2 lent books", "1 read page"]
    for _ in range(2):  # a repetition changes nothing
        await books.write(move_unit("kit", "ann", FakeClock().now(), BOTH))
        assert await lent_by(books) == {
            ("ann", "Emma", "from Ann"),
            ("ann", "Ulysses", "long"),
            ("ben", "Emma", "of the strawberry cover"),
        }
    assert await counts_of(books, "ann", more=BOTH) == ["2 lent books", "1 read page"]
    assert await known_among(books, ["kit"], BOTH) == set()


async def test_an_export_has_a_persons_own_rows_of_tables_that_are_exported(books: Database):
    tables = {one.name: one for one in handed_out(BOTH)}
    assert "books_read" not in tables
    rows = await rows_of(books, tables["books_lent"], "ben")
    assert [row["remark"] for row in rows] == ["of the strawberry cover"]


async def test_words_are_forgotten_in_the_rows_of_who_wishes_it(books: Database):
    for person, count in (("ann", 0), ("ben", 1)):
        rows = ForgettingRows(books, Whose(person, ()), Sought.of("strawberry"), BOTH)
        assert (await rows.count()).counts == ({"lent books": count} if count else {})
        assert (await rows.forget()).counts == ({"lent books": count} if count else {})
    assert {reader for reader, _, _ in await lent_by(books)} == {"ann", "kit"}


@pytest.fixture
async def pages(database: Database) -> Database:
    """Ann, Ben and Kit have a book with a page of each; Ann's and Kit's are the same book."""
    book = "INSERT INTO books_kept (id, reader, title) VALUES (?, ?, ?)"
    page = "INSERT INTO books_pages (book, text, by) VALUES (?, ?, ?)"
    words = "INSERT INTO books_words (rowid, body) SELECT seq, text FROM books_pages"
    await database.write(Unit(tuple(map(Write, WITH_PARTS))))
    for person, title in (("ann", "Emma"), ("ben", "Emma"), ("kit", "Emma"), ("kit", "Ulysses")):
        id_ = f"{person} {title}"
        await database.write(
            Unit.of(Write(book, (id_, person, title)), Write(page, (id_, f"{id_} cherry", person)))
        )
    await database.write(Unit.of(Write(words)))
    return database


async def found(database: Database, word: str) -> list[tuple[str, str]]:
    """The books with pages that hold a word, and by whom the pages are."""
    rows = await database.read(
        "SELECT book, by FROM books_words(?) AS w JOIN books_pages ON seq = w.rowid ORDER BY book",
        (f'"{word}"',),
    )
    return [(row["book"], row["by"]) for row in rows]


async def test_parts_and_words_go_with_their_rows(pages: Database):
    await require_person_table(pages, "books", KEPT)
    assert await found(pages, "emma") == [(f"{one} Emma", one) for one in ("ann", "ben", "kit")]
    for _ in range(2):  # a repetition changes nothing
        await pages.write(move_unit("kit", "ann", FakeClock().now(), [KEPT]))
        assert await found(pages, "emma") == [("ann Emma", "ann"), ("ben Emma", "ben")]
        assert await found(pages, "ulysses") == [("kit Ulysses", "ann")]
    book, page = handed_out_of(KEPT)
    assert {row["title"] for row in await rows_of(pages, book, "ann")} == {"Emma", "Ulysses"}
    assert len(await rows_of(pages, page, "ann")) == 2
    rows = ForgettingRows(pages, Whose("ann", ()), Sought.of("cherry"), [KEPT])
    assert (await rows.forget()).counts == {"kept books": 2}
    assert await found(pages, "cherry") == [("ben Emma", "ben")]
    left = await pages.read("SELECT (SELECT count(*) FROM books_words) AS w, id FROM books_kept")
    assert [tuple(row.values()) for row in map(dict, left)] == [(1, "ben Emma")]


def handed_out_of(table: PersonTable) -> list[PersonalTable]:
    return [one for one in handed_out([table]) if one.name.startswith("books_")]


@pytest.mark.parametrize(
    "table",
    [
        PersonTable("todos", "owner", ("id",), "todo", "todos"),
        PersonTable("books_gone", "reader", ("id",), "book", "books"),
        PersonTable("books_read", "owner", ("id",), "book", "books"),
        PersonTable("books_read", "reader", ("id; --",), "book", "books"),
        PersonTable("books_read", "reader", ("id",), "book", "books", index="books_words"),
        PersonTable(
            "books_read",
            "reader",
            ("id",),
            "book",
            "books",
            parts=(PartTable("todos", "id", ("id",)),),
        ),
    ],
)
async def test_a_table_of_others_or_that_is_not_so_is_refused(books: Database, table: PersonTable):
    for one in BOTH:
        await require_person_table(books, "books", one)
    with pytest.raises(StorageError, match="'books' declares rows of people in"):
        await require_person_table(books, "books", table)


async def test_the_rows_of_an_installed_plugin_are_people_s(tmp_path: Path, examples: Path):
    (tmp_path / "bellhop.yaml").write_text("plugins: [lunch]\n")
    (tmp_path / "contacts.yaml").write_text(PEOPLE)
    places = [("The Green Door", at_terminal("kit")), ("The Mill", "ben")]
    added = "INSERT INTO lunch_places (name, added_by) VALUES (?, ?)"
    async with open_app(AppOptions(tmp_path)) as app:
        await app.database.write(Unit(tuple(Write(added, place) for place in places)))
        await app.moves.links.follow()
        assert await app.moves.links.kept_of("ann") == "1 place for lunch"
        with zipfile.ZipFile(io.BytesIO(await build_exports(app.house).of("ann"))) as archive:
            (exported,) = json.loads(archive.read("lunch_places.json"))
        assert exported["name"] == "The Green Door"
        found = await app.house.forgetting.look("ann", "green door")
        assert found.counts == {"places for lunch": 1}


async def test_who_forgets_or_takes_out_their_things_is_told_of_plugins_that_are_off(
    tmp_path: Path, examples: Path
):
    (tmp_path / "bellhop.yaml").write_text("plugins: [lunch]\n")
    async with open_app(AppOptions(tmp_path)) as app:
        assert "lunch" not in await build_everywhere(app.house).shown("ann", "green door")
        assert "lunch" not in await read_me(app)
    (tmp_path / "bellhop.yaml").write_text("plugins: []\n")
    async with open_app(AppOptions(tmp_path)) as app:
        told = await build_everywhere(app.house).shown("ann", "green door")
        said = "Plug-ins that are switched off keep what I can't look through: lunch."
        assert said in told
        assert said in await read_me(app)


async def read_me(app: App) -> str:
    with zipfile.ZipFile(io.BytesIO(await build_exports(app.house).of("ann"))) as archive:
        return archive.read("README.txt").decode()

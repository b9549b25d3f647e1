"""What is kept under an earlier id of somebody is theirs once contacts.yaml names them, across crashes."""

import asyncio
import json
import re
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

import bot.storage.migrations
from bot.domain.database import Database, Unit, Write
from bot.domain.messages import PlatformPerson
from bot.memory.tiers import MemoryStore
from bot.sessions.contacts import Contacts
from bot.sessions.person_links import PersonLinks
from bot.sessions.person_store import COLUMNS, ELSEWHERE, KEPT, ONCE, SESSION_KEYS, SUMS
from bot.storage.home import open_database
from bot.storage.markdown import MarkdownStore
from bot.testing.crash_points import CrashingDatabase, CrashPoint, Moment, ProcessGone
from bot.testing.fake_clock import FakeClock

_PERSONAL = re.compile(r"person|owner|author|addressee|subject|_by$|^session(_key)?$|user|member|contact|identity")
_NOT_A_PERSON = {
    ("cycle_events", "session_id"),
    ("knowledge_entries", "session"),  # the instance of a session
    ("meetings", "people"),  # names as they were given
    ("meetings", "session"),
    ("messages", "author_name"),  # as their platform showed it
    ("notes", "session"),
    ("people", "session"),
    ("people_notes", "session"),
    ("plan_lines", "used_by"),  # a call
    ("todos", "session"),
    ("file_versions", "owner_kind"),
    ("virtual_files", "owner_kind"),
}


def _schema() -> dict[str, list[str]]:
    """The tables of a new home with their columns, without those that belong to a full text index."""
    database = sqlite3.connect(":memory:")
    for file in sorted(Path(bot.storage.migrations.__path__[0]).glob("*.sqlite.sql")):
        database.executescript(file.read_text())
    tables = [
        row[0]
        for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    ]
    shadows = {name for name in tables if any(name.startswith(f"{other}_") and _is_index(other) for other in tables)}
    return {
        name: [row[1] for row in database.execute(f"PRAGMA table_info({name})")]
        for name in tables
        if name not in shadows
    }


def _is_index(table: str) -> bool:
    return table.endswith("_text")


def _moved(table: str) -> set[str]:
    return {*COLUMNS.get(table, ()), SESSION_KEYS.get(table, ""), "person" if table in {*SUMS, *ONCE} else ""} - {""}


def test_every_table_says_whether_it_is_keyed_by_a_person():
    listed = {*COLUMNS, *SUMS, *ONCE, *SESSION_KEYS, *ELSEWHERE, *KEPT}
    assert not set(_schema()) - listed, "list them in bot/sessions/person_store.py: what is a person's has to move too"


def test_every_column_that_may_name_a_person_is_moved_with_them():
    forgotten = [
        f"{table}.{column}"
        for table, columns in _schema().items()
        for column in columns
        if table not in {*KEPT, *ELSEWHERE}
        and _PERSONAL.search(column)
        and column not in _moved(table)
        and (table, column) not in _NOT_A_PERSON
    ]
    assert not forgotten, "list them in bot/sessions/person_store.py, or here if they name no person"


# --- in any order --------------------------------------------------------------------------------------------

_STRANGERS = {
    "discord-7": ("discord", "7"),
    "slack-T1-U1": ("slack", "T1:U1"),
    "terminal-local-kit": ("terminal", "kit"),
}
_SENDERS = {
    "discord-7": ("discord", "9", "7"),
    "slack-T1-U1": ("slack", "T1", "U1"),
    "terminal-local-kit": ("terminal", "local", "kit"),
}


class _Home:
    """One home, its people, and what they should find there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.links: dict[str, str] = {}
        self.expected: Counter[tuple[str, str]] = Counter()
        self.made = 0
        self.write_contacts()

    def write_contacts(self) -> None:
        people: list[dict[str, object]] = []
        for contact in ("ann", "ben"):
            ids: dict[str, list[str]] = {}
            for platform, id_ in (_STRANGERS[one] for one, linked in self.links.items() if linked == contact):
                ids.setdefault(platform, []).append(id_)
            people.append({"id": contact, "name": f"Contact {contact}", "role": "Friend", "ids": ids})
        (self.folder / "contacts.yaml").write_text(json.dumps(people))

    def follow_in_mind(self) -> None:
        for (person, thing), count in list(self.expected.items()):
            if person in self.links:
                del self.expected[person, thing]
                self.expected[self.links[person], thing] += count

    def linker(self, database: Database) -> tuple[PersonLinks, Contacts]:
        contacts = Contacts.load(self.folder / "contacts.yaml")
        memory = MemoryStore(MarkdownStore(self.folder / "memory"))
        return PersonLinks(database, FakeClock(), contacts, [memory.move]), contacts

    async def make(self, database: Database, contacts: Contacts, stranger: str) -> None:
        platform, workspace, id_ = _SENDERS[stranger]
        person = contacts.resolve(platform, workspace, PlatformPerson(id_, "Kit")).id
        self.made += 1
        name = f"n{self.made}"
        await database.write(Unit(tuple(_rows(person, name))))
        folder = self.folder / "memory" / person
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / "assistant_memory.md").open("a") as file:
            file.write(f"- [S3] {name}\n")
        self.expected[person, name] += 1

    async def found(self, database: Database) -> Counter[tuple[str, str]]:
        """Who has which thing; a thing counts when each table and the memory agree."""
        census: dict[str, Counter[tuple[str, str]]] = {}
        for table, sql in _CENSUS.items():
            rows = await database.read(sql)
            census[table] = Counter((row["person"], row["name"]) for row in rows)
        census["memory"] = Counter(
            (file.parent.name, line.rpartition(" ")[2])
            for file in (self.folder / "memory").glob("*/*.md")
            for line in file.read_text().splitlines()
            if line
        )
        for table, counted in census.items():
            assert counted == self.expected, table
        return self.expected


_CENSUS = {
    "todos": "SELECT owner AS person, title AS name FROM todos",
    "notes": "SELECT owner AS person, title AS name FROM notes",
    "knowledge": "SELECT owner AS person, title AS name FROM knowledge_entries",
    "files": "SELECT owner AS person, text AS name FROM virtual_files",
    "grants": "SELECT person, ref AS name FROM grants",
    "messages": "SELECT author AS person, text AS name FROM messages",
    "sessions": "SELECT replace(substr(session_key, 7), '|', '') AS person, id AS name FROM sessions",
    "usage": "SELECT person, day AS name FROM usage",
}


def _insert(table: str, **values: object) -> Write:
    names, marks = ", ".join(values), ", ".join("?" * len(values))
    return Write(f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(values.values()))  # noqa: S608


def _file(owner: str, path: str, text: str) -> Write:
    rest = {"version": f"{text:0<32}", "updated_at": "t", "updated_by": owner, "origin": "{}"}
    return _insert("virtual_files", owner_kind="person", owner=owner, path=path, text=text, **rest)


def _version(owner: str, number: int) -> Write:
    rest = {"version": "v", "updated_at": "t", "updated_by": owner, "origin": "{}", "reach": "dm", "channel": ""}
    text = f"{owner} {number}"
    return _insert(
        "file_versions", owner_kind="person", owner=owner, path="/documents/p.md", number=number, text=text, **rest
    )


def _rows(person: str, name: str) -> list[Write]:
    """One thing of somebody in each of several rooms."""
    since = {"created_at": "t", "updated_at": "t"}
    made = {**since, "agent": "a", "session": "s", "conversation": "c", "origin": "{}"}
    knowledge = {"content": "x", "content_key": name, "type": "fact", "importance": 1}
    grant = {"tool": "t", "scope": "session", "session_id": "s", "targets": "[]", "rank": 1, "made_at": "t"}
    said = {"conversation": "c", "author_name": "Kit", "trust": "member", "at": "t"}
    lived = {"state": "ended", "agent": "a", "role": "Friend", "epoch": 0, "opened_at": "t", "last_at": "t"}
    tokens = dict.fromkeys(("input_tokens", "cache_read_tokens", "cache_write_tokens", "output_tokens"), 1)
    key = f"a|b|c|{person}|"
    return [
        _insert("todos", id=name, owner=person, title=name, **made),
        _insert("notes", id=name, board="user", owner=person, title=name, **made),
        _insert("knowledge_entries", id=name, owner=person, title=name, **knowledge, **made),
        _file(person, f"/documents/{name}", name),
        _insert("grants", ref=name, person=person, made_by=person, approval="a", **grant),
        _insert("messages", key=name, author=person, text=name, **said),
        _insert("sessions", id=name, session_key=key, system="", tools="", private=1, **lived),
        _insert("usage", day=name, person=person, channel="c", model="m", calls=1, nano_usd=1, unpriced=0, **tokens),
    ]


_ACTS = st.one_of(
    st.tuples(st.just("make"), st.sampled_from(sorted(_STRANGERS))),
    st.tuples(st.just("link"), st.sampled_from(sorted(_STRANGERS)), st.sampled_from(["ann", "ben"])),
    st.tuples(st.just("unlink"), st.sampled_from(sorted(_STRANGERS))),
    st.tuples(st.just("die"), st.integers(1, 3), st.sampled_from(list(Moment))),
)


@settings(max_examples=25, deadline=None)
@given(st.lists(_ACTS, min_size=2, max_size=10))
def test_linking_and_unlinking_in_any_order_loses_and_leaks_nothing(acts: Sequence[tuple[str, ...]]):
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(_play(_Home(Path(folder)), acts))


async def _play(home: _Home, acts: Sequence[tuple[str, ...]]) -> None:
    """Each act meets a process that starts anew; `die` ends the next one while it moves things."""
    database = await open_database(home.folder / "bellhop.db")
    point: CrashPoint | None = None
    for act in [*acts, ("look",)]:
        match act:
            case ("make", stranger):
                await home.make(database, home.linker(database)[1], stranger)
            case ("link", stranger, contact):
                home.links[stranger] = contact
            case ("unlink", stranger):
                home.links.pop(stranger, None)
            case ("die", write, moment):
                point = CrashPoint(int(write), Moment(moment))
                continue
            case _:
                pass
        home.write_contacts()
        if point is not None:
            links, _ = home.linker(CrashingDatabase(database, point))
            point = None
            with suppress(ProcessGone):
                await links.follow()
        await home.linker(database)[0].follow()
        home.follow_in_mind()
        await home.found(database)
    await database.close()


async def test_what_both_have_is_kept_once_and_files_of_one_path_are_both_kept(tmp_path: Path):
    home = _Home(tmp_path)
    database = await open_database(tmp_path / "bellhop.db")
    writes = [
        _file("ann", "/preferences/global.md", "terse"),
        _file("discord-7", "/preferences/global.md", "chatty"),
        _file("ann", "/documents/same.md", "same"),
        _file("discord-7", "/documents/same.md", "same"),
        *(_version(person, number) for person in ("ann", "discord-7") for number in (1, 2, 3)),
    ]
    await database.write(Unit(tuple(writes)))
    for number, person in enumerate(("ann", "discord-7")):
        await database.write(Unit(tuple(_rows(person, f"x{number}"))))
    await database.write(Unit.of(Write("UPDATE usage SET day = 'd'")))
    home.links["discord-7"] = "ann"
    home.write_contacts()
    await home.linker(database)[0].follow()
    files = {row["path"]: row["text"] for row in await database.read("SELECT * FROM virtual_files WHERE owner = 'ann'")}
    versions = await database.read("SELECT number, text FROM file_versions WHERE owner = 'ann' ORDER BY number")
    spent = await database.read("SELECT person, calls, nano_usd FROM usage")
    await database.close()
    assert files["/preferences/global.md"] == "terse"
    assert files["/documents/linked/chatty00/preferences/global.md"] == "chatty"
    assert [path for path, text in files.items() if text == "same"] == ["/documents/same.md"]
    assert [row["text"] for row in versions] == [f"{who} {n}" for who in ("ann", "discord-7") for n in (1, 2, 3)]
    assert spent == [{"person": "ann", "calls": 2, "nano_usd": 2}]


async def test_ids_with_a_server_in_them_are_one_person(tmp_path: Path):
    home = _Home(tmp_path)
    database = await open_database(tmp_path / "bellhop.db")
    for number, person in enumerate(("discord-42-8", "discord-dm-8", "discord-42-7")):
        await database.write(Unit(tuple(_rows(person, f"x{number}"))))
    home.links["discord-7"] = "ann"
    home.write_contacts()
    await home.linker(database)[0].follow()
    owners = Counter(row["owner"] for row in await database.read("SELECT owner FROM todos"))
    await database.close()
    assert owners == {"discord-8": 2, "ann": 1}

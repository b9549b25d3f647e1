"""Rows of an earlier id move to the person that contacts.yaml names, across crashes."""

import asyncio
import json
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st

from bot.assembly.own_plugins import KNOWN_PLATFORMS, OWN
from bot.connections.credentials import KEY, Credentials, Keyring
from bot.connections.sealing import new_key
from bot.domain.database import Database, Unit, Write
from bot.domain.messages import PlatformPerson
from bot.files.projects.folders import ProjectKeeper
from bot.memory.tiers import MemoryStore
from bot.sessions.people.contact_record import ContactRecord
from bot.sessions.people.contacts import Contacts
from bot.sessions.people.person_links import PersonLinks
from bot.storage.markdown import MarkdownFile, MarkdownStore
from bot.testing.crash_points import CrashingDatabase, CrashPoint, Moment, ProcessGone
from bot.testing.fake_clock import FakeClock
from bot.testing.own_tables import open_with_own_tables

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


class _DyingFiles(MarkdownStore):
    """Files of a process that ends before or after its n-th write of one."""

    def __init__(self, root: Path, point: CrashPoint | None) -> None:
        super().__init__(root)
        self._point = point
        self._written = 0

    async def update(
        self, path: str, fn: Callable[[str], str], *, backup: bool = False
    ) -> MarkdownFile:
        self._written += 1
        here = self._point is not None and self._written == self._point.write
        if here and self._point is not None and self._point.moment is Moment.BEFORE:
            raise ProcessGone
        file = await super().update(path, fn, backup=backup)
        if here:
            raise ProcessGone
        return file


class _Home:
    """One home, its people, and with whom each thing may be in each room."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.links: dict[str, str] = {}
        self.taken: set[str] = set()
        """Strangers whose earlier things were taken over by the contact that they are."""
        self.held: dict[tuple[str, str], set[str]] = {}
        """Holders by room and name of a thing; several only if a move was interrupted."""
        self.made = 0
        self.write_contacts()

    def write_contacts(self) -> None:
        people: list[dict[str, object]] = []
        for contact in ("ann", "ben"):
            ids: dict[str, list[str]] = {}
            for platform, id_ in (
                _STRANGERS[one] for one, linked in self.links.items() if linked == contact
            ):
                ids.setdefault(platform, []).append(id_)
            people.append(
                {"id": contact, "name": f"Contact {contact}", "role": "Friend", "ids": ids}
            )
        (self.folder / "contacts.yaml").write_text(json.dumps(people))

    def followed(self, *, whole: bool) -> None:
        """Everything was moved, or anything of it may have been."""
        links = {
            stranger: contact
            for stranger, contact in self.links.items()
            if stranger in self.taken or stranger.startswith("terminal")
        }
        for thing, persons in self.held.items():
            moved = {links.get(person, person) for person in persons}
            self.held[thing] = moved if whole else moved | persons

    async def linker(
        self, database: Database, files: MarkdownStore | None = None
    ) -> tuple[PersonLinks, Contacts, Credentials]:
        contacts = Contacts.load(self.folder / "contacts.yaml", KNOWN_PLATFORMS)
        record = ContactRecord(database, FakeClock(), KNOWN_PLATFORMS)
        await contacts.follow_record(record)
        memory = MemoryStore(files or MarkdownStore(self.folder / "memory"))
        credentials = Credentials(database, Keyring({KEY: _KEY}.get), FakeClock())
        await credentials.load()

        keepers = [memory, credentials, ProjectKeeper(self.folder / "projects")]
        finish = [memory.finish_moves]
        links = PersonLinks(database, FakeClock(), contacts, keepers, tables=TABLES, finish=finish)
        return links, contacts, credentials

    async def take(self, database: Database, stranger: str) -> None:
        """Let the contact that a stranger is take over what was kept for them."""
        if stranger in self.links:
            record = ContactRecord(database, FakeClock(), KNOWN_PLATFORMS)
            await database.write(record.take_unit(self.links[stranger], _STRANGERS[stranger]))
            self.taken.add(stranger)

    def link(self, stranger: str, contact: str | None) -> None:
        if self.links.get(stranger) != contact:
            self.taken.discard(stranger)
        self.links.pop(stranger, None)
        if contact is not None:
            self.links[stranger] = contact

    async def make(self, database: Database, stranger: str) -> None:
        _, contacts, credentials = await self.linker(database)
        platform, workspace, id_ = _SENDERS[stranger]
        person = contacts.resolve(platform, workspace, PlatformPerson(id_, "Kit")).id
        self.made += 1
        name = f"n{self.made}"
        await database.write(Unit(tuple(_rows(person, name))))
        folder = self.folder / "memory" / person
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / "assistant_memory.md").open("a") as file:
            file.write(f"- [S3] {name}\n")
        await credentials.store(person, name, f"token of {name}")
        (self.folder / "projects" / person / name).mkdir(parents=True)
        for room in _ROOMS:
            self.held[room, name] = {person}

    def _remembered(self, files: str) -> Counter[tuple[str, str]]:
        return Counter(
            (file.parent.name, line.rpartition(" ")[2])
            for file in (self.folder / "memory").glob(f"*/{files}")
            for line in file.read_text().splitlines()
            if line
        )

    async def look(self, database: Database) -> None:
        """Each thing is in each room once, with somebody who may have it."""
        census: dict[str, Counter[tuple[str, str]]] = {}
        for table, sql in _CENSUS.items():
            rows = await database.read(sql)
            census[table] = Counter((row["person"], row["name"]) for row in rows)
        census["memory"] = self._remembered("*.md")
        # What was handed over and not joined yet is its person's, once.
        census["memory"].update(self._remembered("*.md.from-*").keys() - census["memory"].keys())
        _, _, credentials = await self.linker(database)
        names = [name for room, name in self.held if room == "tokens"]
        census["tokens"] = Counter(
            (person, name)
            for person in ("ann", "ben", *_STRANGERS)
            for name, token in credentials.tokens(person, names).items()
            if token == f"token of {name}"
        )
        census["projects"] = Counter(
            (project.parent.name, project.name)
            for project in (self.folder / "projects").glob("*/*")
        )
        for room in _ROOMS:
            found = {name: person for person, name in census[room]}
            expected = {name for where, name in self.held if where == room}
            assert sorted(census[room].elements()) == sorted(
                (person, name) for name, person in found.items()
            ), room
            assert set(found) == expected, room
            for name, person in found.items():
                assert person in self.held[room, name], (room, name)
                self.held[room, name] = {person}


_KEY = new_key()
TABLES = [table for plugin in OWN for table in plugin.tables]
_CENSUS = {
    "todos": "SELECT owner AS person, title AS name FROM todos",
    "notes": "SELECT owner AS person, title AS name FROM notes_kept",
    "knowledge": "SELECT owner AS person, title AS name FROM knowledge_entries",
    "files": "SELECT owner AS person, text AS name FROM virtual_files",
    "grants": "SELECT person, ref AS name FROM grants",
    "messages": "SELECT author AS person, text AS name FROM messages",
    "sessions": (
        "SELECT replace(substr(session_key, 7), '|', '') AS person, id AS name FROM sessions"
    ),
    "usage": "SELECT person, day AS name FROM usage",
}
_ROOMS = (*_CENSUS, "memory", "tokens", "projects")


def _insert(table: str, **values: object) -> Write:
    names, marks = ", ".join(values), ", ".join("?" * len(values))
    return Write(f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(values.values()))  # noqa: S608


def _file(owner: str, path: str, text: str) -> Write:
    rest = {"version": f"{text:0<32}", "updated_at": "t", "updated_by": owner, "origin": "{}"}
    return _insert("virtual_files", owner_kind="person", owner=owner, path=path, text=text, **rest)


def _version(owner: str, number: int) -> Write:
    rest = {
        "version": "v",
        "updated_at": "t",
        "updated_by": owner,
        "origin": "{}",
        "reach": "dm",
        "channel": "",
    }
    text = f"{owner} {number}"
    return _insert(
        "file_versions",
        owner_kind="person",
        owner=owner,
        path="/documents/p.md",
        number=number,
        text=text,
        **rest,
    )


def _rows(person: str, name: str) -> list[Write]:
    """One thing of somebody in each of several rooms."""
    since = {"created_at": "t", "updated_at": "t"}
    made = {**since, "agent": "a", "session": "s", "conversation": "c", "origin": "{}"}
    knowledge = {"content": "x", "content_key": name, "type": "fact", "importance": 1}
    grant = {
        "tool": "t",
        "scope": "session",
        "session_id": "s",
        "targets": "[]",
        "rank": 1,
        "made_at": "t",
    }
    said = {"conversation": "c", "author_name": "Kit", "trust": "member", "at": "t"}
    lived = {
        "state": "ended",
        "agent": "a",
        "role": "Friend",
        "epoch": 0,
        "opened_at": "t",
        "last_at": "t",
    }
    tokens = dict.fromkeys(
        ("input_tokens", "cache_read_tokens", "cache_write_tokens", "output_tokens"), 1
    )
    key = f"a|b|c|{person}|"
    return [
        _insert("todos", id=name, owner=person, title=name, **made),
        _insert("notes_kept", id=name, board="user", owner=person, title=name, **made),
        _insert("knowledge_entries", id=name, owner=person, title=name, **knowledge, **made),
        _file(person, f"/documents/{name}", name),
        _insert("grants", ref=name, person=person, made_by=person, approval="a", **grant),
        _insert("messages", key=name, author=person, text=name, **said),
        _insert("sessions", id=name, session_key=key, system="", tools="", private=1, **lived),
        _insert(
            "usage",
            day=name,
            person=person,
            channel="c",
            model="m",
            calls=1,
            nano_usd=1,
            unpriced=0,
            **tokens,
        ),
    ]


_ACTS = st.one_of(
    st.tuples(st.just("make"), st.sampled_from(sorted(_STRANGERS))),
    st.tuples(
        st.just("link"), st.sampled_from(sorted(_STRANGERS)), st.sampled_from(["ann", "ben"])
    ),
    # Names at the terminal are no accounts: nothing of theirs is taken over, or claimed.
    st.tuples(st.just("take over"), st.sampled_from(["discord-7", "slack-T1-U1"])),
    st.tuples(st.just("unlink"), st.sampled_from(sorted(_STRANGERS))),
    st.tuples(st.just("die"), st.integers(1, 4), st.sampled_from(list(Moment))),
    st.tuples(st.just("die writing a file"), st.integers(1, 2), st.sampled_from(list(Moment))),
)


@settings(max_examples=20, deadline=None)
@example(
    [
        ("make", "slack-T1-U1"),
        ("link", "slack-T1-U1", "ann"),
        ("take over", "slack-T1-U1"),
        ("make", "discord-7"),
        ("link", "discord-7", "ann"),
        ("die writing a file", "1", "after"),
        ("take over", "discord-7"),
        ("unlink", "discord-7"),
    ]
)
@example(
    [
        ("make", "slack-T1-U1"),
        ("make", "discord-7"),
        ("link", "slack-T1-U1", "ann"),
        ("link", "discord-7", "ann"),
        ("die", "1", "after"),
        ("take over", "discord-7"),
        ("link", "discord-7", "ben"),
    ]
)
@given(st.lists(_ACTS, min_size=2, max_size=10))
def test_linking_and_unlinking_in_any_order_loses_and_leaks_nothing(
    acts: Sequence[tuple[str, ...]],
):
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(_play(_Home(Path(folder)), acts))


_made_once: list[bytes] = []


async def _empty() -> bytes:
    """A new database; its migrations take longer than all that is done with it here."""
    if not _made_once:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "bellhop.db"
            await (await open_with_own_tables(file)).close()
            _made_once.append(await asyncio.to_thread(file.read_bytes))
    return _made_once[0]


async def _play(home: _Home, acts: Sequence[tuple[str, ...]]) -> None:
    """Each act meets a process that starts anew; `die` ends the next one while it moves things.

    What was changed next in contacts.yaml holds for the process behind that.
    """
    await asyncio.to_thread((home.folder / "bellhop.db").write_bytes, await _empty())
    database = await open_with_own_tables(home.folder / "bellhop.db")
    try:
        await home.linker(database)  # the record begins with a file that names no account
        await _follow(home, database, acts)
    finally:
        await database.close()


async def _follow(home: _Home, database: Database, acts: Sequence[tuple[str, ...]]) -> None:
    dying: tuple[CrashPoint | None, CrashPoint | None] = (None, None)
    for act in [*acts, ("look",)]:
        match act:
            case ("make", stranger):
                await home.make(database, stranger)
            case ("link", stranger, contact):
                home.link(stranger, contact)
            case ("take over", stranger):
                await home.take(database, stranger)
            case ("unlink", stranger):
                home.link(stranger, None)
            case ("die", write, moment):
                dying = (CrashPoint(int(write), Moment(moment)), None)
                continue
            case ("die writing a file", write, moment):
                dying = (None, CrashPoint(int(write), Moment(moment)))
                continue
            case _:
                pass
        home.write_contacts()
        await home.linker(database)  # reads the file, before a process that may end
        in_database, in_file = dying
        dying = (None, None)
        store = CrashingDatabase(database, in_database) if in_database else database
        links, _, _ = await home.linker(store, _DyingFiles(home.folder / "memory", in_file))
        try:
            await links.follow()
        except ProcessGone:
            home.followed(whole=False)
        else:
            home.followed(whole=True)
        await home.look(database)


async def test_equal_rows_merge_and_files_of_one_path_are_both_kept(tmp_path: Path):
    home = _Home(tmp_path)
    database = await open_with_own_tables(tmp_path / "bellhop.db")
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
    home.link("discord-7", "ann")
    home.write_contacts()
    await (await home.linker(database))[0].follow()
    files = {
        row["path"]: row["text"]
        for row in await database.read("SELECT * FROM virtual_files WHERE owner = 'ann'")
    }
    versions = await database.read(
        "SELECT number, text FROM file_versions WHERE owner = 'ann' ORDER BY number"
    )
    spent = await database.read("SELECT person, calls, nano_usd FROM usage")
    await database.close()
    assert files["/preferences/global.md"] == "terse"
    assert files["/documents/linked/chatty00/preferences/global.md"] == "chatty"
    assert [path for path, text in files.items() if text == "same"] == ["/documents/same.md"]
    assert [row["text"] for row in versions] == [
        f"{who} {n}" for who in ("ann", "discord-7") for n in (1, 2, 3)
    ]
    assert spent == [{"person": "ann", "calls": 2, "nano_usd": 2}]

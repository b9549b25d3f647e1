"""A home in one file: whole or refused with a sentence; interruptions are noticed."""

import fcntl
import os
import resource
import shutil
import sqlite3
import stat
import sys
import tarfile
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bot.domain.database import Unit, Write
from bot.errors import StorageError
from bot.storage.backup import DATABASE, BackupHead, add_file, back_up, copy_of, unpack
from bot.storage.damage import find_damage
from bot.storage.home import open_database
from bot.storage.putting_back import marker_of, put_back
from tests.storage.test_damage import damage

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

PARTS = ("bellhop.yaml", "policy.yaml", "prompts", "skills", "memory", "data/blobs")
NEWEST = 90


def head(migration: int = NEWEST, form: int = 1) -> BackupHead:
    return BackupHead(
        made_at="2026-11-22T10:00:00Z", version="1", migration=migration, secrets=False, format=form
    )


async def a_home(folder: Path, word: str = "pumpkin") -> Path:
    """A home with some rows, files and a link out of it."""
    (folder / "memory" / "people").mkdir(parents=True)
    (folder / "data" / "blobs").mkdir(parents=True)
    (folder / "memory" / "people" / "ann.md").write_text(f"The word is {word}.")
    (folder / "memory" / "link.md").symlink_to("/etc/hostname")
    (folder / "data" / "blobs" / "aa").write_bytes(os.urandom(3000))
    (folder / "bellhop.yaml").write_text("timezone: UTC\n")
    database = await open_database(folder / "data" / "bellhop.db")
    await write(folder, word, 300)
    await database.close()
    return folder


async def write(home: Path, word: str, count: int) -> None:
    database = await open_database(home / "data" / "bellhop.db")
    insert = "INSERT INTO audit (at, person, kind, tool, detail) VALUES ('', ?, 'x', 'y', ?)"
    await database.write(
        Unit(tuple(Write(insert, (word, "z" * 200)) for _ in range(min(count, 200))))
    )
    await database.close()


def odd(folder: Path) -> Path:
    """A file of an older system, whose name is no UTF-8."""
    return folder / os.fsdecode(b"caf\xe9.md")


def names_in(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def words(database: Path) -> set[str]:
    with closing(sqlite3.connect(database)) as connection:
        return {row[0] for row in connection.execute("SELECT person FROM audit")}


def copied(home: Path, path: Path) -> list[str]:
    return back_up(path, home, copy_of(home / "data" / "bellhop.db"), PARTS, head()).left_out


async def test_a_copy_of_a_home_that_is_written_to_holds_everything_once(tmp_path: Path):
    home, path, out = await a_home(tmp_path / "home"), tmp_path / "copy.bellhop", tmp_path / "out"
    database = await open_database(home / "data" / "bellhop.db")
    try:
        await database.write(
            Unit.of(Write("INSERT INTO audit (at, person, kind, tool) VALUES ('', 'late', '', '')"))
        )
        assert copied(home, path) == ["memory/link.md"]
    finally:
        await database.close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert names_in(tmp_path) == ["copy.bellhop", "home"]
    out.mkdir()
    assert unpack(path, out).migration == NEWEST
    assert words(out / DATABASE) == {"pumpkin", "late"}
    for name in ("memory/people/ann.md", "data/blobs/aa", "bellhop.yaml"):
        assert (out / "home" / name).read_bytes() == (home / name).read_bytes(), name


async def test_a_link_to_a_file_stands_for_what_the_file_holds(tmp_path: Path):
    home, path, out = await a_home(tmp_path / "home"), tmp_path / "copy.bellhop", tmp_path / "out"
    (tmp_path / "rules.yaml").write_text("rules: []\n")
    (home / "prompts").mkdir()
    (tmp_path / "shared" / "inner").mkdir(parents=True)
    for name, to in {
        "policy.yaml": "../rules.yaml",
        "skills": "../shared",
        "skills/own.json": "../rules.yaml",
        "skills/inner/own.md": "../rules.yaml",
        "prompts/own.md": "../bellhop.yaml",
        "prompts/folder": "..",
        "prompts/nowhere": "missing",
        "prompts/circle": "circle",
        "data/blobs/link": "../../bellhop.yaml",
    }.items():
        (home / name).symlink_to(to)
    left_out = copied(home, path)
    assert left_out == [
        *(
            "prompts/circle",
            "prompts/folder",
            "prompts/nowhere",
            "skills/inner/own.md",
            "memory/link.md",
            "data/blobs/link",
        )
    ]
    out.mkdir()
    unpack(path, out)
    for name in ("policy.yaml", "skills/own.json"):
        assert (out / "home" / name).read_text() == "rules: []\n", name
    assert (out / "home" / "prompts" / "own.md").read_text() == "timezone: UTC\n"


async def test_the_next_backup_removes_what_a_killed_one_left(tmp_path: Path):
    home, path = await a_home(tmp_path / "home"), tmp_path / "copy.bellhop"
    left, going_on, theirs = (tmp_path / f".{name}.unfinished" for name in "abc")
    for work in (left, going_on, theirs):
        work.mkdir()
        for name in ("backup", "copy.db", "copy.db-journal"):
            (work / name).write_text("half")
    (theirs / "backup of photos").write_text("mine")
    with (going_on / "backup").open("rb") as written:
        fcntl.flock(written, fcntl.LOCK_EX)
        copied(home, path)
    assert [work.exists() for work in (left, going_on, theirs)] == [False, True, True]


def swap_byte(path: Path, position: int) -> None:
    data = bytearray(path.read_bytes())
    data[position] ^= 0xFF
    path.write_bytes(data)


def repacked(path: Path, change: Callable[[str, bytes], bytes]) -> None:
    """The same archive with other contents, as somebody with an editor would leave it."""
    with tarfile.open(path) as archive:
        files = [
            (entry.name, file.read()) for entry in archive if (file := archive.extractfile(entry))
        ]
    with tarfile.open(path, "w:gz") as archive:
        for name, data in files:
            new, entry = change(name, data), tarfile.TarInfo(name)
            entry.size = len(new)
            part = path.with_name("part")
            part.write_bytes(new)
            with part.open("rb") as file:
                archive.addfile(entry, file)


SPOILT: dict[str, tuple[Callable[[Path], object], str]] = {
    "not there": (lambda path: path.unlink(), "there is no file"),
    "text": (lambda path: path.write_text("hello"), "not a Bellhop backup"),
    "empty": (lambda path: path.write_bytes(b""), "not a Bellhop backup"),
    "another tar": (
        lambda path: repacked(path, lambda name, data: b"{}" if name == "backup.json" else data),
        "not a",
    ),
    "a byte": (lambda path: swap_byte(path, path.stat().st_size // 2), "damaged"),
    "cut off": (lambda path: os.truncate(path, path.stat().st_size // 2), "damaged|beginning"),
    "edited": (
        lambda path: repacked(path, lambda name, data: b"x" if "ann" in name else data),
        "damaged .*ann.md",
    ),
    "newer": (
        lambda path: repacked(
            path, lambda name, _: head(9999).model_dump_json().encode() if "backup" in name else _
        ),
        "newer Bellhop .*migration 9999",
    ),
    "too old": (
        lambda path: repacked(
            path, lambda name, _: head(84).model_dump_json().encode() if "backup" in name else _
        ),
        "too old .*migration 84.*start it once with",
    ),
}


@pytest.mark.parametrize("spoilt", SPOILT)
async def test_an_impossible_restore_is_refused_in_one_sentence(tmp_path: Path, spoilt: str):
    home, path, out = await a_home(tmp_path / "home"), tmp_path / "copy.bellhop", tmp_path / "out"
    copied(home, path)
    spoil, sentence = SPOILT[spoilt]
    spoil(path)
    out.mkdir()
    with pytest.raises(StorageError, match=sentence) as refused:
        unpack(path, out)
    assert "\n" not in str(refused.value)


async def test_a_name_that_is_no_utf8_comes_back(tmp_path: Path):
    home, path, out = await a_home(tmp_path / "home"), tmp_path / "copy.bellhop", tmp_path / "out"
    odd(home / "memory").write_text("au lait")
    copied(home, path)
    out.mkdir()
    unpack(path, out)
    assert odd(out / "home" / "memory").read_text() == "au lait"


async def test_a_file_that_exists_is_never_written_over(tmp_path: Path):
    home, path = await a_home(tmp_path / "home"), tmp_path / "copy.bellhop"
    path.write_text("mine")
    with pytest.raises(StorageError, match="exists; name a file"):
        copied(home, path)
    assert path.read_text() == "mine"
    beside = home / "data" / "bellhop"
    (home / "data" / "bellhop.part").write_text("mine, too")
    copied(home, beside)
    assert words(home / "data" / "bellhop.db") == {"pumpkin"}
    assert (home / "data" / "bellhop.part").read_text() == "mine, too"
    assert not [name for name in names_in(home / "data") if "unfinished" in name]


async def test_a_backup_in_a_folder_that_it_holds_does_not_hold_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    home, out = await a_home(tmp_path / "home"), tmp_path / "out"
    monkeypatch.chdir(home / "memory")
    copied(home, Path("copy"))
    out.mkdir()
    unpack(home / "memory" / "copy", out)
    assert names_in(out / "home" / "memory") == ["people"]


@contextmanager
def no_room(most: int) -> Generator[None]:
    """Files can't grow beyond so many bytes, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, before[1]))
    # Python 3.11 would keep half of a module's bytecode, which no process can load.
    compiling, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        yield
    finally:
        sys.dont_write_bytecode = compiling
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("most", [4096, 60_000])
async def test_a_full_disk_leaves_no_half_backup(tmp_path: Path, most: int):
    home, path = await a_home(tmp_path / "home"), tmp_path / "copy.bellhop"
    (home / "memory" / "big.md").write_bytes(os.urandom(100_000))
    with no_room(most), pytest.raises(StorageError, match="cannot write the backup"):
        copied(home, path)
    assert names_in(tmp_path) == ["home"]


async def test_a_full_disk_stops_unpacking(tmp_path: Path):
    home, path, out = await a_home(tmp_path / "home"), tmp_path / "copy.bellhop", tmp_path / "out"
    copied(home, path)
    out.mkdir()
    with no_room(4096), pytest.raises(StorageError, match=r"cannot unpack .*nothing was restored"):
        unpack(path, out)


class Shrinks(BytesIO):
    """A backup's destination; with its first bytes the source file gets shorter."""

    def __init__(self, source: Path) -> None:
        super().__init__()
        self._source = source

    def write(self, data: "ReadableBuffer") -> int:
        os.truncate(self._source, 100)
        return super().write(data)


def test_a_file_that_becomes_shorter_while_it_is_copied_is_named(tmp_path: Path):
    source = tmp_path / "notes.md"
    source.write_text("words " * 1_000)
    named = pytest.raises(
        StorageError, match=r"^home/notes\.md became shorter while it was copied.*again"
    )
    with tarfile.open(fileobj=Shrinks(source), mode="w") as archive, named:
        add_file(archive, "home/notes.md", source, {})


async def test_a_damaged_database_is_not_backed_up_and_a_damaged_log_is(tmp_path: Path):
    home, path = await a_home(tmp_path / "home"), tmp_path / "copy.bellhop"
    database = home / "data" / "bellhop.db"
    damage(database, "cycle_events")
    assert back_up(path, home, copy_of(database), PARTS, head()).damaged_log == ("cycle_events",)
    damage(database, "audit")
    with closing(sqlite3.connect(database)) as connection:
        assert find_damage(connection).beyond_log
    with pytest.raises(StorageError, match=r"is damaged .*audit"):
        copied(home, tmp_path / "second.bellhop")


async def test_foreign_keys_that_lead_nowhere_are_found(tmp_path: Path):
    with closing(sqlite3.connect(tmp_path / "x.db")) as connection:
        connection.executescript(
            "CREATE TABLE one (id INTEGER PRIMARY KEY); CREATE TABLE two (one INTEGER REFERENCES "
            "one (id));"
            "INSERT INTO two VALUES (7);"
        )
        assert find_damage(connection).foreign_keys == ("two",)


class EndsAt:
    """Moves files until the process ends at one of the moves."""

    def __init__(self, point: int | None) -> None:
        self.left = point
        self.ended = False

    def __call__(self, source: Path, target: Path) -> None:
        if self.left == 0:
            self.ended = True
            raise OSError(5, "gone", str(source))
        if self.left is not None:
            self.left -= 1
        source.replace(target)


def restored(path: Path, home: Path, name: str, move: EndsAt) -> str:
    """Restore once; gives the sentence with which it was cut off."""
    copy = home / "data" / name
    copy.mkdir()
    unpack(path, copy)
    try:
        put_back(copy, home, home / "data" / "bellhop.db", PARTS, home / f"aside-{name}", move=move)
    except StorageError as error:
        return str(error)
    return ""


async def test_an_interrupted_restore_is_noticed_and_can_be_repeated(tmp_path: Path):
    old, new = await a_home(tmp_path / "old", "old"), await a_home(tmp_path / "new", "new")
    path, point, move = tmp_path / "copy.bellhop", 0, EndsAt(0)
    copied(new, path)
    while True:
        home = tmp_path / f"home-{point}"
        shutil.copytree(old, home, symlinks=True)
        database, move = home / "data" / "bellhop.db", EndsAt(point)
        said = restored(path, home, "first", move)
        if not move.ended:
            break
        assert "run it again with --overwrite" in said
        assert marker_of(database).exists()
        with pytest.raises(StorageError, match="was cut off"):
            await open_database(database)
        assert restored(path, home, "second", EndsAt(None)) == ""
        kept = list(home.glob("aside-*/**/*"))
        assert "The word is old." in {file.read_text() for file in kept if file.name == "ann.md"}
        assert {"old"} in [words(file) for file in kept if file.name == "bellhop.db"]
        assert words(database) == {"new"}
        assert (home / "memory" / "people" / "ann.md").read_text() == "The word is new."
        await (await open_database(database)).close()
        point += 1
    assert point > 6

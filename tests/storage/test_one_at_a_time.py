"""One at a time: work of a name, editors of a file, makers of a home's first file."""

import asyncio
import stat
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from bot.clock import SystemClock
from bot.errors import StorageError
from bot.storage.exclusive import Exclusive
from bot.storage.file_locks import LOCK, lock_of, locked, remove_former_locks
from bot.storage.home_id import made_once


class Server:
    """The locks of one database, as its processes share them."""

    def __init__(self) -> None:
        self.held: set[str] = set()
        self.away = False


class Locks:
    """Implements `domain.processes.Locks` for one process."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._own: set[str] = set()

    async def take(self, name: str) -> bool:
        if self._server.away:
            raise OSError("no connection")
        if name in self._server.held - self._own:
            return False
        self._server.held.add(name)
        self._own.add(name)
        return True

    async def release(self, name: str) -> None:
        self._own.discard(name)
        self._server.held.discard(name)

    async def held(self, name: str) -> bool:
        return name in self._server.held

    async def lost(self, name: str) -> None:
        await asyncio.Event().wait()


@pytest.mark.parametrize("processes", [1, 2])
async def test_one_at_a_time(processes: int):
    server = Server()
    working = most = done = 0
    doers = [Exclusive(SystemClock(), Locks(server)) for _ in range(processes)]

    async def work(doer: Exclusive) -> None:
        nonlocal working, most, done
        async with doer.held("renew"):
            working += 1
            most = max(most, working)
            await asyncio.sleep(0)
            working -= 1
            done += 1

    await asyncio.gather(*(work(doers[number % processes]) for number in range(4)))
    assert (most, done, server.held) == (1, 4, set())


async def test_a_server_that_is_away_is_an_error_with_a_name():
    server = Server()
    server.away = True
    with pytest.raises(StorageError, match="can't lock renew"):
        async with Exclusive(SystemClock(), Locks(server)).held("renew"):
            pass
    async with Exclusive(SystemClock()).held("renew"):  # alone there is nothing to ask
        pass


# One editor at a time, and no lock among the files that people look at.


@pytest.mark.parametrize(
    ("folder", "lock"),
    [
        ("home", "home/.locks/home"),
        ("home/memory", "home/.locks/memory"),
        ("home/data/blobs", "home/.locks/data-blobs"),
        ("elsewhere", "elsewhere/.lock"),
    ],
)
def test_the_locks_of_a_home_are_in_one_folder(tmp_path: Path, folder: str, lock: str):
    assert lock_of(tmp_path / "home", tmp_path / folder) == tmp_path / lock


def test_a_home_may_be_named_from_within():
    assert lock_of(Path(), Path("memory")) == Path(".locks/memory")


def test_editors_take_turns_and_readers_do_not(tmp_path: Path):
    waits, inside = threading.Event(), list[str]()
    lock = tmp_path / ".locks" / "memory"

    def edit() -> None:
        waits.set()
        with locked(lock):
            inside.append("waited")

    with locked(lock):
        waiting = threading.Thread(target=edit)
        waiting.start()
        waits.wait()
        assert inside == []
    waiting.join()
    assert inside == ["waited"]
    with locked(lock, shared=True), locked(lock, shared=True):
        inside.append("two readers")


def test_locks_of_earlier_versions_are_removed_once(tmp_path: Path):
    former = [tmp_path / LOCK, tmp_path / "memory" / LOCK, tmp_path / "memory" / "ann" / LOCK]
    for lock in former:
        lock.parent.mkdir(parents=True, exist_ok=True)
        lock.touch()
    note = tmp_path / "memory" / "ann" / "assistant_memory.md"
    note.write_text("- likes tea\n")
    remove_former_locks(tmp_path)
    assert not any(lock.exists() for lock in former)
    assert note.exists()
    former[0].touch()
    remove_former_locks(tmp_path)
    assert former[0].exists(), "it looked again, at each start"


# The first process of a home makes a file, and all others read it.


def test_all_get_the_text_of_the_first(tmp_path: Path):
    path = tmp_path / "data" / "key"
    with ThreadPoolExecutor(8) as pool:
        found = set(pool.map(partial(made_once, path), map(str, range(8))))
    assert found == {path.read_text().strip()}
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [one.name for one in path.parent.iterdir()] == ["key"]


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path):
    (tmp_path / "data").write_text("a file")
    with pytest.raises(StorageError, match=r"cannot write .*key"):
        made_once(tmp_path / "data" / "key", "text")

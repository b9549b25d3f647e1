"""Bytes are found again under their hash, and names are nothing but hashes."""

import asyncio
import hashlib
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from bot.errors import DeliveryError, StorageError
from bot.storage.blobs import Blobs
from bot.storage.file_locks import LOCK


def files_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name != LOCK)


async def test_bytes_come_back_under_their_hash(tmp_path: Path):
    blobs = Blobs(tmp_path / "blobs")
    names = await asyncio.gather(*(blobs.put(b"\0picture") for _ in range(4)))
    assert len(set(names)) == 1
    assert await blobs.get(names[0]) == b"\0picture"
    assert await blobs.exists(names[0])
    assert files_in(tmp_path / "blobs") == [names[0]]


async def test_unknown_bytes_are_none_even_before_the_folder_exists(tmp_path: Path):
    blobs = Blobs(tmp_path / "blobs")
    assert await blobs.get("0" * 64) is None
    assert not await blobs.exists("0" * 64)


@pytest.mark.parametrize("name", ["../x", "", "ABC", "0" * 63, "/etc/passwd", "0" * 64 + "\n"])
async def test_other_names_are_refused(tmp_path: Path, name: str):
    with pytest.raises(StorageError, match="SHA-256"):
        await Blobs(tmp_path).get(name)
    with pytest.raises(StorageError, match="SHA-256"):
        await Blobs(tmp_path).exists(name)


async def test_blobs_unneeded_at_two_looks_are_removed(tmp_path: Path):
    blobs = Blobs(tmp_path / "blobs")
    assert await blobs.sweep(set()) == 0
    kept, gone, again = [await blobs.put(data) for data in (b"kept", b"gone", b"again")]
    assert await blobs.sweep({kept}) == 0
    assert await blobs.put(b"again") == again  # a new message brings the same bytes
    assert await blobs.sweep({kept}) == 1
    assert [await blobs.exists(name) for name in (kept, gone, again)] == [True, False, True]
    assert await blobs.sweep({kept}) == 1
    assert not await blobs.exists(again)


async def test_only_the_beginning_is_read_where_that_is_enough(tmp_path: Path):
    blobs = Blobs(tmp_path)
    assert await blobs.get(await blobs.put(b"0123456789"), 4) == b"0123"


async def pieces_of(*pieces: bytes, error: Exception | None = None) -> AsyncGenerator[bytes]:
    for piece in pieces:
        yield piece
    if error is not None:
        raise error


async def test_pieces_are_stored_as_they_come_under_the_hash_of_the_whole(tmp_path: Path):
    blobs = Blobs(tmp_path / "blobs")
    assert await blobs.put_pieces(pieces_of(b"one", b"two")) == (await blobs.put(b"onetwo"), 6)
    assert await blobs.put_pieces(pieces_of()) == (hashlib.sha256().hexdigest(), 0)
    assert len(files_in(tmp_path / "blobs")) == 2


async def test_a_file_that_breaks_off_leaves_nothing_behind(tmp_path: Path):
    blobs = Blobs(tmp_path / "blobs")
    with pytest.raises(DeliveryError, match="cut"):
        await blobs.put_pieces(pieces_of(b"half", error=DeliveryError("cut")))
    assert files_in(tmp_path / "blobs") == []


async def test_a_sweep_removes_half_written_files_and_nothing_newer(
    tmp_path: Path,
):
    blobs = Blobs(tmp_path)
    left = tmp_path / f".arriving-{'0' * 32}"
    temporary = tmp_path / f".{'0' * 64}.{'0' * 16}.tmp"
    for half in (left, temporary):
        half.write_bytes(b"half")
    arrived = asyncio.Event()
    swept = asyncio.Event()

    async def slow() -> AsyncGenerator[bytes]:
        yield b"a"
        arrived.set()
        await swept.wait()
        yield b"b"

    storing = asyncio.create_task(blobs.put_pieces(slow()))
    await arrived.wait()
    assert await blobs.sweep(set()) == 0
    assert not left.exists()
    assert not temporary.exists()
    swept.set()
    assert await blobs.get((await storing)[0]) == b"ab"


async def test_a_sweep_leaves_what_another_process_puts_or_writes(tmp_path: Path):
    """Two of them over one folder are two processes."""
    sweeping, other = Blobs(tmp_path), Blobs(tmp_path)
    name = await sweeping.put(b"once")
    assert await sweeping.sweep(set()) == 0
    assert await other.put(b"once") == name
    arrived, swept = asyncio.Event(), asyncio.Event()

    async def slow() -> AsyncGenerator[bytes]:
        yield b"a"
        arrived.set()
        await swept.wait()

    storing = asyncio.create_task(other.put_pieces(slow()))
    await arrived.wait()
    assert await sweeping.sweep(set()) == 0
    swept.set()
    assert await other.get((await storing)[0]) == b"a"
    assert await other.exists(name)

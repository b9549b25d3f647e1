"""Removes what writes left behind that were cut off: a killed process can't take its own away.

Files are known by the exact form of names that Bellhop gives to what it is writing, in folders that
it writes itself. People's projects are theirs, and stay as they are.
"""

import asyncio
import contextlib
import logging
import os
import shutil
import time
from collections.abc import Iterator
from datetime import timedelta
from itertools import chain
from pathlib import Path

from bot.domain.clock import Clock
from bot.files.projects.folders import MARKS, SNAPSHOTS
from bot.storage.confined import TEMPORARY
from bot.workshop.review.staging import HALF, STAGED

log = logging.getLogger(__name__)

EVERY = timedelta(hours=6)
_QUIET_S = 600.0
"""What was written to more recently may still be in somebody's hands."""


async def remove_left_over(home: Path, clock: Clock) -> None:
    """Look now and every few hours, until cancelled."""
    while True:
        if count := await asyncio.to_thread(_removed, home):
            log.info("files=<%d> | removed what writes left that were cut off", count)
        await clock.sleep(EVERY.total_seconds())


def _removed(home: Path) -> int:
    count, before = 0, time.time() - _QUIET_S
    for path in _left(home):
        with contextlib.suppress(OSError):  # gone meanwhile, or not ours to remove
            if path.lstat().st_mtime < before:
                shutil.rmtree(path) if path.is_dir() else path.unlink()
                count += 1
    return count


def _left(home: Path) -> Iterator[Path]:
    people = home / "data" / "workspaces"
    marks, snapshots = people.glob(f"*/{MARKS}/.*"), people.glob(f"*/{SNAPSHOTS}/*/.*")
    listed = chain(
        home.glob(".*"), home.glob("data/.*"), marks, snapshots, *map(_files, _trees(home))
    )
    yield from (path for path in listed if TEMPORARY.fullmatch(path.name))
    staged = home.glob(f"skills/{STAGED}/.*")  # from above: glob passes over what it may not read
    yield from (path for path in staged if HALF.fullmatch(path.name))


def _trees(home: Path) -> Iterator[Path]:
    """Folders that Bellhop alone writes below, with those in them. Stored files are swept apart."""
    yield from (home / name for name in ("memory", "prompts", "skills"))
    yield from (path for path in home.glob("data/*/") if path.name not in {"workspaces", "blobs"})


def _files(top: Path) -> Iterator[Path]:
    for folder, _, names in os.walk(top):
        yield from (Path(folder, name) for name in names)

"""The state of memory before each pass, so that one command restores it."""

import asyncio
import hashlib
import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bot.errors import StorageError
from bot.memory.tiers import BACKUPS
from bot.storage.markdown import MarkdownStore

PASSES = 10
"""The number of passes with a stored earlier state."""
_AFTER = "after.json"
"""For each file of a pass, the hash of the version that the pass wrote."""


@dataclass(frozen=True)
class Undone:
    """The result of an undo: paths below `memory/`."""

    name: str
    """The time of the undone pass; empty when there was none."""
    restored: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    """Files that somebody changed since, left unchanged."""


class Backups:
    """One folder per pass, `memory/backups/<time>`, with the files from before it."""

    def __init__(self, markdown: MarkdownStore) -> None:
        self._markdown = markdown

    async def keep(self, name: str, path: str) -> None:
        """Save a file before a pass changes it for the first time. Raises StorageError."""
        kept = f"{BACKUPS}/{name}/{path}"
        if await self._markdown.read(kept) is not None:
            return
        file = await self._markdown.read(path)
        await self._write(kept, file.text if file else "\n")
        await asyncio.to_thread(_prune, self._markdown.root / BACKUPS)

    async def changed(self, name: str, path: str, text: str) -> None:
        """Record the pass's version of a file, so that a later change by hand is noticed.

        Raises StorageError.
        """
        after = f"{BACKUPS}/{name}/{_AFTER}"
        hashes = await self._hashes(after)
        await self._write(
            after, json.dumps({**hashes, path: _hash(text)}, indent=1, sort_keys=True) + "\n"
        )

    async def undo(self) -> Undone:
        """Restore the state before the newest pass, and delete its folder. Raises StorageError."""
        root = self._markdown.root / BACKUPS
        names = await asyncio.to_thread(_passes, root)
        if not names:
            return Undone("")
        name = names[-1]
        hashes = await self._hashes(f"{BACKUPS}/{name}/{_AFTER}")
        restored: list[str] = []
        changed: list[str] = []
        for path in await asyncio.to_thread(_files_below, root / name):
            before = await self._markdown.read(f"{BACKUPS}/{name}/{path}")
            if before is None:
                continue
            file = await self._markdown.read(path)
            if file is not None and path in hashes and _hash(file.text) != hashes[path]:
                changed.append(path)
                continue
            await self._write(path, before.text)
            restored.append(path)
        if not changed:
            await asyncio.to_thread(shutil.rmtree, root / name, ignore_errors=True)
        return Undone(name, tuple(restored), tuple(changed))

    async def scrub(self, path: str, without: Callable[[str], str], now: str) -> None:
        """Remove forgotten things from the backups of a file, whose current text is `now`.

        Raises StorageError.
        """
        for name in await asyncio.to_thread(_passes, self._markdown.root / BACKUPS):
            kept = f"{BACKUPS}/{name}/{path}"
            if await self._markdown.read(kept) is not None:
                await self._markdown.update(kept, without)
                await self.changed(name, path, now)

    async def _hashes(self, path: str) -> dict[str, str]:
        file = await self._markdown.read(path)
        try:
            return (
                {str(key): str(value) for key, value in json.loads(file.text).items()}
                if file
                else {}
            )
        except (ValueError, AttributeError) as error:
            raise StorageError(
                f"memory/{path} can't be read: {error}; remove it and try again"
            ) from error

    async def _write(self, path: str, text: str) -> None:
        await self._markdown.update(path, lambda _: text)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _passes(root: Path) -> list[str]:
    """Names of the passes, oldest first."""
    if root.is_symlink() or not root.is_dir():
        return []
    return sorted(one.name for one in root.iterdir() if one.is_dir() and not one.is_symlink())


def _files_below(folder: Path) -> list[str]:
    found = [one for one in folder.rglob("*.md") if one.is_file() and not one.is_symlink()]
    return sorted(str(one.relative_to(folder)) for one in found)


def _prune(root: Path) -> None:
    for name in _passes(root)[:-PASSES]:
        shutil.rmtree(root / name, ignore_errors=True)

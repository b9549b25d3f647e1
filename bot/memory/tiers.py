"""The three tiers as markdown files, at the seed's paths (seed 1, "Long-Term Memory")."""

import asyncio
import re
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

from bot.domain.memory import MemoryEntry, Tier
from bot.errors import StorageError
from bot.memory.entries import parse_entries, parse_tier
from bot.storage.markdown import MarkdownFile, MarkdownStore

NAME_CHARS = 200
_PLAIN = re.compile(r"[A-Za-z0-9_@-]")
_ENCODED = re.compile(r"(?:%[0-9A-F]{2})+")
_RESERVED = frozenset({"shared", "playbooks"})
"""An agent `shared` would own the shared tier's file, a person `playbooks` the playbooks' folder."""


def file_name(identifier: str) -> str:
    """A person id or agent name as part of a file name: one step, never hidden, never two ids with one name.

    Letters, digits, `_`, `-` and `@` stand for themselves, all else as `%XX`. Raises StorageError when it is empty or
    too long for a file name.
    """
    name = "".join(character if _PLAIN.match(character) else _percent(character) for character in identifier)
    if identifier in _RESERVED:
        name = _percent(name[0]) + name[1:]
    if not name or len(name) > NAME_CHARS:
        raise StorageError(
            f"{identifier[:80]!r} can't name a memory file; an id has 1 to {NAME_CHARS} plain characters"
        )
    return name


def identifier_of(name: str) -> str:
    """The person id or agent name that `file_name` made this of."""
    return _ENCODED.sub(lambda match: bytes.fromhex(match[0].replace("%", "")).decode(errors="surrogatepass"), name)


def _percent(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in character.encode(errors="surrogatepass"))


def tier_path(tier: Tier, *, agent: str, person_id: str) -> str:
    """Where a tier is kept, relative to the memory folder."""
    match tier:
        case Tier.SHARED:
            return "shared_long_term.md"
        case Tier.AGENT:
            return f"{file_name(agent)}_long_term.md"
        case Tier.USER:
            return f"{file_name(person_id)}/{file_name(agent)}_memory.md"


class MemoryStore:
    """Reads and edits tiers; `markdown` has the home's `memory/` as its root. Raises StorageError."""

    def __init__(self, markdown: MarkdownStore) -> None:
        self._markdown = markdown

    async def entries(self, tier: Tier, *, agent: str, person_id: str) -> tuple[MemoryEntry, ...]:
        """All entries of a tier in file order, private ones too; nothing when there is no file yet."""
        file = await self._markdown.read(tier_path(tier, agent=agent, person_id=person_id))
        return await asyncio.to_thread(parse_entries, file.text) if file else ()

    async def update(
        self, tier: Tier, fn: Callable[[str], str], *, agent: str, person_id: str, backup: bool = False
    ) -> MarkdownFile:
        """Change a tier's file by `fn(text)`, which may be called several times (see `MarkdownStore.update`)."""
        path = tier_path(tier, agent=agent, person_id=person_id)
        return await self._markdown.update(path, fn, backup=backup)

    async def move(self, earlier: str, person_id: str) -> None:
        """Add the user tiers of one person id to those of another. May be cut off anywhere and done again."""
        source, target = file_name(earlier), file_name(person_id)
        for name in await asyncio.to_thread(_files_in, self._markdown.root / source):
            file = await self._markdown.read(f"{source}/{name}")
            if file is not None:
                await self._markdown.update(f"{target}/{name}", partial(_joined, more=file.text))
            await asyncio.to_thread((self._markdown.root / source / name).unlink, missing_ok=True)
        await asyncio.to_thread(_remove_empty, self._markdown.root / source)


def _joined(text: str, more: str) -> str:
    """Two files of one tier as one: what both hold stands there once."""
    if not text:
        return more
    held = {block.raw.strip() for block in parse_tier(text)}
    missing = "".join(block.raw for block in parse_tier(more) if block.raw.strip() not in held)
    return f"{text.rstrip()}\n{missing}" if missing else text


def _files_in(folder: Path) -> list[str]:
    """Files that somebody may have written there, backups too."""
    if folder.is_symlink() or not folder.is_dir():
        return []
    return sorted(one.name for one in folder.iterdir() if one.is_file() and not one.is_symlink())


def _remove_empty(folder: Path) -> None:
    with suppress(OSError):  # it isn't there, or holds what is not ours
        folder.rmdir()

"""The three tiers as markdown files."""

import asyncio
import os
import re
import shutil
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TypeAlias

from bot.domain.memory import MemoryEntry, Tier
from bot.errors import StorageError
from bot.memory.entries import parse_entries, parse_tier
from bot.storage.markdown import MarkdownFile, MarkdownStore

NAME_CHARS = 200
_PLAIN = re.compile(r"[A-Za-z0-9_@-]")
_ENCODED = re.compile(r"(?:%[0-9A-F]{2})+")
ARCHIVE = "archive"
"""Folder of entries that left the tiers, under the same paths."""
BACKUPS = "backups"
"""Folder with the tiers' state before each pass."""
_PLAYBOOKS = "playbooks"
_RESERVED = frozenset({"shared", _PLAYBOOKS, ARCHIVE, BACKUPS})
"""An agent `shared` would get the shared tier's file, a person `playbooks` that folder."""

_AGENT_TIER = "_long_term.md"
_USER_TIER = "_memory.md"
_CAME = ".from-"
"""Joins a tier file's name and its earlier owner, for a file still to be merged."""


_PLACES = ("", f"{ARCHIVE}/")
PARSED = 64
"""The number of files whose entries are held in memory."""


def file_name(identifier: str) -> str:
    """A person id or agent name as a file name: one step, never hidden, and unique.

    Letters, digits, `_`, `-` and `@` stand for themselves, all else becomes `%XX`. Raises
    StorageError if it is empty or too long for a file name.
    """
    name = "".join(
        character if _PLAIN.match(character) else _percent(character) for character in identifier
    )
    if identifier in _RESERVED:
        name = _percent(name[0]) + name[1:]
    if not name or len(name) > NAME_CHARS:
        raise StorageError(
            f"{identifier[:80]!r} can't name a memory file; an id has 1 to {NAME_CHARS} plain "
            "characters"
        )
    return name


def identifier_of(name: str) -> str:
    """The person id or agent name behind this file name."""
    return _ENCODED.sub(
        lambda match: bytes.fromhex(match[0].replace("%", "")).decode(errors="surrogatepass"), name
    )


def _percent(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in character.encode(errors="surrogatepass"))


def tier_path(tier: Tier, *, agent: str, person_id: str) -> str:
    """The path of a tier, relative to the memory folder."""
    match tier:
        case Tier.SHARED:
            return "shared_long_term.md"
        case Tier.AGENT:
            return f"{file_name(agent)}{_AGENT_TIER}"
        case Tier.USER:
            return f"{file_name(person_id)}/{file_name(agent)}{_USER_TIER}"


def archive_path(tier: Tier, *, agent: str, person_id: str) -> str:
    """The path of entries that left a tier."""
    return f"{ARCHIVE}/{tier_path(tier, agent=agent, person_id=person_id)}"


_Entries: TypeAlias = tuple[MemoryEntry, ...]


class MemoryStore:
    """Reads and edits tiers; `markdown` has the home's `memory/` as its root.

    Raises StorageError.
    """

    def __init__(self, markdown: MarkdownStore) -> None:
        self.markdown = markdown
        self.lock = asyncio.Lock()
        """Held while several files are rewritten as one change."""
        self._parsed: dict[str, tuple[str, tuple[MemoryEntry, ...]]] = {}
        """By path: the version that was read last, and its entries."""

    async def entries(self, tier: Tier, *, agent: str, person_id: str) -> tuple[MemoryEntry, ...]:
        """All entries of a tier in file order, private ones too; empty without a file."""
        return await self._entries_in(tier_path(tier, agent=agent, person_id=person_id))

    async def archived(self, tier: Tier, *, agent: str, person_id: str) -> tuple[MemoryEntry, ...]:
        """Entries that left a tier, for lack of room or because newer ones count; oldest first."""
        return await self._entries_in(archive_path(tier, agent=agent, person_id=person_id))

    async def tiers(
        self, wanted: Sequence[Tier], *, agent: str, person_id: str, archive: bool
    ) -> list[tuple[_Entries, _Entries] | StorageError]:
        """The entries of some tiers, all read in one go, or the error of a tier that has one.

        Each comes with the entries that left it, if `archive` asks for them.
        """
        paths: list[tuple[str, ...] | StorageError] = []
        for tier in wanted:
            try:
                own = tier_path(tier, agent=agent, person_id=person_id)
            except StorageError as error:
                paths.append(error)
            else:
                paths.append((own, f"{ARCHIVE}/{own}") if archive else (own,))
        every = [path for of in paths if not isinstance(of, StorageError) for path in of]
        files = dict(zip(every, await self.markdown.several(every), strict=True))
        return [
            of if isinstance(of, StorageError) else await self._tier([(p, files[p]) for p in of])
            for of in paths
        ]

    async def _tier(
        self, read: Sequence[tuple[str, MarkdownFile | StorageError | None]]
    ) -> tuple[_Entries, _Entries] | StorageError:
        """The tier's own file comes first, then the archive's."""
        parts: list[_Entries] = []
        for path, file in read:
            if isinstance(file, StorageError):
                return file
            parts.append(await self._entries_of(path, file))
        return parts[0], parts[1] if len(parts) > 1 else ()

    async def _entries_in(self, path: str) -> _Entries:
        return await self._entries_of(path, await self.markdown.read(path))

    async def _entries_of(self, path: str, file: MarkdownFile | None) -> _Entries:
        if file is None:
            return ()
        version, entries = self._parsed.get(path, ("", ()))
        if version != file.version:
            entries = await asyncio.to_thread(parse_entries, file.text)
            self._parsed.pop(path, None)
            self._parsed[path] = (file.version, entries)
            if len(self._parsed) > PARSED:
                del self._parsed[next(iter(self._parsed))]
        return entries

    async def agents_of(self, person_id: str) -> tuple[str, ...]:
        """Agents that store something about a person, in the tier or the archive."""
        own = file_name(person_id)
        found = set[str]()
        for folder in (own, f"{ARCHIVE}/{own}"):
            names = await asyncio.to_thread(_files_in, self.markdown.root / folder)
            found |= {name.removesuffix(_USER_TIER) for name in names if name.endswith(_USER_TIER)}
        return tuple(sorted(identifier_of(name) for name in found))

    async def agents(self) -> tuple[str, ...]:
        """Agents that have a tier of their own."""
        names = await asyncio.to_thread(_files_in, self.markdown.root)
        found = {
            identifier_of(name.removesuffix(_AGENT_TIER))
            for name in names
            if name.endswith(_AGENT_TIER)
        }
        return tuple(sorted(found - {"shared"}))

    async def people(self) -> list[str]:
        """Ids of people who have a user tier."""
        folders = await asyncio.to_thread(_folders_in, self.markdown.root)
        return [identifier_of(name) for name in folders if name not in _RESERVED]

    async def update(
        self,
        tier: Tier,
        fn: Callable[[str], str],
        *,
        agent: str,
        person_id: str,
        backup: bool = False,
    ) -> MarkdownFile:
        """Change a tier's file by `fn(text)`, which may run repeatedly (`MarkdownStore.update`)."""
        path = tier_path(tier, agent=agent, person_id=person_id)
        return await self.markdown.update(path, fn, backup=backup)

    async def problems(self) -> list[str]:
        """Why tiers and archives can't be read."""
        paths, problems = await asyncio.to_thread(_tier_files, self.markdown.root)
        read = await self.markdown.several(paths)
        return [*problems, *(str(one) for one in read if isinstance(one, StorageError))]

    async def holding(self, persons: Collection[str]) -> Collection[str]:
        """Those of these people who have a user tier, an archive or a backup."""
        folders = await asyncio.to_thread(_folders_of_people, self.markdown.root)
        return {identifier_of(name) for name in folders}.intersection(persons)

    async def move(self, earlier: str, person: str) -> None:
        """Add the user tiers of one person id to those of another.

        May be interrupted anywhere and repeated.

        Each file changes hands by one rename and is joined afterwards, so it is never both
        people's.
        """
        source, target = file_name(earlier), file_name(person)
        for within in _PLACES:
            for folder in (
                source,
                target,
            ):  # an earlier file still has the name that the next one needs
                await self._join(f"{within}{folder}")
            if await asyncio.to_thread(_hand_over, self.markdown.root / within, source, target):
                await self._join(f"{within}{target}")
        await asyncio.to_thread(_drop_backups, self.markdown.root / BACKUPS, source)

    async def finish_moves(self) -> None:
        """Join files that an earlier process handed over and did not join. Raises StorageError."""
        for within in _PLACES:
            for folder in await asyncio.to_thread(_folders_in, self.markdown.root / within):
                await self._join(f"{within}{folder}")

    async def _join(self, folder: str) -> None:
        for name in await asyncio.to_thread(_files_in, self.markdown.root / folder):
            tier, came, _ = name.partition(_CAME)
            if not came:
                continue
            file = await self.markdown.read(f"{folder}/{name}")
            if file is not None:
                await self.markdown.update(f"{folder}/{tier}", partial(_joined, more=file.text))
            await asyncio.to_thread((self.markdown.root / folder / name).unlink, missing_ok=True)


def _drop_backups(root: Path, person: str) -> None:
    """Backups that could be restored under an id that nobody has any more."""
    for folder in _folders_in(root):
        if not (root / folder / person).is_symlink():
            shutil.rmtree(root / folder / person, ignore_errors=True)


def _hand_over(root: Path, source: str, target: str) -> bool:
    """Rename the files of one folder into another; returns whether there were any."""
    names = _files_in(root / source)
    for name in names:
        (root / target).mkdir(parents=True, exist_ok=True)
        (root / source / name).rename(root / target / f"{name.partition(_CAME)[0]}{_CAME}{source}")
    _remove_empty(root / source)
    return bool(names)


def _joined(text: str, more: str) -> str:
    """Join two files of one tier; common entries appear once."""
    if not text:
        return more
    held = {block.raw.strip() for block in parse_tier(text)}
    missing = "".join(block.raw for block in parse_tier(more) if block.raw.strip() not in held)
    return f"{text.rstrip()}\n{missing}" if missing else text


def _files_in(folder: Path) -> list[str]:
    """Files that people may have edited, backups too."""
    if folder.is_symlink() or not folder.is_dir():
        return []
    return sorted(one.name for one in folder.iterdir() if one.is_file() and not one.is_symlink())


def _tier_files(root: Path) -> tuple[list[str], list[str]]:
    """What is called like a tier or an archive, and why folders can't be looked into."""
    closed: list[str] = []
    found: list[str] = []

    def noted(error: OSError) -> None:
        if not isinstance(error, FileNotFoundError):
            closed.append(f"cannot read {error.filename}: {error.strerror}")

    for folder, folders, files in os.walk(root, onerror=noted):
        within = Path(folder).relative_to(root)
        if within == Path():
            folders[:] = [name for name in folders if name not in (BACKUPS, _PLAYBOOKS)]
        closed += [
            f"cannot read {Path(folder, name)}: it is a link; make it a folder"
            for name in folders
            if Path(folder, name).is_symlink()
        ]
        found += [
            (within / name).as_posix()
            for name in (*folders, *files)
            if name.endswith((_AGENT_TIER, _USER_TIER))
        ]
    return sorted(found), closed


def _folders_in(root: Path) -> list[str]:
    if root.is_symlink() or not root.is_dir():
        return []
    return sorted(one.name for one in root.iterdir() if one.is_dir() and not one.is_symlink())


def _folders_of_people(root: Path) -> set[str]:
    backups = [f"{BACKUPS}/{time}" for time in _folders_in(root / BACKUPS)]
    places = [root / within for within in (*_PLACES, *backups)]
    return {name for place in places for name in _folders_in(place)}


def _remove_empty(folder: Path) -> None:
    with suppress(OSError):  # it is missing, or contains other files
        folder.rmdir()

"""Rewrites tiers without loss: after a backup, removed entries go to the archive first."""

import asyncio
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial

from bot.domain.memory import MemoryEntry, Tier
from bot.errors import StorageError
from bot.memory.backups import Backups, Undone
from bot.memory.entries import (
    add_entries,
    clean,
    format_tier,
    parse_entries,
    parse_tier,
    without_entries,
)
from bot.memory.hydrate import entry_line, room_for_entries
from bot.memory.reflection import EntryWords, Reflected, reflect
from bot.memory.settings import MemorySettings
from bot.memory.tiers import MemoryStore, archive_path, tier_path

TRIES = 5


@dataclass(frozen=True)
class TierOf:
    """One tier file, with the key that finds it."""

    tier: Tier
    agent: str
    person: str

    @property
    def path(self) -> str:
        return tier_path(self.tier, agent=self.agent, person_id=self.person)

    @property
    def archive(self) -> str:
        return archive_path(self.tier, agent=self.agent, person_id=self.person)


@dataclass(frozen=True)
class Addition:
    """A new entry, and those that it replaces."""

    entry: MemoryEntry
    replaces: Sequence[MemoryEntry] = ()


class TierEditor:
    """Changes tiers and their archives. The `name` of a pass is its time, by which `undo` finds it.

    Each change may be interrupted anywhere and repeated: nothing is lost and nothing is duplicated.
    """

    def __init__(self, store: MemoryStore, settings: MemorySettings) -> None:
        self.store = store
        self.settings = settings
        self.backups = Backups(store.markdown)

    async def add(self, of: TierOf, additions: Sequence[Addition], name: str, today: date) -> None:
        """Add entries; replaced ones move to the archive. Raises StorageError."""
        replaced = [one for addition in additions for one in addition.replaces]

        def added(text: str) -> str:
            there = parse_entries(text)
            told = {_told(entry) for entry in there}
            new = [one.entry for one in additions if _told(one.entry) not in told]
            return add_entries(without_entries(text, replaced), new)

        there = await self.store.entries(of.tier, agent=of.agent, person_id=of.person)
        history = [replace(one, superseded=today) for one in replaced if one in there]
        await self._archive(of, history, name)
        await self.backups.keep(name, of.path)
        file = await self.store.markdown.update(of.path, added)
        await self.backups.changed(name, of.path, file.text)

    async def append(self, of: TierOf, entry: MemoryEntry) -> bool:
        """Add one entry beside the passes, without a backup: nothing is replaced.

        False if it is there already. Raises StorageError.
        """
        there = False

        def added(text: str) -> str:
            nonlocal there
            there = _told(clean(entry)) in map(_told, parse_entries(text))
            return text if there else add_entries(text, [entry])

        await self.store.markdown.update(of.path, added)
        return not there

    async def remove_source(self, of: TierOf, source: str) -> None:
        """Remove entries from this source from the tier, the archive and every backup.

        Raises StorageError.
        """
        await _remove(self.store, of, partial(_without_source, source=source))

    async def reflect(self, of: TierOf, name: str, today: date) -> Reflected:
        """Reflect on a tier; removed entries are archived first. Raises StorageError."""
        room = room_for_entries(of.tier, self.settings.budget(of.tier))
        for _ in range(TRIES):
            before = await self.store.markdown.read(of.path)
            if before is None:
                return Reflected("")
            done = await asyncio.to_thread(reflect, before.text, room, entry_line, today)
            if done.text == before.text:
                return done
            await self._archive(of, done.archived, name)
            await self.backups.keep(name, of.path)
            file = await self.store.markdown.update(
                of.path, partial(_if_still, before.text, done.text)
            )
            if file.text == done.text:
                await self.backups.changed(name, of.path, file.text)
                return done
        raise StorageError(f"memory/{of.path} is being edited; the next pass looks at it")

    async def remove(self, of: TierOf, texts: Collection[str]) -> None:
        """Remove entries with this text from the tier, the archive and every backup.

        Raises StorageError.
        """
        await remove_texts(self.store, of, texts)

    async def undo(self) -> Undone:
        """Undo the last pass. Raises StorageError."""
        async with self.store.lock:
            return await self.backups.undo()

    async def _archive(self, of: TierOf, entries: Sequence[MemoryEntry], name: str) -> None:
        if not entries:
            return
        entries = [clean(entry) for entry in entries]

        def added(text: str) -> str:
            there = set(parse_entries(text))
            return add_entries(
                text, [entry for entry in dict.fromkeys(entries) if entry not in there]
            )

        await self.backups.keep(name, of.archive)
        file = await self.store.markdown.update(of.archive, added)
        await self.backups.changed(name, of.archive, file.text)


def _told(entry: MemoryEntry) -> tuple[object, ...]:
    """What makes an entry another one: its text and who may see it."""
    return entry.text, entry.learned, entry.trust, entry.workspace


async def remove_texts(store: MemoryStore, of: TierOf, texts: Collection[str]) -> None:
    """Remove entries with these texts from a tier, its archive and the backups of both.

    Case and spacing make no difference.
    """
    gone = frozenset(EntryWords.of(text).normal for text in texts)
    await _remove(store, of, partial(without_texts, gone=gone))


async def _remove(store: MemoryStore, of: TierOf, without: Callable[[str], str]) -> None:
    backups = Backups(store.markdown)
    for path in (of.path, of.archive):
        if await store.markdown.read(path) is not None:
            file = await store.markdown.update(path, without)
            await backups.scrub(path, without, file.text)


def _without_source(text: str, source: str) -> str:
    return format_tier(
        block for block in parse_tier(text) if block.entry is None or block.entry.source != source
    )


def without_texts(text: str, gone: frozenset[str]) -> str:
    """The file without entries of this text; everything else stays the same, byte for byte."""
    return format_tier(
        block
        for block in parse_tier(text)
        if block.entry is None or EntryWords.of(block.entry.text).normal not in gone
    )


def _if_still(before: str, after: str, text: str) -> str:
    """The new text, unless somebody changed the file meanwhile."""
    return after if text == before else text

"""The three tiers as markdown files, at the seed's paths (seed 1, "Long-Term Memory")."""

import asyncio
import re
from collections.abc import Callable

from bot.domain.memory import MemoryEntry, Tier
from bot.errors import StorageError
from bot.memory.entries import parse_entries
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

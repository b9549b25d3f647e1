"""Texts that another assistant kept, as entries of memory that stay marked as from outside."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date
from pathlib import PurePosixPath

from bot.domain.memory import MemoryEntry
from bot.domain.origins import Trust
from bot.domain.privacy import IN_DM
from bot.log import redact
from bot.memory.entries import parse_entries
from bot.workshop.moving.foreign_home import ForeignHome
from bot.workshop.moving.found import FoundHome
from bot.workshop.review.audit import AuditedText, audit_texts
from bot.workshop.review.findings import Severity, shown

ENTRY_CHARS = 2_000
ALL_CHARS = 200_000
"""All entries together; a file of memory is read up to 1 MB."""
_SEPARATOR = "\n§\n"
_SIGNIFICANCE = 2


def take_memories(home: ForeignHome, path: str) -> None:
    """Add the entries of a markdown file: bullets and paragraphs, or pieces between `§`."""
    text = home.text(path)
    if text is None:
        return
    found = home.found
    audited = audit_texts((AuditedText(shown(path), 1, text),))
    found.findings += [one for one in audited if one.severity is not Severity.INFO]
    if "§" in text:
        pieces = [piece for part in text.split(_SEPARATOR) if (piece := part.strip(" \n§"))]
        read = [MemoryEntry(piece) for piece in pieces]
    else:
        read = list(parse_entries(text))
    day = _day(path)
    entries = tuple(
        untrusted(replace(one, day=one.day or day, significance=_SIGNIFICANCE), found.rival)
        for one in _kept(found, path, read)
    )
    if entries:
        found.memories[path] = entries


def untrusted(entry: MemoryEntry, rival: str) -> MemoryEntry:
    """The entry as from outside and for its person alone, whatever its own text claims."""
    return replace(
        entry,
        trust=Trust.EXTERNAL,
        learned=IN_DM,
        source=rival,
        workspace="",
        superseded=None,
    )


def _kept(found: FoundHome, path: str, read: Iterable[MemoryEntry]) -> Iterator[MemoryEntry]:
    used = sum(len(one.text) for entries in found.memories.values() for one in entries)
    known = {one.text for entries in found.memories.values() for one in entries}
    for number, one in enumerate(read, 1):
        what = f"entry {number} of {shown(path)}"
        if one.text in known:
            continue
        if len(one.text) > ENTRY_CHARS:
            found.leave(what, f"it has more than {ENTRY_CHARS:,} characters")
        elif redact(one.text) != one.text:
            found.leave(what, "it holds what looks like a secret")
        elif used + len(one.text) > ALL_CHARS:
            found.leave(f"{shown(path)} from entry {number} on", "there is no room for so much")
            return
        else:
            used += len(one.text)
            known.add(one.text)
            yield one


def _day(path: str) -> date | None:
    """The day of a daily note, by the beginning of its name."""
    try:
        return date.fromisoformat(PurePosixPath(path).stem[:10])
    except ValueError:
        return None

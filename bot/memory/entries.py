"""The lines of a tier file: bullets with tags, read leniently and kept byte for byte.

    - [S4][2026-11-20][src:abc12345][private] first line
      a line that continues it
    - [S2][channel:discord:1001:7] learned in a private channel, whose key follows the colon
    - [S2][public:discord:1001:9] learned in a channel that was public; if it no longer is, the
      entry is for that channel
    - [S3][in:discord:1001] for the members of one workspace, in shared and agent memory
    - [S3][from:external] learned while a web page, mail or file was in the conversation
    - [S3][2026-05-02][superseded:2026-11-20] a newer entry counts in its place (in the archive)

Tags may come in any order and be missing (no tag = significance 1). A plain paragraph is an entry
of significance 1; headings, comments and rules are nobody's memory. A text that begins like a tag
is written with a backslash before it.
"""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import date

from bot.domain.memory import MemoryEntry
from bot.domain.origins import Trust
from bot.domain.places import Reach
from bot.domain.privacy import IN_DM, PUBLICLY, Learned

_BULLET_START = re.compile(r"[\ufeff \t]*[-*+][ \t]+")
_BULLET = re.compile(r"[-*+](?:[ \t]+|$)")
_TAG = re.compile(
    r"\[(?:s(?P<significance>[1-5])|(?P<day>\d{4}-\d\d-\d\d)|src:(?P<source>[^\]\s]+)"
    r"|from:(?P<trust>member|outsider|external)|(?P<private>private)|channel:(?P<channel>[^\]\s]+)"
    r"|public:(?P<public>[^\]\s]+)|in:(?P<workspace>[^\]\s]+)"
    r"|superseded:(?P<superseded>\d{4}-\d\d-\d\d))\][ \t]*",
    re.IGNORECASE | re.ASCII,
)
_NO_ENTRY = re.compile(r"#{1,6}(?:\s|$)|(?:-{3,}|\*{3,}|_{3,}|={3,}|```.*|~~~.*)\s*$")
_SOURCE = re.compile(r"[^\]\s]+")
_NO_TAG = re.compile(r"[\]\s]")
_ESCAPED = re.compile(r"\\+\[")


@dataclass(frozen=True)
class Block:
    """A piece of a tier file, unchanged; `entry` is None if it is no memory."""

    raw: str
    entry: MemoryEntry | None = None


def parse_tier(text: str) -> tuple[Block, ...]:
    """Cut a tier file into blocks; their `raw` texts joined are the file, byte for byte.

    Never fails.
    """
    lines = _lines(text)
    last_close = max((number for number, line in enumerate(lines) if "-->" in line), default=-1)
    blocks: list[Block] = []
    start = 0
    while start < len(lines):
        end = _comment_end(lines, start) if start <= last_close else None
        end = end or _block_end(lines, start)
        blocks.append(_block("".join(lines[start:end])))
        start = end
    return tuple(blocks)


def parse_entries(text: str) -> tuple[MemoryEntry, ...]:
    """The entries of a tier file in file order."""
    return tuple(block.entry for block in parse_tier(text) if block.entry is not None)


def format_tier(blocks: Iterable[Block]) -> str:
    """The file that these blocks make; the inverse of `parse_tier`."""
    return "".join(block.raw for block in blocks)


def entry_block(entry: MemoryEntry) -> Block:
    """A new or changed entry as a block of a file."""
    return Block(format_entry(entry), entry)


def weighed(block: Block, significance: int) -> Block:
    """The file with a significance tag on every bullet; all else stays the same, byte for byte."""
    match = _BULLET_START.match(block.raw)
    if block.entry is None or match is None or _says_significance(block.raw[match.end() :]):
        return block
    gap = "" if _TAG.match(block.raw, match.end()) else " "
    raw = f"{block.raw[: match.end()]}[S{significance}]{gap}{block.raw[match.end() :]}"
    return Block(raw, replace(block.entry, significance=significance))


def _says_significance(text: str) -> bool:
    seen = set[str]()
    while (match := _TAG.match(text)) and match.lastgroup not in seen:
        seen.add(match.lastgroup or "")
        text = text[match.end() :]
    return "significance" in seen


def without_entries(text: str, gone: Collection[MemoryEntry]) -> str:
    """The file without these entries; everything else stays the same, byte for byte."""
    return format_tier(
        block for block in parse_tier(text) if block.entry is None or block.entry not in gone
    )


def add_entries(text: str, entries: Iterable[MemoryEntry]) -> str:
    """The file with entries added at its end; the earlier text stays the same."""
    added = "".join(format_entry(entry) for entry in entries)
    if not added or not text or text.endswith("\n"):
        return text + added
    return f"{text}\n{added}"


def format_entry(entry: MemoryEntry) -> str:
    """The bullet of an entry, with its line feed.

    Raises ValueError for an empty text or a source with spaces.
    """
    entry = clean(entry)
    if not entry.text:
        raise ValueError("a memory entry needs a text")
    if entry.source is not None and _SOURCE.fullmatch(entry.source) is None:
        raise ValueError(
            f"{entry.source!r} can't be the source of a memory entry; it holds spaces or brackets"
        )
    tags = f"[S{entry.significance}]"
    tags += f"[{entry.day.isoformat()}]" if entry.day else ""
    tags += f"[src:{entry.source}]" if entry.source else ""
    tags += _place_tag(entry.learned)
    tags += f"[in:{entry.workspace}]" if entry.workspace else ""
    tags += f"[from:{entry.trust.name.lower()}]" if entry.trust > Trust.PERSON else ""
    tags += f"[superseded:{entry.superseded.isoformat()}]" if entry.superseded else ""
    first, *more = entry.text.split("\n")
    if _ESCAPED.match(first) or first.startswith("["):
        first = f"\\{first}"
    return "\n".join([f"- {tags} {first}", *(f"  {line}" if line else "" for line in more)]) + "\n"


def _place_tag(learned: Learned) -> str:
    match learned.reach:
        case Reach.PUBLIC:
            return f"[public:{learned.channel}]" if learned.channel else ""
        case Reach.PRIVATE:
            return f"[channel:{learned.channel}]"
        case Reach.DM:
            return "[private]"


def clean(entry: MemoryEntry) -> MemoryEntry:
    """The entry as a reader would parse it: significance 1 to 5, no trailing spaces."""
    learned = entry.learned
    # A key that no tag can express: the entry stays with its person.
    if learned.reach is not Reach.DM and not _SOURCE.fullmatch(learned.channel):
        learned = IN_DM if learned.channel or entry.private else PUBLICLY
    return replace(
        entry,
        text=_clean_text(entry.text),
        significance=min(5, max(1, entry.significance)),
        learned=learned,
        trust=max(Trust.PERSON, entry.trust),
        workspace=_NO_TAG.sub("_", entry.workspace),
    )


# --- cutting ---


def _lines(text: str) -> list[str]:
    """Lines with their line feeds; only line feeds end a line, so that every byte is preserved."""
    return re.findall(r"[^\n]*\n|[^\n]+$", text)


def _comment_end(lines: list[str], start: int) -> int | None:
    """The position after the comment that begins here; None when none begins.

    Some line from here on closes one.
    """
    if not lines[start].lstrip("\ufeff").startswith("<!--"):
        return None
    return next(number for number in range(start, len(lines)) if "-->" in lines[number]) + 1


def _block_end(lines: list[str], start: int) -> int:
    line = lines[start].strip()
    if not line or _NO_ENTRY.match(line):
        return start + 1
    return _entry_end(lines, start + 1)


def _entry_end(lines: list[str], end: int) -> int:
    """The position after an entry's further lines: direct followers, or indented after a gap."""
    position = end
    while position < len(lines):
        line = lines[position]
        position += 1
        if not line.strip():
            continue
        after_gap = position - 1 > end
        if not line.startswith(("  ", "\t")) and (after_gap or _begins_something(line.strip())):
            break
        end = position
    return end


def _begins_something(line: str) -> bool:
    return bool(_BULLET.match(line) or _NO_ENTRY.match(line) or line.startswith("<!--"))


# --- reading one block ---


def _block(raw: str) -> Block:
    text = raw.lstrip("\ufeff")
    if text.startswith("<!--") or _NO_ENTRY.match(text.strip()):
        return Block(raw)
    first, *more = text.split("\n")
    first = first.strip()
    bullet = _BULLET.match(first)
    entry = MemoryEntry("")
    if bullet is not None:
        entry, first = _tags(first[bullet.end() :].lstrip())
    body = _clean_text("\n".join([first, *(_dedent(line) for line in more)]))
    return Block(raw, replace(entry, text=body)) if body else Block(raw)


def _tags(text: str) -> tuple[MemoryEntry, str]:
    """Read the tags at the beginning of a bullet.

    An unknown or repeated tag begins the text.
    """
    entry, seen = MemoryEntry(""), set[str]()
    while match := _TAG.match(text):
        kind = match.lastgroup or ""
        found = None if kind in seen else _with_tag(entry, kind, match[kind])
        if found is None:
            break
        entry = found
        seen.add(kind)
        text = text[match.end() :]
    if _ESCAPED.match(text):
        text = text[1:]
    return entry, text


def _with_tag(entry: MemoryEntry, kind: str, value: str) -> MemoryEntry | None:
    match kind:
        case "significance":
            return replace(entry, significance=int(value))
        case "day" | "superseded":
            try:
                day = date.fromisoformat(value)
            except ValueError:
                return None
            return replace(entry, day=day) if kind == "day" else replace(entry, superseded=day)
        case "source":
            return replace(entry, source=value)
        case "workspace":
            return replace(entry, workspace=value)
        case "trust":
            return replace(entry, trust=Trust[value.upper()])
        case "public" | "channel":
            there = Learned(Reach.PUBLIC if kind == "public" else Reach.PRIVATE, value)
            nowhere = entry.learned == PUBLICLY
            return replace(entry, learned=there if nowhere else entry.learned.narrowed(there))
        case _:
            return replace(entry, learned=IN_DM)


def _dedent(line: str) -> str:
    if line.startswith("\t"):
        return line[1:]
    return line.removeprefix("  ") if line.startswith("  ") else line.lstrip(" ")


def _clean_text(text: str) -> str:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return "\n".join(line.rstrip() for line in text.split("\n")).strip()

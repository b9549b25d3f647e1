"""A transcript as plain text for a summariser: who said, called and got what, shortened.

Thinking is left out, and so are tool declarations, which are carried as state.
"""

import json
from collections.abc import Iterable, Sequence

from bot.domain.characters import one_entry
from bot.domain.origins import BELLHOP
from bot.domain.sessions import StoredBlock, TranscriptMessage
from bot.llm.plain_blocks import result_text

CAPS = (20_000, 6_000, 2_000, 600, 200)
"""Characters of one entry, tried in turn until everything fits."""

_NOTE = "note"


def fitted(head: Sequence[str], body: Sequence[str], chars: int) -> str:
    """Entries as text of about `chars` characters: cut long ones first, then drop old ones.

    `head` (an earlier summary) is never dropped, and cut only if it takes more than half of the
    room.
    """
    first = [_cut(entry, max(chars // 2 // max(len(head), 1), CAPS[-1])) for entry in head]
    left = chars - sum(len(line) + 1 for line in first)
    for cap in CAPS:
        lines = [_cut(entry, cap) for entry in body]
        if sum(len(line) + 1 for line in lines) <= left:
            return "\n".join([*first, *lines])
    kept = _newest(body, left)
    return "\n".join([*first, f"[{len(body) - len(kept)} older entries left out]", *kept])


def _newest(body: Sequence[str], left: int) -> list[str]:
    kept: list[str] = []
    for entry in reversed(body):
        line = _cut(entry, CAPS[-1])
        left -= len(line) + 1
        if left < 0:
            break
        kept.append(line)
    kept.reverse()
    return kept


def entries(messages: Iterable[TranscriptMessage]) -> list[str]:
    names: dict[str, str] = {}
    found: list[str] = []
    note = ""
    for message in messages:
        for stored in message.blocks:
            label, text = _entry(message.role, stored, names)
            if label == _NOTE:
                note, text = text, _without_known_end(text, note)
            if text.strip():
                # Indented, so that no text can pose as another entry.
                found.append(f"[{' '.join(label.split())}] " + one_entry(text.strip()))
    return found


def _without_known_end(note: str, before: str) -> str:
    """Each message's note ends with the same speaker, place and surface; keep new parts."""
    sentences, known = note.split(". "), before.split(". ")
    while len(sentences) > 1 and known and sentences[-1] == known[-1]:
        sentences.pop()
        known.pop()
    return ". ".join(sentences)


def _entry(role: str, stored: StoredBlock, names: dict[str, str]) -> tuple[str, str]:
    block = stored.block
    match block.get("type"):
        case "text":
            return _speaker(role, stored), str(block.get("text") or "")
        case "tool_use":
            names[str(block.get("id"))] = str(block.get("name"))
            arguments = json.dumps(block.get("input"), ensure_ascii=False)
            return f"you called {block.get('name')}", arguments
        case "tool_result":
            name = names.get(str(block.get("tool_use_id")), "a tool")
            return f"result of {name}", result_text(block)
        case "image" | "document" as kind:
            return _speaker(role, stored), f"({kind})"
        case _:
            return "", ""


def _speaker(role: str, stored: StoredBlock) -> str:
    if role == "assistant":
        return "you"
    return _NOTE if stored.origin == BELLHOP else stored.origin.source.replace("]", ")")


def _cut(text: str, chars: int) -> str:
    if len(text) <= chars:
        return text
    head = chars * 2 // 3
    return f"{text[:head]} [… {len(text) - chars:,} characters …] {text[-(chars - head) :]}"


def has_block(message: TranscriptMessage, kind: str) -> bool:
    return any(stored.block.get("type") == kind for stored in message.blocks)

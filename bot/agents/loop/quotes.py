"""Checks quotations in research answers against the sources: models misquote from memory."""

import re
from collections.abc import Iterator, Sequence

from bot.domain.sessions import TranscriptMessage
from bot.tools.permission.provenance import texts_of

MARK = " [not found in what was read]"
LEAST_WORDS = 4
"""Shorter ones are names and terms."""
_QUOTED = re.compile(
    r'"([^"\n]{1,2000})"|“([^”\n]{1,2000})”|„([^“”\n]{1,2000})[“”]|«([^»\n]{1,2000})»'
)
_LEFT_OUT = re.compile(r"\[\s*(?:…|\.\.\.)\s*\]|…|\.\.\.")
_LINK = re.compile(r"\[([^\]\n]*)\]\([^)\s]*\)")
_WORD = re.compile(r"[^\W_]+")


def mark_unfound(text: str, history: Sequence[TranscriptMessage]) -> str:
    """Mark each quotation in the text that is in neither a tool result nor the brief."""
    matches = [match for match in _QUOTED.finditer(text) if any(_parts(match))]
    if not matches:
        return text
    read = [_folded(said) for said in _read(history)]
    marked, end = list[str](), 0
    for match in matches:
        marked.append(text[end : match.end()])
        end = match.end()
        if not any(all(part in said for part in _parts(match)) for said in read):
            marked.append(MARK)
    return "".join(marked) + text[end:]


def _parts(match: re.Match[str]) -> list[str]:
    """The words of a quotation, split at `[…]`; none if it is too short."""
    words = next(group for group in match.groups() if group is not None)
    parts = [folded for part in _LEFT_OUT.split(words) if (folded := _folded(part).strip())]
    return [f" {part} " for part in parts] if len(" ".join(parts).split()) >= LEAST_WORDS else []


def _folded(text: str) -> str:
    """Only the words, between spaces: quotes, dashes, markdown and line breaks don't count."""
    return f" {' '.join(_WORD.findall(_LINK.sub(lambda match: match[1], text).casefold()))} "


def _read(history: Sequence[TranscriptMessage]) -> Iterator[str]:
    for message in history:
        for stored in message.blocks if message.role == "user" else ():
            yield from texts_of(stored.block)

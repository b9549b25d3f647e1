"""The two kinds of appended text: operator notes and quoted data (docs/rules.md#what-is-appended).

Notes carry operator authority, so they contain only text that Bellhop itself wrote. Everybody
else's text is quoted: inside a user message, with its origin, in a fence that it cannot close.
"""

from bot.domain.origins import BELLHOP, Origin, fenced
from bot.domain.sessions import StoredBlock, TranscriptMessage, text_block


def quote(kind: str, text: str, origin: Origin, *, private: bool = False) -> StoredBlock:
    """Fence data from `origin`.

    `kind` names the data: `messages`, `facts`, `preferences`, `file`.
    """
    return StoredBlock(text_block(fenced(kind, text, origin)), origin, private)


def system_note(text: str) -> StoredBlock:
    """An operator note inside a user message: if the provider allows no system message there."""
    return StoredBlock(text_block(f"<system-note>\n{text}\n</system-note>"), BELLHOP)


def closing_text(
    text: str, origin: Origin = BELLHOP, *, private: bool = False
) -> TranscriptMessage:
    """Stands in for a missing answer, so that the next user message follows an assistant's."""
    return TranscriptMessage("assistant", (StoredBlock(text_block(text), origin, private),))

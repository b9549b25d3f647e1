"""The two kinds of appended text: operator notes and quoted data (docs/rules.md#what-is-appended).

Notes carry operator authority, so they contain only text that Bellhop itself wrote. Everybody
else's text is quoted: inside a user message, with its origin, in a fence that it cannot close.
"""

from bot.domain.origins import BELLHOP, Origin
from bot.domain.sessions import StoredBlock, TranscriptMessage, text_block

_OPEN = "<quoted"
_CLOSE = "</quoted>"


def quote(kind: str, text: str, origin: Origin, *, private: bool = False) -> StoredBlock:
    """Fence data from `origin`.

    `kind` names the data: `messages`, `facts`, `preferences`, `file`.
    """
    fenced = f'{_OPEN} kind="{kind}" from="{_attribute(origin.source)}">\n{escape(text)}\n{_CLOSE}'
    return StoredBlock(text_block(fenced), origin, private)


def escape(text: str) -> str:
    """Keep quoted text from closing or opening a fence, or from posing as a system note."""
    for tag in ("quoted", "system-note"):
        for opening in (f"<{tag}", f"</{tag}"):
            text = _replace_ignoring_case(text, opening, opening.replace("<", "&lt;"))
    return text


def system_note(text: str) -> StoredBlock:
    """An operator note inside a user message: if the provider allows no system message there."""
    return StoredBlock(text_block(f"<system-note>\n{text}\n</system-note>"), BELLHOP)


def closing_text(
    text: str, origin: Origin = BELLHOP, *, private: bool = False
) -> TranscriptMessage:
    """Stands in for a missing answer, so that the next user message follows an assistant's."""
    return TranscriptMessage("assistant", (StoredBlock(text_block(text), origin, private),))


def _attribute(text: str) -> str:
    return (
        " ".join(text.split())
        .replace("&", "&amp;")
        .replace('"', "&quot;")
        .replace("<", "&lt;")[:120]
    )


def _replace_ignoring_case(text: str, wanted: str, replacement: str) -> str:
    lowered, start, parts = text.casefold(), 0, list[str]()
    if len(lowered) != len(text):  # a few characters fold to two; in that case fold only ASCII
        lowered = "".join(char.lower() if char.isascii() else char for char in text)
    while (found := lowered.find(wanted, start)) >= 0:
        parts += [text[start:found], replacement]
        start = found + len(wanted)
    return "".join([*parts, text[start:]])

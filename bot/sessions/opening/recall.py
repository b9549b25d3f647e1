"""The few memories that match a session's first message, shown at its opening."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from bot.agents.prompt.notes import quote
from bot.domain.characters import one_entry
from bot.domain.memory import RecallQuery
from bot.domain.origins import RECALLED, Origin, Trust
from bot.domain.sessions import StoredBlock
from bot.domain.tool_context import ToolContext
from bot.errors import StorageError
from bot.memory.finding import Memories, Remembered
from bot.memory.words import stems

log = logging.getLogger(__name__)

CHARS = 1_200
"""Characters of the block, with its fence."""
KIND = "things remembered that may fit what they ask now; remember finds more"
MOST = 5
EMBEDDER_S = 0.3
"""The time limit for embeddings: somebody waits for the first answer. Then words decide."""
_TEXT_CHARS = 300
_FITS = 0.3
"""The least share of an entry's telling words that must match: about a third."""
_NEXT_TO_BEST = 0.5


@dataclass(frozen=True)
class OpeningRecall:
    """Searches once, for the first message of a session.

    Leaves out texts that the model already sees.
    """

    memories: Memories

    async def block(
        self, context: ToolContext, text: str, known: Sequence[str]
    ) -> StoredBlock | None:
        """The quoted block, or None where nothing fits.

        `known`: texts that are already in the request.

        Text from outside is never added unasked: every later write of the session would then wait
        for a yes.
        """
        if not context.tools.describe(("remember",)):
            return None
        try:
            found = await self.memories.find(context, RecallQuery(text), EMBEDDER_S)
        except StorageError:
            log.exception("session=<%s> | opened without memories", context.session_id)
            return None
        asked = stems(text)
        fitting = [
            thing for thing in found.things if _fits(thing, known) and stems(thing.text) - asked
        ]
        if not fitting:
            return None
        best = fitting[0].score
        return _quoted([thing for thing in fitting[:MOST] if thing.score >= best * _NEXT_TO_BEST])


def _fits(thing: Remembered, known: Sequence[str]) -> bool:
    if thing.words < _FITS or thing.origin.untrusted:
        return False
    return not any(thing.text in text for text in known)


def _quoted(things: Sequence[Remembered]) -> StoredBlock | None:
    """Whole lines, best first, as many as fit."""
    origin = Origin(max((thing.origin.trust for thing in things), default=Trust.PERSON), RECALLED)
    private = any(thing.learned.private for thing in things)
    block: StoredBlock | None = None
    lines: list[str] = []
    for thing in things:
        lines.append(_line(thing))
        larger = quote(KIND, "\n".join(lines), origin, private=private)
        if len(str(larger.block["text"])) > CHARS:
            break
        block = larger
    return block


def _line(thing: Remembered) -> str:
    told = [str(thing.shown[name]) for name in ("date", "kind", "where") if thing.shown.get(name)]
    if thing.shown.get("superseded"):
        told.append("superseded")
    text = thing.text if len(thing.text) <= _TEXT_CHARS else f"{thing.text[: _TEXT_CHARS - 1]}…"
    return f"- [{', '.join(told)}] {one_entry(text)}" if told else f"- {one_entry(text)}"

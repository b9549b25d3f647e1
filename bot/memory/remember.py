"""The tool `remember`: a read-only search over everything known about a person, if shown here.

By words, by time, or both. Each thing is shown with the id by which `forget` removes it.
"""

import asyncio
import json
from collections.abc import Sequence
from typing import Annotated
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

from bot.dates.past import Period, read_past
from bot.dates.reading import Unclear
from bot.domain.characters import shortened
from bot.domain.json_types import JsonObject
from bot.domain.memory import RecallQuery
from bot.domain.origins import Origin, Trust
from bot.domain.privacy import left_out
from bot.domain.tool_context import NativeTool, ToolContext
from bot.domain.tool_outcomes import ToolResult
from bot.errors import ToolError
from bot.memory.finding import Memories, Remembered

TEXT_CHARS = 1000
"""The most characters of one entry in an answer."""
RESULT_CHARS = 12_000
"""The most characters of all entries together."""
BEST = 5
WORDS_ALONE = "found by words alone, the embedder did not answer; other words may find more"
NOTHING = (
    "nothing fits, in any form of the words, among memory, knowledge, notes and what "
    "was said with this person"
)
NOTHING_THEN = "nothing of this person was said or kept in that time"
ELSEWHERE = "; search looks at others' messages, documents and todos"
AT_ONCE = 50

Filled = Annotated[str, Field(min_length=1), WithJsonSchema({"type": "string"})]
Words = Annotated[str, Field(max_length=1000), WithJsonSchema({"type": "string"})]
Limit = Annotated[int, Field(ge=1, le=AT_ONCE), WithJsonSchema({"type": "integer"})]
"""Checked, but not declared: the schema is part of every request."""


class Remember(BaseModel):
    """Arguments of `remember`."""

    model_config = ConfigDict(extra="forbid")

    query: Filled | None = None
    since: Words | None = None
    until: Words | None = None
    limit: Limit | None = None


def remember_tool(memories: Memories) -> NativeTool[Remember]:
    """Searches all entries of the visible tiers, also those not in the prompt, and all else."""

    async def run(context: ToolContext, arguments: Remember) -> ToolResult:
        wanted = await _wanted(context, arguments)
        found = await memories.find(context, wanted)
        if not found.things and found.problems:
            raise ToolError(f"a part of the memory can't be read: {' '.join(found.problems)}")
        things, earlier = _best(found.things, wanted, arguments.limit or 0)
        note = WORDS_ALONE if found.words_alone else ""
        if not (things or found.hidden):
            none = NOTHING if wanted.query else NOTHING_THEN
            note = f"{none}; {note}" if note else none
            if context.tools.describe(("search",)):
                note += ELSEWHERE
        return _result(things, earlier, hidden=found.hidden, note=note)

    return NativeTool("remember", Remember, run)


async def _wanted(context: ToolContext, arguments: Remember) -> RecallQuery:
    """Raises ToolError for an ambiguous time."""
    since, until = [
        await _period(context, name, (words or "").strip())
        for name, words in (("since", arguments.since), ("until", arguments.until))
    ]
    wanted = RecallQuery(
        (arguments.query or "").strip(), since and since.start, until and until.end
    )
    if not wanted.query and not wanted.timed:
        raise ToolError("give words as query, a time as since and until, or both")
    if since and until and since.start >= until.end:
        raise ToolError("since is later than until")
    return wanted


async def _period(context: ToolContext, name: str, words: str) -> Period | None:
    if not words:
        return None
    period = await asyncio.to_thread(read_past, words, context.now, ZoneInfo(context.timezone))
    if isinstance(period, Unclear):
        raise ToolError(f"{name}: {period.told(words)}")
    return period


def _best(
    found: Sequence[Remembered], wanted: RecallQuery, limit: int
) -> tuple[Sequence[Remembered], int]:
    """The best matches first; for a time alone, the latest in order of time.

    Also returns the number that did not fit.
    """
    if wanted.query:
        return found[: limit or BEST], 0
    timed = sorted(found, key=lambda item: item.time)[-(limit or AT_ONCE) :]
    return timed, len(found) - len(timed)


def _result(found: Sequence[Remembered], earlier: int, *, hidden: int, note: str) -> ToolResult:
    room = min(TEXT_CHARS, RESULT_CHARS // max(1, len(found)))
    answer: list[JsonObject] = [
        {**item.shown, "text": shortened(item.text, room)} for item in found
    ]
    if earlier:
        answer.insert(0, {"not_shown": f"{earlier} earlier; ask for a shorter time"})
    if hidden:
        answer.append({"left_out": left_out(hidden)})
    if note:
        answer.append({"note": note})
    return ToolResult(
        json.dumps(answer, ensure_ascii=False),
        origin=Origin(max((item.origin.trust for item in found), default=Trust.PERSON), "memory"),
        private=any(item.learned.private for item in found),
        summary=f"remembered {len(found)} {'entry' if len(found) == 1 else 'entries'}",
    )

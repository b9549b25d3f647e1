"""What the rows of all connectors have: an id, provenance, and who may see them."""

import hashlib
import json
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Self

from bot.domain.database import Row, Unit, made_of
from bot.domain.json_types import JsonObject
from bot.domain.lasting import Lasting
from bot.domain.origins import Origin, Trust
from bot.domain.privacy import Learned
from bot.domain.tool_context import ToolContext
from bot.domain.tool_outcomes import ToolResult
from bot.errors import ToolError
from bot.storage.inserts import row_of

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_ID_LENGTHS = (6, 9, 16)


@dataclass(frozen=True)
class RecordProvenance:
    """The agent, session and conversation that made a row, and how far its text is trusted."""

    agent: str
    session: str
    conversation: str
    learned: Learned
    origin: Origin

    @classmethod
    def of(cls, context: ToolContext) -> Self:
        """The provenance of stored text: as trusted as its least trusted part, or as the person."""
        trust = max(context.origin.trust, Trust.PERSON)
        source = f"person:{context.person.id}" if trust is Trust.PERSON else context.origin.source
        origin = Origin(trust, source)
        return cls(
            context.agent, context.session_id, context.conversation.key, context.learned, origin
        )

    @classmethod
    def from_row(cls, row: Row) -> Self:
        return made_of(cls, row, learned=Learned.of(row), origin=Origin.parse(row["origin"]))

    def mixed_with(self, new: Self) -> Self:
        """The provenance of a row changed by `new`: the more private and less trusted of both."""
        origin = max(self.origin, new.origin, key=lambda origin: origin.trust)
        return replace(self, learned=self.learned.narrowed(new.learned), origin=origin)

    @property
    def columns(self) -> dict[str, str]:
        """As `from_row` reads them."""
        return row_of(self, "learned", origin=self.origin.to_text(), **vars(self.learned))


def lasting_origin(context: ToolContext, kind: Lasting, texts: Sequence[str]) -> Origin:
    """The origin of text that will be followed or done later.

    It is the person's own if they said yes to this very call, or typed all of it in this turn.
    """
    own = context.own_words
    if context.confirmed or (own is not None and own.asks_for(kind, texts)):
        return Origin(Trust.PERSON, f"person:{context.person.id}")
    return RecordProvenance.of(context).origin


def as_read_by(person: str, origin: Origin) -> Origin:
    """A stored text's origin for a reader: another person's own words are a member's."""
    if origin.trust is Trust.PERSON and origin.source != f"person:{person}":
        return Origin(Trust.MEMBER, origin.source)
    return origin


def worst(
    provenances: Iterable[RecordProvenance], source: str, *, reader: str | None = None
) -> Origin:
    """The origin of a result with these rows for this reader: the least trusted one."""
    origins = (
        item.origin if reader is None else as_read_by(reader, item.origin) for item in provenances
    )
    return Origin(max((origin.trust for origin in origins), default=Trust.OPERATOR), source)


def showing(
    rows: Sequence[RecordProvenance],
    answer: JsonObject,
    tool: str,
    *,
    unit: Unit = Unit(),
    summary: str = "",
) -> ToolResult:
    """A tool result with these rows: as untrusted and as private as the worst of them."""
    return ToolResult(
        json.dumps(answer, ensure_ascii=False),
        origin=worst(rows, f"tool:{tool}"),
        private=any(row.learned.private for row in rows),
        unit=unit,
        summary=summary,
    )


async def new_id(context: ToolContext, taken: Callable[[str], Awaitable[bool]]) -> str:
    """A short id derived from the call: two calls differ, a repeated call has the same id."""
    seed = "\0".join((context.session_id, context.cycle_id, context.call.key))
    number = int.from_bytes(hashlib.sha256(seed.encode("utf-8", "replace")).digest()[:16])
    letters = ""
    while len(letters) < _ID_LENGTHS[-1]:
        number, rest = divmod(number, len(_ALPHABET))
        letters += _ALPHABET[rest]
    for length in _ID_LENGTHS:
        if not await taken(letters[:length]):
            return letters[:length]
    raise ToolError("this call was carried out before; list what there is instead of repeating it")


def one_line(text: str, field: str, limit: int) -> str:
    """The text with runs of white space joined.

    Raises ToolError when it is longer than `limit` characters.
    """
    return within(" ".join(text.split()), field, limit)


def within(text: str, field: str, limit: int) -> str:
    """The unchanged text. Raises ToolError when it is longer than `limit` characters."""
    if len(text) > limit:
        raise ToolError(f"{field} has {len(text)} characters, the limit is {limit}; shorten it")
    return text


def elsewhere(context: ToolContext, **tools: str) -> str:
    """What else could be tried, as `; words: tool`, of tools that exist for this person here.

    By tool, the words that lead to it.
    """
    there = [
        f"; {words}: {name}" for name, words in tools.items() if context.tools.describe((name,))
    ]
    return "".join(there)

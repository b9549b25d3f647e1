"""Lines of one document, for `search` with the path of a document in `in`."""

import asyncio
import json
from collections.abc import Iterable, Iterator

from bot.clock import parse_utc
from bot.domain.database import Database
from bot.domain.origins import Origin
from bot.domain.search import EntityType, Hit, SearchHits, SearchQuery
from bot.domain.tool_context import ToolContext
from bot.errors import ToolError
from bot.files.paths import normalise
from bot.files.store import FileRows, Owner, learned_of
from bot.files.words_store import pieces_with
from bot.storage.stems import INDEXED_CHARS, StemmedQuery

PIECES = 2_000
"""Parts of all documents that are looked through for each word."""
LINE_CHARS = 400
_AROUND = 120
"""Characters of a longer line before the place that was found."""


async def lines_of(database: Database, context: ToolContext, wanted: SearchQuery) -> SearchHits:
    """The lines of the document `wanted.place` that hold most of the words, in their order.

    Raises ToolError when this person has no such document that may be shown here.
    """
    path, owner = normalise(wanted.place), Owner("person", context.person.id)
    row = await FileRows(database).read(owner, path)
    if row is None or not context.viewer.sees(context.person.id, learned_of(row)):
        raise ToolError(f"there is no document {path} here; list_directory shows what there is")
    words = StemmedQuery.of(wanted.query)
    begins: set[int] = set()
    for word in words.groups:
        found = await pieces_with(database, owner, word, PIECES)
        begins |= {at for of, at in found if of == path}
    text, phrase = str(row["text"]), wanted.query.strip()
    best = await asyncio.to_thread(_best, text, phrase, words, begins, wanted.limit)
    origin, at = Origin.from_json(json.loads(row["origin"])), parse_utc(row["updated_at"])
    private = learned_of(row).private
    hits = [
        Hit(EntityType.DOCUMENT, path, f"line {number}", line, origin, at, private=private)
        for number, line in best
    ]
    count = text.count("\n") + 1
    return SearchHits(hits, notes=() if hits else (f"none of its {count:,} lines has these words",))


def _best(
    text: str, phrase: str, words: StemmedQuery, begins: Iterable[int], most: int
) -> list[tuple[int, str]]:
    """Number and text of the best lines; those with the whole phrase come first."""
    scores: dict[tuple[int, int], int] = {}
    for span in _spans(text, begins):
        if score := words.found_in(text[span[0] : span[1]]):
            scores[span] = score
    for span in _with_phrase(text, phrase, most):
        scores[span] = scores.get(span, 0) + len(words.forms) + 1
    best = sorted(scores, key=lambda span: (-scores[span], span))[:most]
    return [
        (text.count("\n", 0, begin) + 1, _shown(text[begin:end], words, phrase))
        for begin, end in sorted(best)
    ]


def _spans(text: str, begins: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Begin and end of each line in the parts of a text that begin there."""
    for at in begins:
        begin, last = text.rfind("\n", 0, at) + 1, min(len(text), at + INDEXED_CHARS)
        while begin < last:
            end = text.find("\n", begin)
            end = len(text) if end < 0 else end
            yield begin, end
            begin = end + 1


def _with_phrase(text: str, phrase: str, most: int) -> Iterator[tuple[int, int]]:
    """The lines that hold the query as it is written, in upper or lower case."""
    folded, phrase, at = text.lower(), phrase.lower(), 0
    if not phrase or len(folded) != len(text):
        return
    for _ in range(most):
        at = folded.find(phrase, at)
        if at < 0:
            return
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        yield text.rfind("\n", 0, at) + 1, end
        at = end


def _shown(line: str, words: StemmedQuery, phrase: str) -> str:
    if len(line) <= LINE_CHARS:
        return line.strip()
    spot = max(line.lower().find(phrase.lower()), 0) or words.spot(line)
    begin = max(0, min(spot - _AROUND, len(line) - LINE_CHARS))
    return ("…" if begin else "") + line[begin : begin + LINE_CHARS].strip() + "…"

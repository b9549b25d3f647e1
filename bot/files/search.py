"""Documents for the tool `search`: the person's own, by path and content.

With the path of one in `in`, its lines. Words are indexed in the background, piece by piece, and
after a restart where it stopped.
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from bot.clock import parse_utc
from bot.domain.clock import Clock
from bot.domain.database import Database, Row
from bot.domain.origins import Origin
from bot.domain.privacy import Learned
from bot.domain.search import EntityType, Hit, SearchHits, SearchQuery
from bot.domain.tool_context import ToolContext
from bot.errors import ToolError
from bot.files.paths import normalise
from bot.files.store import FileRows, Owner
from bot.files.words_store import (
    DocumentPart,
    UnreadDocument,
    next_unread,
    pieces_unit,
    pieces_with,
    unread_documents,
)
from bot.storage.stems import INDEXED_CHARS, StemmedQuery, indexed

AT_ONCE = 8
"""Pieces per unit, so that running turns never wait long behind it."""
_EVERY_S = 30.0
_PAUSE_S = 0.2
"""Seconds between two units of a backlog."""
_BEFORE_SEARCH = 6
"""Units that are indexed before a search, so that it finds new texts."""
_OVERLAP = 80
"""Characters that two pieces share, so that no word is cut in both."""
STEP = INDEXED_CHARS - _OVERLAP


class DocumentIndex:
    """Indexes documents after they are written, so that writing stays fast.

    Triggers delete the words of a changed or deleted document in the same unit.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._reading = asyncio.Lock()

    async def run(self) -> None:
        """Index new texts every half minute, until cancelled. Raises StorageError."""
        while True:
            await self._clock.sleep(_PAUSE_S if await self.read_on() else _EVERY_S)

    async def read_on(self) -> bool:
        """Read the words of a part of a document; False when all is read. Raises StorageError."""
        async with self._reading:
            unread = await next_unread(self._database, AT_ONCE * STEP + _OVERLAP)
            if unread is None:
                return False
            pieces = await asyncio.to_thread(_pieces, unread)
            ends = len(unread.text) <= AT_ONCE * STEP
            reached = None if ends else unread.reached + AT_ONCE * STEP
            await self._database.write(pieces_unit(unread, pieces, reached))
            return True

    async def before_search(self) -> None:
        """Index new texts, up to a limit. Raises StorageError."""
        for _ in range(_BEFORE_SEARCH):
            if not await self.read_on():
                return


def _pieces(unread: UnreadDocument) -> list[DocumentPart]:
    ends = min(len(unread.text), AT_ONCE * STEP)
    return [
        DocumentPart(unread.reached + at, indexed(unread.text[at : at + INDEXED_CHARS]))
        for at in range(0, max(1, ends), STEP)
    ]


FOLDER = "/documents"
LOOKED_THROUGH = 200
"""The whole query is searched in this many of the last changed documents."""
_PIECES = 2_000
"""Parts of documents that are searched for each word."""
SNIPPET_CHARS = 240
_LINE_CHARS = 400
_AROUND = 120
"""Characters of a longer line before the place that was found."""


class DocumentSearch:
    """Implements `SearchSource` over /documents."""

    finds = EntityType.DOCUMENT
    found_with = "read_file"

    def __init__(self, database: Database, index: DocumentIndex) -> None:
        self._database = database
        self._index = index
        self._rows = FileRows(database)

    async def find(self, context: ToolContext, wanted: SearchQuery) -> SearchHits:
        """Those that hold most of the words. Raises StorageError."""
        if wanted.is_about_chat and not wanted.document:
            return SearchHits()
        await self._index.before_search()
        if wanted.document:
            return await _lines_of(self._database, context, wanted)
        owner, words = Owner("person", context.person.id), StemmedQuery.of(wanted.query)
        holds = await self._holding(owner, words)
        phrase = wanted.query.strip() or "\0"
        rows = {
            row["path"]: row
            for row in await self._rows.newest(owner, FOLDER, phrase, LOOKED_THROUGH)
        }
        further = [path for path in holds if path not in rows]
        rows |= {row["path"]: row for row in await self._rows.among(owner, further, phrase)}
        scored = [
            (
                2 * len(words.groups) * bool(row["spot"])
                + len(holds[path].words)
                + words.found_in(path),
                row,
            )
            for path, row in rows.items()
            if wanted.covers(parse_utc(row["updated_at"]))
            and context.viewer.sees(context.person.id, Learned.of(row))
        ]
        best = [
            row
            for score, row in sorted(scored, key=lambda one: -one[0])
            if score or not wanted.query
        ]
        hits = [
            await self._hit(owner, row, words, holds[row["path"]]) for row in best[: wanted.limit]
        ]
        unread = await unread_documents(self._database, owner)
        note = (
            f"documents that are still being read in: {unread}; search again later for all their "
            "words"
        )
        return SearchHits(hits, notes=(note,) if unread else ())

    async def _holding(self, owner: Owner, words: StemmedQuery) -> defaultdict[str, "_Holds"]:
        """By path, which of the words a document holds, and where."""
        holds = defaultdict[str, _Holds](_Holds)
        for word in words.groups:
            for path, begins in await pieces_with(self._database, owner, word, _PIECES):
                holds[path].words.add(word)
                holds[path].pieces[begins] += 1
        return holds

    async def _hit(self, owner: Owner, row: Row, words: StemmedQuery, holds: "_Holds") -> Hit:
        spot = row["spot"] or await self._spot(owner, row["path"], words, holds)
        part = await self._rows.part(
            owner, row["path"], max(1, spot - SNIPPET_CHARS // 4), SNIPPET_CHARS
        )
        return Hit(
            EntityType.DOCUMENT,
            row["path"],
            "",
            " ".join(part.split()),
            Origin.parse(row["origin"]),
            parse_utc(row["updated_at"]),
            private=Learned.of(row).private,
        )

    async def _spot(self, owner: Owner, path: str, words: StemmedQuery, holds: "_Holds") -> int:
        """Where (from 1) the first of the words stands, in the part that holds most of them."""
        if not holds.pieces:
            return 1
        begins = max(holds.pieces, key=lambda one: (holds.pieces[one], -one))
        piece = await self._rows.part(owner, path, begins + 1, INDEXED_CHARS)
        return begins + 1 + words.spot(piece)


@dataclass
class _Holds:
    """Which words a document holds, and how many of them each of its parts, by where it begins."""

    words: set[str] = field(default_factory=set[str])
    pieces: Counter[int] = field(default_factory=Counter[int])


"""Parts of all documents that are looked through for each word."""


async def _lines_of(database: Database, context: ToolContext, wanted: SearchQuery) -> SearchHits:
    """The lines of the document `wanted.place` that hold most of the words, in their order.

    Raises ToolError when this person has no such document that may be shown here.
    """
    path, owner = normalise(wanted.place), Owner("person", context.person.id)
    row = await FileRows(database).read(owner, path)
    if row is None or not context.viewer.sees(context.person.id, Learned.of(row)):
        raise ToolError(f"there is no document {path} here; list_directory shows what there is")
    words = StemmedQuery.of(wanted.query)
    begins: set[int] = set()
    for word in words.groups:
        found = await pieces_with(database, owner, word, _PIECES)
        begins |= {at for of, at in found if of == path}
    text, phrase = str(row["text"]), wanted.query.strip()
    best = await asyncio.to_thread(_best, text, phrase, words, begins, wanted.limit)
    origin, at = Origin.parse(row["origin"]), parse_utc(row["updated_at"])
    private = Learned.of(row).private
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
    if len(line) <= _LINE_CHARS:
        return line.strip()
    spot = max(line.lower().find(phrase.lower()), 0) or words.spot(line)
    begin = max(0, min(spot - _AROUND, len(line) - _LINE_CHARS))
    return ("…" if begin else "") + line[begin : begin + _LINE_CHARS].strip() + "…"

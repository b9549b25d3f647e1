"""Finds the rows of a person that hold certain words, and forgets them.

It reads all rows of the person: no index knows where words stand inside records of work. Texts are
compared in a thread. Each batch is one unit, and everything may be interrupted and repeated.
"""

import asyncio
import hashlib
import json
import re
from collections import Counter
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.domain.database import Database, Row, Unit, Write
from bot.domain.person_tables import PersonTable
from bot.domain.sessions import SessionKey
from bot.storage.forgetting.holdings import HOLDINGS, Holding, holdings_of
from bot.storage.forgetting.sought import FORGOTTEN, Sought

_AT_ONCE = 20
"""How many things one unit forgets, so that running turns never wait behind it."""
_NAMED = re.compile(r":(person|pattern|sessions|turns)\b")
_IDS_AT_ONCE = 50
"""Of how many turns or sessions the rows are looked for together."""
_SETTLED = (
    "SELECT id, session FROM inbox WHERE settled_at IS NOT NULL AND instr(session, ?) > 0"
    " ORDER BY id"
)
_OPEN = (
    "SELECT id, session, body FROM inbox WHERE settled_at IS NULL AND instr(session, ?) > 0"
    " ORDER BY id"
)
_OPEN_STEPS = "SELECT value FROM steps WHERE turn = ? ORDER BY key"


@dataclass(frozen=True)
class Whose:
    """A person, and what their rows are found by."""

    person: str
    sessions: tuple[str, ...]
    """The ids of all their sessions."""

    @property
    def pattern(self) -> str:
        """A part of each key of their sessions; few keys of others have it, too."""
        return str(SessionKey("", "", "", self.person))[2:]

    def has(self, session: str) -> bool:
        """Whether the key of a session is theirs."""
        try:
            return SessionKey.parse(session).person == self.person
        except ValueError:
            return False

    def bound(self, condition: str, ids: Sequence[Any]) -> tuple[str, tuple[Any, ...]]:
        """A condition of a holding with its parameters in the order of their marks."""
        given = json.dumps(ids)
        values = {
            "person": self.person,
            "pattern": self.pattern,
            "sessions": given,
            "turns": given,
        }
        names = _NAMED.findall(condition)
        return _NAMED.sub("?", condition), tuple(values[name] for name in names)


@dataclass(frozen=True)
class HoldingTurn:
    """Work under way that holds the words."""

    id: int
    session: str


@dataclass
class Swept:
    """What was found, or forgotten, by kind; and the cycles among it, whose traces may be out."""

    counts: Counter[str] = field(default_factory=Counter[str])
    cycles: list[str] = field(default_factory=list[str])
    blobs: set[str] = field(default_factory=set[str])
    """Names of the files that came with forgotten requests."""


@dataclass(frozen=True)
class _Meant:
    """The rows of one holding that hold the words."""

    by: frozenset[tuple[Any, ...]]
    cut: tuple[tuple[Row, str], ...] = ()
    """Rows that only lose lines, with their new text."""


class ForgettingRows:
    """The rows of one person that hold some words. Raises StorageError."""

    def __init__(
        self,
        database: Database,
        whose: Whose,
        sought: Sought,
        more: Sequence[PersonTable] = (),
    ) -> None:
        """`more`: tables of plug-ins."""
        self._database, self._whose, self._sought = database, whose, sought
        self._holdings = (*HOLDINGS, *(held for one in more for held in holdings_of(one)))

    async def count(self) -> Swept:
        """What `forget` would remove now."""
        return await self._sweep(remove=False)

    async def forget(self) -> Swept:
        """Forget all that is settled; see `open_turns` for what still runs."""
        return await self._sweep(remove=True)

    async def open_turns(self, besides: int = 0) -> list[HoldingTurn]:
        """Unsettled work of theirs that holds the words, except the turn `besides`."""
        found: list[HoldingTurn] = []
        for row in await self._database.read(_OPEN, (self._whose.pattern,)):
            if row["id"] == besides or not self._whose.has(row["session"]):
                continue
            steps = await self._database.read(_OPEN_STEPS, (row["id"],))
            texts = [row["body"], *(step["value"] or "" for step in steps)]
            if any(await asyncio.to_thread(self._named, texts)):
                found.append(HoldingTurn(row["id"], row["session"]))
        return found

    async def open_sessions(self) -> list[str]:
        """Ids of their open sessions that hold the words."""
        rows = await self._database.read(
            "SELECT id, system, tools, unlocked, active_skills, untold_facts FROM sessions"
            " WHERE state = 'open' AND id IN (SELECT value FROM json_each(?))",
            (json.dumps(self._whose.sessions),),
        )
        found: list[str] = []
        for row in rows:
            told = await self._database.read(
                "SELECT message FROM transcript WHERE session_id = ?"
                " UNION ALL SELECT fact FROM known_facts WHERE session_id = ?",
                (row["id"], row["id"]),
            )
            texts = [*map(str, list(row.values())[1:]), *(one["message"] for one in told)]
            if any(await asyncio.to_thread(self._named, texts)):
                found.append(row["id"])
        return found

    async def _sweep(self, *, remove: bool) -> Swept:
        swept = Swept()
        found: dict[str, set[tuple[Any, ...]]] = {}
        settled = await self._database.read(_SETTLED, (self._whose.pattern,))
        turns = [int(row["id"]) for row in settled if self._whose.has(row["session"])]
        for holding in self._holdings:
            async for rows in self._pages(holding, turns):
                meant = await asyncio.to_thread(self._meant, holding, rows)
                await self._note_blobs(holding, meant, swept)
                if remove:
                    await self._forget(holding, meant)
                seen = found.setdefault(holding.kind, set())
                seen |= meant.by
                seen |= {tuple(row[key] for key in holding.key) for row, _ in meant.cut}
                if holding.by == ("cycle_id",):
                    swept.cycles += sorted({str(one) for (one,) in meant.by} - {*swept.cycles})
        swept.counts.update({kind: len(things) for kind, things in found.items() if things})
        return swept

    async def _pages(self, holding: Holding, turns: Sequence[int]) -> AsyncGenerator[list[Row]]:
        match holding.among:
            case "turns":
                ids: Sequence[Any] = turns
            case "sessions":
                ids = self._whose.sessions
            case "":
                ids = ("",)
        for start in range(0, len(ids), _IDS_AT_ONCE):
            async for rows in self._some(holding, ids[start : start + _IDS_AT_ONCE]):
                yield rows

    async def _some(self, holding: Holding, ids: Sequence[Any]) -> AsyncGenerator[list[Row]]:
        """The rows of some turns or sessions, page by page in the order of their key."""
        wanted = dict.fromkeys((*holding.key, *holding.by, *holding.texts))
        columns = ", ".join(wanted)
        session = f", {holding.session} AS whose_session" if holding.session else ""
        where, params = self._whose.bound(holding.owned, ids)
        key = ", ".join(holding.key)
        marks = ", ".join("?" * len(holding.key))
        after: tuple[Any, ...] | None = None
        while True:
            further = f" AND ({key}) > ({marks})" if after is not None else ""
            rows = await self._database.read(
                f"SELECT {columns}{session} FROM {holding.table} WHERE {where}{further}"  # noqa: S608 - names of the schema
                f" ORDER BY {key} LIMIT {holding.at_once}",
                (*params, *(after or ())),
            )
            if rows:
                yield [
                    row
                    for row in rows
                    if not holding.session or self._whose.has(row["whose_session"] or "")
                ]
                after = tuple(rows[-1][column] for column in holding.key)
            if len(rows) < holding.at_once:
                return

    # --- in a thread ---

    def _named(self, texts: Sequence[str]) -> list[bool]:
        return [self._sought.names(text) for text in texts]

    def _meant(self, holding: Holding, rows: Sequence[Row]) -> _Meant:
        by: set[tuple[Any, ...]] = set()
        cut: list[tuple[Row, str]] = []
        for row in rows:
            if not self._sought.names(" \n".join(str(row[one] or "") for one in holding.texts)):
                continue
            rest = self._without(row) if holding.cuts else None
            if rest is None:
                by.add(tuple(row[column] for column in holding.by))
            else:
                cut.append((row, rest))
        return _Meant(frozenset(by), tuple(cut))

    def _without(self, row: Row) -> str | None:
        """A file without the lines; None where it goes whole."""
        if self._sought.touches(row["path"]) or str(row["path"]).startswith("/custom-skills/"):
            return None
        rest = self._sought.cut(row["text"])
        return rest if rest.replace(FORGOTTEN, "").strip() else None

    # --- writing ---

    async def _note_blobs(self, holding: Holding, meant: _Meant, swept: Swept) -> None:
        if holding.by != ("turn",) and holding.table != "inbox":
            return
        turns = json.dumps([turn for (turn,) in meant.by])
        for row in await self._database.read(
            "SELECT blob FROM attachments WHERE turn IN"
            " (SELECT CAST(value AS BIGINT) FROM json_each(?))",
            (turns,),
        ):
            swept.blobs.add(str(row["blob"]))

    async def _forget(self, holding: Holding, meant: _Meant) -> None:
        things = sorted(meant.by, key=str)
        for start in range(0, len(things), _AT_ONCE):
            some = things[start : start + _AT_ONCE]
            writes = tuple(Write(sql, thing) for thing in some for sql in holding.does)
            await self._database.write(Unit(writes))
        for row, rest in meant.cut:
            version = hashlib.sha256(rest.encode("utf-8", "replace")).hexdigest()[:32]
            await self._database.write(Unit.of(_put_back(row, rest, version)))


def _put_back(row: Row, text: str, version: str) -> Write:
    """A file that was written meanwhile stays; the next pass looks at it."""
    return Write(
        "UPDATE virtual_files SET text = ?, version = ? WHERE owner_kind = ? AND owner = ?"
        " AND path = ? AND text = ?",
        (text, version, row["owner_kind"], row["owner"], row["path"], row["text"]),
    )

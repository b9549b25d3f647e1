"""Forgetting everywhere: a wish with a yes, done to its end, also over crashes.

Every step may be repeated. The wish is stored before the first of them, and keeps its words until
no row holds them any more; then the files of the database are written anew.
"""

import asyncio
import logging
import secrets
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path

from bot.domain.access import Person, Role
from bot.domain.clock import Clock
from bot.domain.database import Database, RewritableDatabase, Unit
from bot.domain.languages import Phrase
from bot.domain.memory import KeepsFiles, Tier
from bot.domain.person_tables import PersonTable
from bot.domain.places import AT_TERMINAL
from bot.domain.privacy import Viewer
from bot.errors import StorageError
from bot.files.projects.folders import person_folder as project_folder
from bot.memory.editing import TierOf
from bot.memory.summaries.log import SummaryLog
from bot.memory.tiers import ARCHIVE, BACKUPS, file_name, identifier_of
from bot.sessions.opening.attachment_store import needed_blobs
from bot.sessions.records.past_session_store import sessions_of
from bot.sessions.records.session_store import end_write
from bot.sessions.reports import forgetting_store as store
from bot.sessions.reports.forgetting_store import ForgettingState, ForgettingWish
from bot.sessions.reports.kept_things import KeptThing, KeptThings
from bot.storage.forgetting.files import ForgettingFiles, SweptFiles
from bot.storage.forgetting.rows import ForgettingRows, Whose
from bot.storage.forgetting.sought import Sought
from bot.storage.plugin_tables import plugins_off
from bot.turns.engine import TurnEngine

log = logging.getLogger(__name__)

WAITS = timedelta(minutes=30)
"""How long a shown wish waits for its yes."""
EVERY = timedelta(minutes=5)
_PAGES = "freed pages in the database's files, until they are written anew"
_LINES = "_conversations.jsonl"


@dataclass(frozen=True)
class Erased:
    """What was removed, or would be, and what holds the words still."""

    counts: Counter[str] = field(default_factory=Counter[str])
    cycles: tuple[str, ...] = ()
    """Ids of the cycles among it; empty where no traces were sent anywhere."""
    turns: int = 0
    """Requests under way that hold them: they are stopped."""
    sessions: int = 0
    """Open conversations that hold them: they are ended."""
    remains: tuple[str, ...] = ()
    unseen: tuple[str, ...] = ()
    """The plug-ins that are off: nobody knows whose the rows of their tables are."""
    finished: bool = False

    def __bool__(self) -> bool:
        return bool(self.counts or self.turns or self.sessions)


@dataclass(eq=False)
class Forgetting:
    """Shows, begins and finishes wishes. Raises StorageError."""

    database: Database
    clock: Clock
    engine: TurnEngine
    kept: KeptThings
    home: Path
    keepers: Sequence[KeepsFiles] = ()
    tables: Sequence[PersonTable] = ()
    """Tables of plug-ins with rows of people."""
    plugins: Collection[str] = ()
    """The names of the plug-ins that are on."""
    _alone: asyncio.Lock = field(default_factory=asyncio.Lock)
    """One wish is done at a time."""

    @property
    def called(self) -> dict[str, Phrase]:
        """What rows of plug-ins are called in each language, by the English name."""
        return {one.many: one.called.many for one in self.tables if one.called is not None}

    # --- asking, and the yes ---

    async def ask(self, person: str, words: str, besides: int = 0) -> tuple[str, Erased]:
        """Store a wish, and return its reference and what it would remove.

        `besides` is the turn that asks.
        """
        found = await self.look(person, words, besides)
        if not found:
            return "", found
        wish = ForgettingWish(f"w{secrets.token_hex(3)}", person, words, ForgettingState.ASKED)
        now = self.clock.now()
        await self.database.write(Unit.of(store.unasked_write(person), store.ask_write(wish, now)))
        return wish.ref, found

    async def begin(self, person: str, ref: str, besides: int = 0) -> Erased | None:
        """Do what they said yes to; None when nothing waits for it.

        `besides` is the turn that says so.
        """
        since = self.clock.now() - WAITS
        begun = await self.database.write(Unit.of(store.begin_write(ref, person, since)))
        return await self._do(ref, besides) if begun.returned[0] else None

    async def at_work(self, person: str) -> int:
        """How many of their wishes are not finished."""
        wishes = await store.wishes_at_work(self.database)
        return sum(wish.person == person for wish in wishes)

    async def run(self) -> None:
        """Go on at the start and every five minutes, until cancelled. Raises StorageError."""
        while True:
            await self.go_on()
            await self.clock.sleep(EVERY.total_seconds())

    async def go_on(self) -> None:
        """Continue wishes that a running request or a crash left unfinished; drop unanswered ones.

        A wish that fails is logged and tried again with the next call.
        """
        await self.database.write(Unit.of(store.expired_write(self.clock.now() - WAITS)))
        for wish in await store.wishes_at_work(self.database):
            try:
                await self._do(wish.ref)
            except (StorageError, OSError) as error:
                log.error("wish=<%s>, error=<%s> | not forgotten yet", wish.ref, error)  # noqa: TRY400 - tried again

    # --- doing it ---

    async def look(self, person: str, words: str, besides: int = 0) -> Erased:
        """What holds all of these words now."""
        sought = Sought.of(words)
        rows = await self._rows(person, sought)
        swept = await rows.count()
        files = await self._files(person, sought, swept.blobs, remove=False)
        turns, sessions = await rows.open_turns(besides), await rows.open_sessions()
        entries = await self._entries(person, sought)
        if entries:
            files.counts.pop("memory files", None)
        shared = [one for ones in (await self._shared(person, sought)).values() for one in ones]
        return Erased(
            swept.counts + files.counts + _of_memory(len(entries), len(shared)),
            await self._sent(swept.cycles),
            len(turns),
            len(sessions),
            tuple(files.remains),
            await plugins_off(self.database, self.plugins),
        )

    async def _do(self, ref: str, besides: int = 0) -> Erased:
        async with self._alone:
            wish = await store.wish_of(self.database, ref)
            if wish is None:  # done while this waited
                return Erased(finished=True)
            done, left = Erased(), 0
            if wish.state is not ForgettingState.REWRITING:
                done, left = await self._erase(wish.person, Sought.of(wish.words), besides)
            if left:
                return done
            await self.database.write(
                Unit.of(store.rewriting_write(wish.ref), store.unasked_write(wish.person))
            )
            try:
                more = await self._rewrite()
            except StorageError as error:
                log.warning("wish=<%s>, error=<%s> | files not written anew yet", wish.ref, error)
                return replace(done, remains=(*done.remains, _PAGES))
            await self.database.write(Unit.of(store.done_write(wish.ref)))
            log.info("wish=<%s>, things=<%d> | forgotten", wish.ref, done.counts.total())
            return replace(done, remains=(*done.remains, *more), finished=True)

    async def _erase(self, person: str, sought: Sought, besides: int) -> tuple[Erased, int]:
        """One pass over everything; also how many requests still hold the words."""
        rows = await self._rows(person, sought)
        turns = await rows.open_turns(besides)
        for turn in turns:
            await self.engine.stop_turn(turn.session, [turn.id])
        sessions, now = await rows.open_sessions(), self.clock.now()
        for session in sessions:
            await self.database.write(Unit.of(end_write(session, "forgotten", now)))
        learned = await self._unlearn(person, sought)
        swept = await rows.forget()
        files = await self._files(person, sought, swept.blobs, remove=True)
        lines = await self._lines(person, sought)
        erased = Erased(
            learned + swept.counts + files.counts + lines,
            await self._sent(swept.cycles),
            len(turns),
            len(sessions),
            tuple(files.remains),
            await plugins_off(self.database, self.plugins),
        )
        return erased, len(await rows.open_turns(besides))

    async def _unlearn(self, person: str, sought: Sought) -> Counter[str]:
        """Entries of tiers, with archive and backups; nothing more is learned of it."""
        viewer = Viewer.at(AT_TERMINAL, Person(person, person, Role.GUEST))
        async with self.kept.tiers.store.lock:
            await self.kept.leave_unlearned(viewer, sought.names)
            chosen = await self._entries(person, sought)
            await self.kept.remove(person, await self.kept.of(person), chosen)
            shared = await self._shared(person, sought)
            for tier, texts in shared.items():
                await self.kept.tiers.remove(tier, texts)
        return _of_memory(len(chosen), sum(map(len, shared.values())))

    async def _entries(self, person: str, sought: Sought) -> list[KeptThing]:
        return [
            one
            for one in await self.kept.of(person)
            if one.kind in {"entry", "archived"} and sought.names(one.text)
        ]

    async def _shared(self, person: str, sought: Sought) -> dict[TierOf, list[str]]:
        """Entries of everybody's memory that were learned from this person alone, by their tier."""
        ids, memory = await store.summaries_by(self.database, person), self.kept.tiers.store
        tiers = [TierOf(Tier.AGENT, agent, person) for agent in await memory.agents()]
        found: dict[TierOf, list[str]] = {}
        for of in (TierOf(Tier.SHARED, "", person), *tiers):
            where = {"agent": of.agent, "person_id": person}
            entries = (
                *await memory.entries(of.tier, **where),
                *await memory.archived(of.tier, **where),
            )
            texts = [one.text for one in entries if one.source in ids and sought.names(one.text)]
            if texts:
                found[of] = texts
        return found

    async def _lines(self, person: str, sought: Sought) -> Counter[str]:
        """The lines of their summaries in memory/<agent>_conversations.jsonl."""
        names = await asyncio.to_thread(_agents_with_lines, self.home / "memory")
        memory = self.kept.tiers.store.markdown
        lines = SummaryLog(memory.root, memory.lock)
        gone = [await lines.forget(agent, person, sought.names) for agent in names]
        return Counter({"lines of conversations.jsonl": sum(gone)} if any(gone) else {})

    async def _files(
        self, person: str, sought: Sought, blobs: Collection[str], *, remove: bool
    ) -> SweptFiles:
        needed = await needed_blobs(self.database)
        unswept = [folder for one in self.keepers for folder in one.folders_of(person)]
        files = await asyncio.to_thread(_files_of, self.home, person, sought, unswept)
        try:
            return await asyncio.to_thread(files.sweep, blobs, needed, remove=remove)
        except OSError as error:
            raise StorageError(
                f"{error.filename or self.home} can't be rid of words: {error.strerror or error}"
            ) from error

    async def _rows(self, person: str, sought: Sought) -> ForgettingRows:
        sessions = [session.id for session, _ in await sessions_of(self.database, person)]
        return ForgettingRows(self.database, Whose(person, tuple(sessions)), sought, self.tables)

    async def _sent(self, cycles: Sequence[str]) -> tuple[str, ...]:
        sent = bool(cycles) and await store.traces_are_sent(self.database)
        return tuple(cycles) if sent else ()

    async def _rewrite(self) -> tuple[str, ...]:
        if not isinstance(self.database, RewritableDatabase):
            raise StorageError("this database can't be written anew")
        return await self.database.rewrite()


def _of_memory(own: int, shared: int) -> Counter[str]:
    return +Counter({"entries of memory": own, "entries of everybody's memory": shared})


def _agents_with_lines(memory: Path) -> list[str]:
    return sorted(identifier_of(one.name.removesuffix(_LINES)) for one in memory.glob(f"*{_LINES}"))


def _files_of(home: Path, person: str, sought: Sought, unswept: Sequence[Path]) -> ForgettingFiles:
    """Where files of one person lie in a home."""
    memory, data, name = home / "memory", home / "data", file_name(person)
    passes = memory / BACKUPS
    kept = sorted(passes.iterdir()) if passes.is_dir() else []
    roots = [memory, memory / ARCHIVE, *kept, *(one / ARCHIVE for one in kept)]
    return ForgettingFiles(
        home,
        tuple(root / name for root in roots),
        data / "workspaces" / project_folder(person),
        unswept,
        sought,
    )

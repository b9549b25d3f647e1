"""`/undo`: a person's own changes of the last hour, and taking them back."""

from collections.abc import Callable

from bot.domain.clock import Clock
from bot.domain.database import Database
from bot.domain.privacy import left_out
from bot.errors import UnitRejected
from bot.sessions.commands.asked import Asked, BuiltIn
from bot.sessions.commands.completing import words
from bot.tools.running import undo_store
from bot.tools.running.undo_store import Change, UndoableRows

UNDO_USAGE = "[NUMBER|all]"
NAME_CHARS = 80


class UndoCommand:
    """Takes back what tools changed for a person, without a model."""

    def __init__(self, database: Database, clock: Clock, rescheduled: Callable[[], None]) -> None:
        """`rescheduled` is called after a change that may have moved a due time."""
        self._database, self._clock = database, clock
        self._rescheduled = rescheduled
        self._changes = UndoableRows(database)

    def commands(self) -> tuple[BuiltIn, ...]:
        return (BuiltIn("undo", self.run, usage=UNDO_USAGE, offers=words("all", "1", "2", "3")),)

    async def run(self, asked: Asked) -> str:
        """One command. A change from a more private place is neither shown nor taken back."""
        wanted, viewer = asked.args.casefold().lstrip("#"), await asked.viewer()
        now = self._clock.now()
        if not wanted or wanted == "all":
            every = await self._changes.newest(viewer.person, now)
            seen = [one for one in every if viewer.sees(one.person, one.learned)]
            hidden = len(every) - len(seen)
            if not wanted:
                return _listed(seen, hidden)
            lines = [await self._take_back(one) for one in seen]
            lines += [f"{left_out(hidden)}."] if hidden else []
            return "\n".join(lines) or "There is nothing to take back."
        if not wanted.isdecimal():
            return f"Say `/undo {UNDO_USAGE}`. Without arguments it lists what can be taken back."
        found = await self._changes.find(viewer.person, int(wanted[:18]), now)
        if found is None or not viewer.sees(found.person, found.learned):
            return "There is no such change of yours in the last hour. `/undo` lists them."
        return await self._take_back(found)

    async def _take_back(self, change: Change) -> str:
        if change.undone:
            return f"Taken back already: {_named(change)}."
        try:
            await self._database.write(undo_store.undo(change, self._clock.now()))
        except UnitRejected:
            newest = await self._changes.find(change.person, change.id, self._clock.now())
            if newest is not None and newest.undone:
                return f"Taken back already: {_named(change)}."
            return f"Not taken back, because it was changed since: {_named(change)}."
        self._rescheduled()
        return f"Taken back: {_named(change)}."


def _listed(changes: list[Change], hidden: int) -> str:
    lines = [f"- {one.id}: {_named(one)}" for one in changes]
    lines += [f"{left_out(hidden)}."] if hidden else []
    if not changes:
        return "\n".join(["There is nothing to take back from the last hour.", *lines])
    say = "`/undo NUMBER` takes one back, `/undo all` all of them."
    return "\n".join(["Changes of the last hour, the newest first:", *lines, say])


def _named(change: Change) -> str:
    name = " ".join(change.name.split())
    shown = f"{name[: NAME_CHARS - 1]}…" if len(name) > NAME_CHARS else name
    return f"{change.kind}, “{shown}”"

"""`/undo`: a person's own changes of the last hour, and taking them back."""

from collections.abc import Callable

from bot.domain.chat_commands import Asked, ChatCommand, words
from bot.domain.clock import Clock
from bot.domain.database import Database
from bot.domain.languages import Language, Phrase
from bot.domain.privacy import left_out
from bot.errors import UnitRejected
from bot.sessions.wording import phrases as said
from bot.sessions.wording.phrases import change_in_words
from bot.tools.running import undo_store
from bot.tools.running.undo_store import Change, UndoableRows

UNDONE_ALREADY = Phrase("Taken back already: {change}.")

UNDO_USAGE = "[NUMBER|all]"
NAME_CHARS = 80


class UndoCommand:
    """Takes back what tools changed for a person, without a model."""

    def __init__(self, database: Database, clock: Clock, rescheduled: Callable[[], None]) -> None:
        """`rescheduled` is called after a change that may have moved a due time."""
        self._database, self._clock = database, clock
        self._rescheduled = rescheduled
        self._changes = UndoableRows(database)

    def commands(self) -> tuple[ChatCommand, ...]:
        return (
            ChatCommand("undo", self.run, usage=UNDO_USAGE, offers=words("all", "1", "2", "3")),
        )

    async def run(self, asked: Asked) -> str:
        """One command. A change from a more private place is neither shown nor taken back."""
        wanted, viewer = asked.args.casefold().lstrip("#"), await asked.viewer()
        now, language = self._clock.now(), asked.language
        if not wanted or wanted == "all":
            every = await self._changes.newest(viewer.person, now)
            seen = [one for one in every if viewer.sees(one.person, one.learned)]
            hidden = len(every) - len(seen)
            if not wanted:
                return _listed(seen, hidden, language)
            lines = [await self._take_back(one, language) for one in seen]
            lines += [f"{left_out(hidden, language)}."] if hidden else []
            return "\n".join(lines) or Phrase("There is nothing to take back.").said(language)
        if not wanted.isdecimal():
            return Phrase(
                "Say `/undo {usage}`. Without arguments it lists what can be taken back."
            ).said(language, usage=UNDO_USAGE)
        found = await self._changes.find(viewer.person, int(wanted[:18]), now)
        if found is None or not viewer.sees(found.person, found.learned):
            return Phrase(
                "There is no such change of yours in the last hour. `/undo` lists them."
            ).said(language)
        return await self._take_back(found, language)

    async def _take_back(self, change: Change, language: Language) -> str:
        named = _named(change, language)
        if change.undone:
            return UNDONE_ALREADY.said(language, change=named)
        try:
            await self._database.write(undo_store.undo(change, self._clock.now()))
        except UnitRejected:
            newest = await self._changes.find(change.person, change.id, self._clock.now())
            if newest is not None and newest.undone:
                return UNDONE_ALREADY.said(language, change=named)
            return Phrase("Not taken back, because it was changed since: {change}.").said(
                language, change=named
            )
        self._rescheduled()
        return Phrase("Taken back: {change}.").said(language, change=named)


def _listed(changes: list[Change], hidden: int, language: Language) -> str:
    lines = [f"- {one.id}: {_named(one, language)}" for one in changes]
    lines += [f"{left_out(hidden, language)}."] if hidden else []
    if not changes:
        return "\n".join(
            [Phrase("There is nothing to take back from the last hour.").said(language), *lines]
        )
    return "\n".join(
        [
            Phrase("Changes of the last hour, the newest first:").said(language),
            *lines,
            Phrase("`/undo NUMBER` takes one back, `/undo all` all of them.").said(language),
        ]
    )


def _named(change: Change, language: Language) -> str:
    name = " ".join(change.name.split())
    shown = f"{name[: NAME_CHARS - 1]}…" if len(name) > NAME_CHARS else name
    what = change_in_words(change.noun, change.done, language)
    return f"{what}, {said.TITLED.said(language, title=shown)}"

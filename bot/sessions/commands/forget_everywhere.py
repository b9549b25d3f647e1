"""`/memory forget everywhere`: shows what would go, takes a yes, and says what remains.

It can't be undone, so the words are shown back as counts first, and the yes names that very list.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from bot.domain.places import Reach
from bot.domain.privacy import Viewer
from bot.memory.passes_store import counted
from bot.sessions.commands.asked import Asked, CommandReply
from bot.sessions.reports.forgetting import Erased, Forgetting

EVERYWHERE = "everywhere"
YES = "yes"
_AGREED = re.compile(rf"{YES}\s+`?(w[0-9a-f]{{6}})`?", re.IGNORECASE)
SHOWN_TRACES = 10
LOOKED_FOR = 5
"""For how many removed things it is looked where else they stand."""
_OTHERS = (
    "What stays: messages on the platform itself (delete them there); what other people wrote, were"
    " told or saved; files, tools and skills of everybody; and copies outside of this home, like"
    " backups and what was sent to others."
)
_ON_RECORD = "(what is to be forgotten everywhere)"


def is_everywhere(rest: str) -> bool:
    """Whether the words behind `forget` begin with the keyword."""
    return rest.strip().partition(" ")[0].casefold() == EVERYWHERE


@dataclass(frozen=True)
class EverywhereCommand:
    """Runs the command for a person, about their own things alone."""

    forgetting: Forgetting
    keep_days: int
    """For how long the record of work is kept (`sessions.keep_days`)."""

    async def run(self, asked: Asked, rest: str) -> CommandReply:
        words = rest.strip().partition(" ")[2].strip()
        if agreed := _AGREED.fullmatch(words):
            return _alone(await self._yes(asked, agreed[1]))
        if not words:
            return _alone(await self._state(asked))
        return _alone(await self.shown(asked.person.id, words, besides=asked.turn.id))

    async def shown(
        self,
        person: str,
        words: str,
        how: str = f"/memory forget {EVERYWHERE}",
        yes: str = YES,
        besides: int = 0,
    ) -> str:
        """What would be removed, and how to say yes: by the command `how` with the end `yes`."""
        if words.strip().casefold() == "all":
            return (
                "Everywhere takes words: those of what is to be gone. All at once is not offered."
            )
        ref, found = await self.forgetting.ask(person, words, besides)
        if not ref:
            return f"Nothing of yours holds all of these words. {_OTHERS}"
        return "\n".join(
            [
                "Everything of yours that holds all of these words would be removed for good:",
                *_lines(found.counts),
                *_interrupted(found),
                *_left(found),
                _OTHERS,
                f"This can't be undone. `{how} {yes} {ref}` does it, within 30 minutes.",
            ]
        )

    async def yes(self, person: str, ref: str) -> str:
        """The yes, when nobody waits in a conversation."""
        return _told(ref, await self.forgetting.begin(person, ref))

    async def remains(self, viewer: Viewer, texts: Sequence[str]) -> str:
        """One paragraph: where words that were just removed from memory still stand."""
        until = (
            f"The record of work keeps its words for {counted(self.keep_days, 'day', 'days')};"
            f" `/memory forget {EVERYWHERE} WORDS` removes them from everything of yours, for good."
            " The platform keeps its messages, and whoever read them what they read."
        )
        if viewer.place.reach is not Reach.DM:  # a list would tell of private things
            return until
        counts: Counter[str] = Counter()
        for text in texts[:LOOKED_FOR]:
            counts |= (await self.forgetting.look(viewer.person, text)).counts
        held = ", ".join(_counted(kind, count) for kind, count in counts.most_common())
        return f"Still on record: {held}. {until}" if held else until

    async def _yes(self, asked: Asked, ref: str) -> str:
        done = await self.forgetting.begin(asked.person.id, ref, asked.turn.id)
        if done is None and asked.again:
            return "It is done. I was interrupted before I could say what was removed."
        return _told(ref, done)

    async def _state(self, asked: Asked) -> str:
        count = await self.forgetting.at_work(asked.person.id)
        if count:
            return f"Not finished: {counted(count, 'wish', 'wishes')}. I go on by myself."
        return (
            "Nothing is waiting to be forgotten."
            f" Say `/memory forget {EVERYWHERE} WORDS`; I show what would go first."
        )


def _alone(text: str) -> CommandReply:
    return CommandReply(text, on_record=_ON_RECORD, alone=True)


def _told(ref: str, done: Erased | None) -> str:
    if done is None:
        return (
            f"Nothing waits for a yes under `{ref}`; it may have run out."
            f" Say `/memory forget {EVERYWHERE} WORDS` again."
        )
    lines = ["Removed for good:", *_lines(done.counts), *_interrupted(done)]
    if not done.finished:
        lines.append(
            "It is not finished: requests hold the words until they have stopped, and then the"
            " files of the database are written anew. I go on by myself, every five minutes;"
            f" `/memory forget {EVERYWHERE}` says whether it is finished."
        )
    return "\n".join([*lines, *_left(done), _OTHERS])


def _lines(counts: Counter[str]) -> list[str]:
    return [f"- {_counted(kind, count)}" for kind, count in sorted(counts.items())]


def _counted(kind: str, count: int) -> str:
    return f"{kind}: {count}"


def _interrupted(erased: Erased) -> list[str]:
    lines: list[str] = []
    if erased.sessions:
        lines.append(
            f"- open conversations that end: {erased.sessions}; the next message begins a new one"
        )
    if erased.turns:
        lines.append(f"- requests that are stopped: {erased.turns}")
    return lines


def _left(erased: Erased) -> list[str]:
    lines = [f"Holds the words still: {one}." for one in erased.remains]
    if erased.cycles:
        named = ", ".join(erased.cycles[:SHOWN_TRACES])
        more = len(erased.cycles) - SHOWN_TRACES
        also = f" and {more} more" if more > 0 else ""
        lines.append(f"Traces of these cycles were sent to the collector of traces: {named}{also}.")
    return lines

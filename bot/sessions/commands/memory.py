"""`/memory`: shows what is stored about a person and its origin, forgets, and stops learning."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from bot.domain.access import Role
from bot.domain.clock import Clock
from bot.domain.database import Database, Unit
from bot.domain.messages import OutgoingFile, Place
from bot.domain.privacy import Viewer, left_out
from bot.memory.choices_store import EVERYBODY, EVERYWHERE, choose
from bot.memory.editing import TierEditor
from bot.memory.forgotten_words import ForgottenWords
from bot.memory.kept import shortened
from bot.memory.words import stems
from bot.sessions.commands.asked import Asked, BuiltIn, CommandReply
from bot.sessions.commands.forget_everywhere import EverywhereCommand, is_everywhere
from bot.sessions.opening.attachments import Attachments
from bot.sessions.records.spoken_store import said_count
from bot.sessions.reports.kept_things import KeptThing, KeptThings

MEMORY_USAGE = "[forget REF|WORDS|all, forget everywhere WORDS, off|on [me]]"
SHOWN = 20
LINE_CHARS = 200
_TITLES = {
    "entry": "Memory",
    "archived": "Archive",
    "summary": "Summaries of conversations",
    "fact": "Facts of conversations",
    "knowledge": "Knowledge",
    "note": "Notes",
}


@dataclass(frozen=True)
class Wish:
    """What to forget: everything, things by reference, or things with all of these words."""

    what: str
    refs: frozenset[str]
    words: ForgottenWords

    @classmethod
    def of(cls, what: str, kept: Sequence[KeptThing]) -> "Wish":
        words = {word.strip("`,") for word in what.split()}
        refs = frozenset(one.ref for one in kept if one.ref in words)
        named = [one.text for one in kept if one.ref in refs and one.kind != "summary"]
        texts = [stems(text) for text in (named if refs else [what])]
        everything = what.strip().casefold() == "all"
        return cls(
            what, refs, ForgottenWords(tuple(one for one in texts if one), everything=everything)
        )

    def words_left(self, chosen: Sequence[KeptThing]) -> tuple[str, ...]:
        """The texts whose words may still stand somewhere; none where everything goes."""
        if self.words.everything:
            return ()
        return tuple(one.text for one in chosen) if self.refs else (self.what,)

    def chosen(self, kept: Sequence[KeptThing]) -> list[KeptThing]:
        if self.refs:
            return [one for one in kept if one.ref in self.refs]
        return [one for one in kept if self.words.names(one.text)]


@dataclass(frozen=True)
class Forgotten:
    """The removed things, and the places that still hold them."""

    things: Sequence[KeptThing] = ()
    hidden: int = 0
    """The number of things left alone because they may not be shown where the person asked."""
    conversations: int = 0
    """Open conversations that hold it until they end; nothing is learned from them."""
    remains: str = ""
    """Where the words still stand, and until when."""

    def in_words(self) -> str:
        """A list of the removed things, by kind, and what still holds them."""
        lines = [
            f"- {one.kind}: {shortened(' '.join(one.text.split()), LINE_CHARS)}"
            for one in self.things[:SHOWN]
        ]
        if len(self.things) > SHOWN:
            lines.append(f"- and {len(self.things) - SHOWN} more")
        if self.remains:
            lines.append(self.remains)
        if self.conversations:
            lines.append("Open conversations keep it until they end. Nothing is learned from them.")
        kinds = Counter(one.kind for one in self.things)
        counts = ", ".join(f"{kind} ({count})" for kind, count in sorted(kinds.items()))
        return "\n".join(
            [f"Removed, with all copies in the archive and the backups of memory: {counts}", *lines]
        )


@dataclass(frozen=True)
class MemoryCommands:
    """A person's own memory, without a model."""

    kept: KeptThings
    database: Database
    clock: Clock
    tiers: TierEditor
    attachments: Attachments
    everywhere: EverywhereCommand

    def commands(self) -> tuple[BuiltIn, ...]:
        return (
            BuiltIn(
                "memory",
                "what I remember about you; forget it; learning on or off",
                self.run,
                usage=MEMORY_USAGE,
            ),
        )

    async def run(self, asked: Asked) -> str | CommandReply:
        verb, _, rest = asked.args.partition(" ")
        viewer = await asked.viewer()
        match verb.casefold():
            case "":
                return await self._show(viewer)
            case "forget" if is_everywhere(rest):
                return await self.everywhere.run(asked, rest)
            case "forget" if rest.strip():
                return await self._forget(viewer, rest.strip())
            case "on" | "off" if rest.strip().casefold() in {"", "me"}:
                return await self._choose(
                    asked, learns=verb.casefold() == "on", alone=bool(rest.strip())
                )
            case _:
                return (
                    f"Say `/memory {MEMORY_USAGE}`. Without arguments it shows what I remember "
                    "about you."
                )

    # --- showing ---

    async def _show(self, viewer: Viewer) -> str | CommandReply:
        kept, hidden = await self._seen(viewer)
        more = f"{left_out(hidden)}." if hidden else ""
        if not kept:
            return more or "I remember nothing about you yet."
        entries = [one for one in kept if one.kind == "entry"]
        rest = [one for one in kept if one.kind != "entry"]
        lines = [one.line(LINE_CHARS) for one in entries[:SHOWN]]
        if len(entries) > SHOWN:
            lines.append(f"{len(entries) - SHOWN} more entries are in the file.")
        if rest:
            lines.append(f"In the file, too: {_counts(rest)}.")
        lines += [more] if more else []
        lines.append("`/memory forget REF` or `/memory forget WORDS` removes something for good.")
        said = await said_count(self.database, viewer.person)
        data = _file(kept, said).encode("utf-8", "replace")
        blob = await self.attachments.keep(data)
        return CommandReply("\n".join(lines), (OutgoingFile("memory.md", "text/markdown", blob),))

    async def _seen(self, viewer: Viewer) -> tuple[list[KeptThing], int]:
        kept = await self.kept.of(viewer.person)
        seen = [one for one in kept if viewer.sees(viewer.person, one.learned)]
        return seen, len(kept) - len(seen)

    # --- forgetting ---

    async def _forget(self, viewer: Viewer, what: str) -> str | CommandReply:
        """The answer names the removed things, so it is not recorded itself."""
        done = await self.forget(viewer, what)
        more = f"\n{left_out(done.hidden)}." if done.hidden else ""
        if not done.things:
            return (
                f"I remember nothing about you that matches.{more} `/memory` shows what I remember."
            )
        return CommandReply(
            done.in_words() + more, on_record=f"(I removed {len(done.things)} things of theirs.)"
        )

    async def forget(self, viewer: Viewer, what: str) -> Forgotten:
        """Remove everything that a reference, or all of these words, match.

        Raises StorageError.
        """
        async with self.tiers.store.lock:
            kept, _ = await self._seen(viewer)
            wish = Wish.of(what, kept)
            still = await self.kept.leave_unlearned(viewer, wish.words.names)
            kept, hidden = await self._seen(viewer)
            said = [] if wish.refs else await self.kept.messages(viewer.person, wish.words.names)
            seen = [one for one in said if viewer.sees(viewer.person, one.learned)]
            chosen = [*wish.chosen(kept), *seen]
            await self.kept.remove(viewer.person, kept, chosen)
            await self.kept.note_forgotten(viewer, wish.words)
        remains = await self.everywhere.remains(viewer, wish.words_left(chosen)) if chosen else ""
        return Forgotten(chosen, hidden, still, remains)

    # --- learning ---

    async def _choose(self, asked: Asked, *, learns: bool, alone: bool) -> str:
        """Switch learning on or off: about the person, or from this channel or direct message."""
        conversation = asked.message.conversation
        direct = conversation.place is Place.DM
        if not alone and not direct and asked.person.role.rank < Role.PARTNER.rank:
            return (
                "A Partner or MasterAdmin decides that for a channel; `/memory off me` is for you "
                "alone."
            )
        person, channel = (
            (asked.person.id, EVERYWHERE) if alone else (EVERYBODY, conversation.channel_key)
        )
        await self.database.write(Unit.of(choose(person, channel, self.clock.now(), learns=learns)))
        where = "from you, anywhere" if alone else "from what is said here"
        if learns:
            return f"From your next conversation on I learn {where}."
        return (
            f"I learn nothing {where} any more. `/memory` shows what I know, `/memory forget all` "
            "removes it."
        )


def _counts(things: Sequence[KeptThing]) -> str:
    counts = {title: sum(one.kind == kind for one in things) for kind, title in _TITLES.items()}
    return ", ".join(f"{title.lower()} ({count})" for title, count in counts.items() if count)


def _file(kept: Sequence[KeptThing], said: int) -> str:
    lines = ["# What I remember about you", ""]
    for kind, title in _TITLES.items():
        if of_kind := [one.line() for one in kept if one.kind == kind]:
            lines += [f"## {title}", "", *of_kind, ""]
    lines.append(
        f"{said} messages that you wrote or that answered you are on record. `/memory forget` "
        "finds them, too."
    )
    return "\n".join(lines)

"""`/memory`: shows what is stored about a person and its origin, forgets, and stops learning.

`/memory forget everywhere` shows what would go, takes a yes, and says what remains. It can't be
undone, so the words are shown back as counts first, and the yes names that very list.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from bot.domain.access import Role
from bot.domain.characters import short_line
from bot.domain.chat_commands import Asked, ChatCommand, CommandReply, words
from bot.domain.clock import Clock
from bot.domain.database import Database, Unit
from bot.domain.languages import CountedPhrase, Language, Phrase
from bot.domain.messages import OutgoingFile, Place
from bot.domain.places import Reach
from bot.domain.privacy import Viewer, left_out
from bot.memory import choices_store
from bot.memory.choices_store import EVERYBODY, choose
from bot.memory.editing import TierEditor
from bot.memory.forgotten_words_store import ForgottenWords
from bot.memory.words import stems
from bot.sessions.opening.attachments import Attachments
from bot.sessions.records.spoken_store import said_count
from bot.sessions.reports.forgetting import Erased, Forgetting
from bot.sessions.reports.kept_things import KeptThing, KeptThings
from bot.sessions.wording.phrases import AND_MORE, UNSEEN, kept_counted

ONE = {
    "entry": Phrase("entry"),
    "archived": Phrase("archived"),
    "summary": Phrase("summary"),
    "fact": Phrase("fact"),
    "knowledge": Phrase("knowledge", context="forgotten"),
    "note": Phrase("note"),
    "message": Phrase("message"),
}
"""One thing, by its kind."""
STAYS = Phrase(
    "What stays: messages on the platform itself (delete them there); what other people wrote, were"
    " told or saved; files, tools and skills of everybody; and copies outside of this home, like"
    " backups and what was sent to others."
)
NOTHING_HOLDS = Phrase("Nothing of yours holds all of these words.")
SESSIONS_END = Phrase("open conversations that end: {count}; the next message begins a new one")
REQUESTS_STOP = Phrase("requests that are stopped: {count}")
ON_RECORD = Phrase("Still on record: {counts}.")
ABOUT_YOU = Phrase("What I remember about you")
NOTHING_MATCHES = Phrase("I remember nothing about you that matches.")
MEMORY_SHOWS = Phrase("`/memory` shows what I remember.")
KINDS = {
    "entry": Phrase("memory"),
    "archived": Phrase("archive"),
    "summary": Phrase("summaries of conversations"),
    "fact": Phrase("facts of conversations"),
    "knowledge": Phrase("knowledge"),
    "note": Phrase("notes"),
}
"""What is kept, by kind, inside a sentence."""

EVERYWHERE = "everywhere"
YES = "yes"
_AGREED = re.compile(rf"{YES}\s+`?(w[0-9a-f]{{6}})`?", re.IGNORECASE)
SHOWN_TRACES = 10
LOOKED_FOR = 5
"""For how many removed things it is looked where else they stand."""
_ON_RECORD = "(what is to be forgotten everywhere)"


@dataclass(frozen=True)
class EverywhereCommand:
    """Runs the command for a person, about their own things alone."""

    forgetting: Forgetting
    keep_days: int
    """For how long the record of work is kept (`sessions.keep_days`)."""

    async def run(self, asked: Asked, rest: str) -> CommandReply:
        wanted, language = rest.strip().partition(" ")[2].strip(), asked.language
        if agreed := _AGREED.fullmatch(wanted):
            return _alone(await self._yes(asked, agreed[1]))
        if not wanted:
            return _alone(await self._state(asked))
        person, turn = asked.person.id, asked.turn.id
        return _alone(await self.shown(person, wanted, besides=turn, language=language))

    async def shown(
        self,
        person: str,
        words: str,
        how: str = f"/memory forget {EVERYWHERE}",
        yes: str = YES,
        besides: int = 0,
        language: Language = Language.EN,
    ) -> str:
        """What would be removed, and how to say yes: by the command `how` with the end `yes`."""
        if words.strip().casefold() == "all":
            return Phrase(
                "Everywhere takes words: those of what is to be gone. All at once is not offered."
            ).said(language)
        ref, found = await self.forgetting.ask(person, words, besides)
        if not ref:
            nothing = f"{NOTHING_HOLDS.said(language)} {STAYS.said(language)}"
            return "\n".join([nothing, *_left(found, language)])
        return "\n".join(
            [
                Phrase(
                    "Everything of yours that holds all of these words would be removed for good:"
                ).said(language),
                *self._lines(found, language),
                *_left(found, language),
                STAYS.said(language),
                Phrase(
                    "This can't be undone. `{how} {yes} {ref}` does it, within 30 minutes."
                ).said(language, how=how, yes=yes, ref=ref),
            ]
        )

    async def yes(self, person: str, ref: str) -> str:
        """The yes, when nobody waits in a conversation."""
        return self._told(ref, await self.forgetting.begin(person, ref), Language.EN)

    async def remains(
        self, viewer: Viewer, texts: Sequence[str], language: Language = Language.EN
    ) -> str:
        """One paragraph: where words that were just removed from memory still stand."""
        until = CountedPhrase(
            Phrase(
                "The record of work keeps its words for {count} day; `/memory forget everywhere "
                "WORDS` removes them from everything of yours, for good. The platform keeps its "
                "messages, and whoever read them what they read."
            ),
            Phrase(
                "The record of work keeps its words for {count} days; `/memory forget everywhere "
                "WORDS` removes them from everything of yours, for good. The platform keeps its "
                "messages, and whoever read them what they read."
            ),
        ).said(language, self.keep_days)
        if viewer.place.reach is not Reach.DM:  # a list would tell of private things
            return until
        counts: Counter[str] = Counter()
        for text in texts[:LOOKED_FOR]:
            counts |= (await self.forgetting.look(viewer.person, text)).counts
        held = ", ".join(self._counted(*one, language) for one in counts.most_common())
        return f"{ON_RECORD.said(language, counts=held)} {until}" if held else until

    async def _yes(self, asked: Asked, ref: str) -> str:
        done = await self.forgetting.begin(asked.person.id, ref, asked.turn.id)
        if done is None and asked.again:
            told = Phrase("It is done. I was interrupted before I could say what was removed.")
            return told.said(asked.language)
        return self._told(ref, done, asked.language)

    async def _state(self, asked: Asked) -> str:
        count = await self.forgetting.at_work(asked.person.id)
        if count:
            return CountedPhrase(
                Phrase("Not finished: {count} wish. I go on by myself."),
                Phrase("Not finished: {count} wishes. I go on by myself."),
            ).said(asked.language, count)
        return Phrase(
            "Nothing is waiting to be forgotten. Say `/memory forget everywhere WORDS`; I show "
            "what would go first."
        ).said(asked.language)

    def _told(self, ref: str, done: Erased | None, language: Language) -> str:
        if done is None:
            return Phrase(
                "Nothing waits for a yes under `{ref}`; it may have run out. Say `/memory forget "
                "everywhere WORDS` again."
            ).said(language, ref=ref)
        lines = [Phrase("Removed for good:").said(language), *self._lines(done, language)]
        if not done.finished:
            lines.append(
                Phrase(
                    "It is not finished: requests hold the words until they have stopped, and "
                    "then the files of the database are written anew. I go on by myself, every "
                    "five minutes; `/memory forget everywhere` says whether it is finished."
                ).said(language)
            )
        return "\n".join([*lines, *_left(done, language), STAYS.said(language)])

    def _lines(self, erased: Erased, language: Language) -> list[str]:
        lines = [f"- {self._counted(*one, language)}" for one in sorted(erased.counts.items())]
        if erased.sessions:
            lines.append(f"- {SESSIONS_END.said(language, count=erased.sessions)}")
        if erased.turns:
            lines.append(f"- {REQUESTS_STOP.said(language, count=erased.turns)}")
        return lines

    def _counted(self, kind: str, count: int, language: Language) -> str:
        return kept_counted(kind, count, language, self.forgetting.called)


def _alone(text: str) -> CommandReply:
    return CommandReply(text, on_record=_ON_RECORD, alone=True)


def _left(erased: Erased, language: Language) -> list[str]:
    lines = [
        Phrase("Holds the words still: {what}.").said(language, what=one) for one in erased.remains
    ]
    if erased.cycles:
        names = ", ".join(erased.cycles[:SHOWN_TRACES])
        more = len(erased.cycles) - SHOWN_TRACES
        names += f" {AND_MORE.said(language, more)}" if more > 0 else ""
        lines.append(
            Phrase("Traces of these cycles were sent to the collector of traces: {names}.").said(
                language, names=names
            )
        )
    if erased.unseen:
        lines.append(UNSEEN.said(language, names=", ".join(erased.unseen)))
    return lines


MORE_ENTRIES = CountedPhrase(
    Phrase("{count} more entry is in the file."), Phrase("{count} more entries are in the file.")
)
MEMORY_USAGE = "[forget REF|WORDS|all, forget everywhere WORDS, off|on [me]]"
SHOWN = 20
LINE_CHARS = 200


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

    def in_words(self, language: Language = Language.EN) -> str:
        """A list of the removed things, by kind, and what still holds them."""
        lines = [
            f"- {_one(one.kind, language)}: {short_line(one.text, LINE_CHARS)}"
            for one in self.things[:SHOWN]
        ]
        if len(self.things) > SHOWN:
            lines.append(f"- {AND_MORE.said(language, len(self.things) - SHOWN)}")
        if self.remains:
            lines.append(self.remains)
        if self.conversations:
            open_ = Phrase(
                "Open conversations keep it until they end. Nothing is learned from them."
            )
            lines.append(open_.said(language))
        kinds = sorted(Counter(one.kind for one in self.things).items())
        counts = ", ".join(f"{_one(kind, language)} ({count})" for kind, count in kinds)
        head = Phrase("Removed, with all copies in the archive and the backups of memory: {counts}")
        return "\n".join([head.said(language, counts=counts), *lines])


@dataclass(frozen=True)
class MemoryCommands:
    """A person's own memory, without a model."""

    kept: KeptThings
    database: Database
    clock: Clock
    tiers: TierEditor
    attachments: Attachments
    everywhere: EverywhereCommand

    def commands(self) -> tuple[ChatCommand, ...]:
        return (
            ChatCommand(
                "memory",
                self.run,
                usage=MEMORY_USAGE,
                offers=words("off", "on", "off me", "on me", "forget all", "forget everywhere"),
            ),
        )

    async def run(self, asked: Asked) -> str | CommandReply:
        verb, _, rest = asked.args.partition(" ")
        viewer = await asked.viewer()
        match verb.casefold():
            case "":
                return await self._show(viewer, asked.language)
            case "forget" if rest.strip().partition(" ")[0].casefold() == EVERYWHERE:
                return await self.everywhere.run(asked, rest)
            case "forget" if rest.strip():
                return await self._forget(viewer, rest.strip(), asked.language)
            case "on" | "off" if rest.strip().casefold() in {"", "me"}:
                return await self._choose(
                    asked, learns=verb.casefold() == "on", alone=bool(rest.strip())
                )
            case _:
                return Phrase(
                    "Say `/memory {usage}`. Without arguments it shows what I remember about you."
                ).said(asked.language, usage=MEMORY_USAGE)

    # --- showing ---

    async def _show(self, viewer: Viewer, language: Language) -> str | CommandReply:
        kept, hidden = await self._seen(viewer)
        more = f"{left_out(hidden, language)}." if hidden else ""
        if not kept:
            return more or Phrase("I remember nothing about you yet.").said(language)
        entries = [one for one in kept if one.kind == "entry"]
        rest = [one for one in kept if one.kind != "entry"]
        lines = [one.line(LINE_CHARS) for one in entries[:SHOWN]]
        if len(entries) > SHOWN:
            lines.append(MORE_ENTRIES.said(language, len(entries) - SHOWN))
        if rest:
            counts = kept_counts(rest, language)
            lines.append(Phrase("In the file, too: {counts}.").said(language, counts=counts))
        lines += [more] if more else []
        how = Phrase("`/memory forget REF` or `/memory forget WORDS` removes something for good.")
        lines.append(how.said(language))
        messages = await said_count(self.database, viewer.person)
        data = kept_as_file(kept, messages, language).encode("utf-8", "replace")
        blob = await self.attachments.keep(data)
        return CommandReply("\n".join(lines), (OutgoingFile("memory.md", "text/markdown", blob),))

    async def _seen(self, viewer: Viewer) -> tuple[list[KeptThing], int]:
        kept = await self.kept.of(viewer.person)
        seen = [one for one in kept if viewer.sees(viewer.person, one.learned)]
        return seen, len(kept) - len(seen)

    # --- forgetting ---

    async def _forget(self, viewer: Viewer, what: str, language: Language) -> str | CommandReply:
        """The answer names the removed things, so it is not recorded itself."""
        done = await self.forget(viewer, what, language)
        more = f"\n{left_out(done.hidden, language)}." if done.hidden else ""
        if not done.things:
            told = f"{NOTHING_MATCHES.said(language)}{more}"
            return f"{told} {MEMORY_SHOWS.said(language)}"
        gone = f"(I removed {len(done.things)} things of theirs.)"
        return CommandReply(done.in_words(language) + more, on_record=gone)

    async def forget(
        self, viewer: Viewer, what: str, language: Language = Language.EN
    ) -> Forgotten:
        """Remove everything that a reference, or all of these words, match.

        Raises StorageError.
        """
        async with self.tiers.store.lock:
            kept, _ = await self._seen(viewer)
            wish = Wish.of(what, kept)
            still = await self.kept.leave_unlearned(viewer, wish.words.names)
            kept, hidden = await self._seen(viewer)
            spoken = [] if wish.refs else await self.kept.messages(viewer.person, wish.words.names)
            seen = [one for one in spoken if viewer.sees(viewer.person, one.learned)]
            chosen = [*wish.chosen(kept), *seen]
            await self.kept.remove(viewer.person, kept, chosen)
            await self.kept.note_forgotten(viewer, wish.words)
        left = wish.words_left(chosen)
        remains = await self.everywhere.remains(viewer, left, language) if chosen else ""
        return Forgotten(chosen, hidden, still, remains)

    # --- learning ---

    async def _choose(self, asked: Asked, *, learns: bool, alone: bool) -> str:
        """Switch learning on or off: about the person, or from this channel or direct message."""
        conversation = asked.message.conversation
        direct = conversation.place is Place.DM
        if not alone and not direct and asked.person.role.rank < Role.PARTNER.rank:
            return Phrase(
                "A Partner or MasterAdmin decides that for a channel; `/memory off me` is for you "
                "alone."
            ).said(asked.language)
        person, channel = (
            (asked.person.id, choices_store.EVERYWHERE)
            if alone
            else (EVERYBODY, conversation.channel_key)
        )
        await self.database.write(Unit.of(choose(person, channel, self.clock.now(), learns=learns)))
        return _LEARNS[learns, alone].said(asked.language)


_LEARNS = {
    (True, True): Phrase("From your next conversation on I learn from you, anywhere."),
    (True, False): Phrase("From your next conversation on I learn from what is said here."),
    (False, True): Phrase(
        "I learn nothing from you any more, anywhere. `/memory` shows what I know, `/memory "
        "forget all` removes it."
    ),
    (False, False): Phrase(
        "I learn nothing from what is said here any more. `/memory` shows what I know, `/memory "
        "forget all` removes it."
    ),
}
"""By whether Bellhop learns, and whether it is about one person alone."""


def kept_counts(things: Sequence[KeptThing], language: Language = Language.EN) -> str:
    """How many of each kind, in a line."""
    counts = Counter(one.kind for one in things)
    kinds = dict.fromkeys((*KINDS, *counts))
    return ", ".join(f"{_kind(one, language)} ({counts[one]})" for one in kinds if counts[one])


def _kind(kind: str, language: Language) -> str:
    """In words; a kind of a plug-in's own stands as it is."""
    return KINDS[kind].said(language) if kind in KINDS else kind


def _one(kind: str, language: Language) -> str:
    """One of that kind."""
    return ONE[kind].said(language) if kind in ONE else kind


def kept_as_file(kept: Sequence[KeptThing], messages: int, language: Language = Language.EN) -> str:
    """Everything by kind, as markdown, and how many recorded messages there are."""
    lines = [f"# {ABOUT_YOU.said(language)}", ""]
    for kind in dict.fromkeys((*KINDS, *(one.kind for one in kept))):
        if of_kind := [one.line() for one in kept if one.kind == kind]:
            title = _kind(kind, language)
            lines += [f"## {title[:1].upper()}{title[1:]}", "", *of_kind, ""]
    lines.append(
        Phrase(
            "{count} messages that you wrote or that answered you are on record. `/memory forget` "
            "finds them, too."
        ).said(language, count=messages)
    )
    return "\n".join(lines)

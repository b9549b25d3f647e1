"""`/memory`: what is kept of a person and where it came from; forgetting it; and switching learning off."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.domain.access import Role
from bot.domain.database import Unit
from bot.domain.memory import MemoryEntry, Tier
from bot.domain.messages import OutgoingFile, Place
from bot.domain.places import Reach
from bot.domain.privacy import Learned, Viewer, left_out
from bot.memory.choices_store import EVERYBODY, EVERYWHERE, choose
from bot.memory.distillation.store import dropped_write
from bot.memory.editing import TierOf
from bot.memory.kept import entry_id, shortened
from bot.memory.summaries.log import SummaryLog
from bot.memory.summaries.store import forgotten_write, summaries_of
from bot.memory.summaries.words import in_words
from bot.memory.words import stems
from bot.sessions.asked import Asked, Reply
from bot.sessions.house import House

USAGE = "[forget REF|WORDS|all, off|on [me]]"
SHOWN = 20
AT_ONCE = 100
"""Summaries of one unit of writes."""
LINE_CHARS = 200
_WHERE = {Reach.DM: "a direct message", Reach.PRIVATE: "a private channel", Reach.PUBLIC: "a public place"}
_KINDS = {"entry": "Memory", "archived": "Archive", "summary": "Summaries of conversations"}


@dataclass(frozen=True)
class KeptThing:
    """One thing that memory keeps of a person."""

    ref: str
    kind: str
    """`entry`, `archived` or `summary`."""
    agent: str
    text: str
    day: str
    learned: Learned
    source: str = ""
    """Id of the summary that it was learned from."""

    def line(self, chars: int | None = None) -> str:
        text = " ".join(self.text.split())
        learned = f", from conversation `{self.source}`" if self.source and self.source != self.ref else ""
        where = f"{self.day or 'no date'}, {_WHERE[self.learned.reach]}{learned}"
        return f"- `{self.ref}` {shortened(text, chars) if chars else text} ({where})"


class MemoryCommands:
    """A person's own memory, without a model."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._tiers = house.memory
        self._lines = SummaryLog(house.memory.store.markdown.root)

    async def run(self, asked: Asked, viewer: Viewer) -> str | Reply:
        verb, _, rest = asked.args.strip().partition(" ")
        match verb.casefold():
            case "":
                return await self._show(viewer)
            case "forget" if rest.strip():
                return await self.forget(viewer, rest.strip())
            case "on" | "off" if rest.strip().casefold() in {"", "me"}:
                return await self._choose(asked, learns=verb.casefold() == "on", alone=bool(rest.strip()))
            case _:
                return f"Say `/memory {USAGE}`. Without anything it shows what I remember of you."

    # --- showing ------------------------------------------------------------------------------------------

    async def kept_of(self, person: str) -> list[KeptThing]:
        """Everything that memory keeps of a person, newest summaries first. Raises StorageError."""
        found: list[KeptThing] = []
        store = self._tiers.store
        for agent in await store.agents_of(person):
            entries = await store.entries(Tier.USER, agent=agent, person_id=person)
            archived = await store.archived(Tier.USER, agent=agent, person_id=person)
            found += [_of_entry(entry, "entry", agent) for entry in entries]
            found += [_of_entry(entry, "archived", agent) for entry in archived]
        for one in await summaries_of(self._house.database, person, limit=10_000):
            facts = [*one.fields.facts_learned, *one.fields.preferences_noted, one.fields.relationship_notes]
            text = " / ".join(part for part in (in_words(one), *facts) if part)
            day = f"{one.ended_at:%Y-%m-%d}"
            found.append(KeptThing(one.id, "summary", one.agent, text, day, one.learned, one.id))
        return found

    async def _show(self, viewer: Viewer) -> str | Reply:
        kept, hidden = await self._seen(viewer)
        more = f"{left_out(hidden)}." if hidden else ""
        if not kept:
            return more or "I remember nothing of you yet."
        entries = [one for one in kept if one.kind == "entry"]
        rest = [one for one in kept if one.kind != "entry"]
        lines = [one.line(LINE_CHARS) for one in entries[:SHOWN]]
        if len(entries) > SHOWN:
            lines.append(f"{len(entries) - SHOWN} more entries are in the file.")
        if rest:
            archived = sum(one.kind == "archived" for one in rest)
            lines.append(f"In the file, too: summaries ({len(rest) - archived}), archived entries ({archived}).")
        lines += [more] if more else []
        lines.append("`/memory forget REF` or `/memory forget WORDS` removes something for good.")
        data = _file(kept).encode("utf-8", "replace")
        blob = await self._house.attachments.keep(data)
        return Reply("\n".join(lines), (OutgoingFile("memory.md", "text/markdown", blob),))

    async def _seen(self, viewer: Viewer) -> tuple[list[KeptThing], int]:
        kept = await self.kept_of(viewer.person)
        seen = [one for one in kept if viewer.sees(viewer.person, one.learned)]
        return seen, len(kept) - len(seen)

    # --- forgetting ---------------------------------------------------------------------------------------

    async def forget(self, viewer: Viewer, what: str) -> str:
        """Remove what a reference or all of these words name, wherever memory keeps it. Raises StorageError."""
        async with self._tiers.store.lock:
            kept, hidden = await self._seen(viewer)
            chosen = _chosen(kept, what)
            if chosen:
                await self._remove(viewer.person, kept, chosen)
        more = f"\n{left_out(hidden)}." if hidden else ""
        if not chosen:
            return f"I remember nothing of you with that.{more} `/memory` shows what I remember."
        lines = [f"- {one.kind}: {shortened(' '.join(one.text.split()), LINE_CHARS)}" for one in chosen[:SHOWN]]
        if len(chosen) > SHOWN:
            lines.append(f"- and {len(chosen) - SHOWN} more")
        said = "Forgotten, also in the archive, the summaries behind it and the backups:"
        return "\n".join([said, *lines]) + more

    async def _remove(self, person: str, kept: Sequence[KeptThing], chosen: Sequence[KeptThing]) -> None:
        """Summaries first, so that nothing is learned from them again when this is cut off."""
        sources = {one.source for one in chosen if one.source}
        ids = [one.ref for one in kept if one.kind == "summary" and one.ref in sources]
        if ids:
            for start in range(0, len(ids), AT_ONCE):
                some = ids[start : start + AT_ONCE]
                gone = [forgotten_write(person, id_) for id_ in some]
                await self._house.database.write(Unit.of(*gone, dropped_write(person, some)))
            for agent in {one.agent for one in kept}:
                await self._lines.remove(agent, ids)
        for agent in {one.agent for one in chosen}:
            texts = [one.text for one in chosen if one.agent == agent and one.kind != "summary"]
            if texts:
                await self._tiers.remove(TierOf(Tier.USER, agent, person), texts)

    # --- learning -----------------------------------------------------------------------------------------

    async def _choose(self, asked: Asked, *, learns: bool, alone: bool) -> str:
        """Whether anything is learned: of the person, or of all that is said in this channel or direct message."""
        conversation = asked.message.conversation
        direct = conversation.place is Place.DM
        if not alone and not direct and asked.person.role.rank < Role.PARTNER.rank:
            return "A Partner or MasterAdmin decides that for a channel; `/memory off me` is for you alone."
        person, channel = (asked.person.id, EVERYWHERE) if alone else (EVERYBODY, conversation.channel_key)
        await self._house.database.write(Unit.of(choose(person, channel, self._house.clock.now(), learns=learns)))
        where = "from you, anywhere" if alone else "from what is said here"
        if learns:
            return f"From your next conversation on I learn {where}."
        return f"I learn nothing {where} any more. `/memory` shows what I know, `/memory forget all` removes it."


def _of_entry(entry: MemoryEntry, kind: str, agent: str) -> KeptThing:
    ref = entry_id(Tier.USER, entry).rpartition(":")[2]
    day = entry.day.isoformat() if entry.day else ""
    return KeptThing(ref, kind, agent, entry.text, day, entry.learned, entry.source or "")


def _chosen(kept: Sequence[KeptThing], what: str) -> list[KeptThing]:
    if what.casefold() == "all":
        return list(kept)
    refs = {word.strip("`,") for word in what.split()}
    if named := [one for one in kept if one.ref in refs]:
        return named
    wanted = stems(what)
    return [one for one in kept if wanted and wanted <= stems(one.text)]


def _file(kept: Sequence[KeptThing]) -> str:
    lines = ["# What I remember of you", ""]
    for kind, title in _KINDS.items():
        if of_kind := [one.line() for one in kept if one.kind == kind]:
            lines += [f"## {title}", "", *of_kind, ""]
    return "\n".join(lines)

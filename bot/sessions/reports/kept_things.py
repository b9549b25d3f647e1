"""All stored data about one person, and how to remove each item for good."""

import asyncio
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from bot.agents.summaries.transcript_text import entries
from bot.domain.characters import shortened
from bot.domain.clock import Clock
from bot.domain.database import Database, Unit
from bot.domain.memory import KeepsForPerson, MemoryEntry, Tier
from bot.domain.messages import Conversation, Place
from bot.domain.places import Reach
from bot.domain.privacy import IN_DM, Learned, Viewer
from bot.domain.sessions import Session
from bot.domain.summaries import ConversationSummary
from bot.memory.distillation.store import dropped_write
from bot.memory.editing import TierEditor, TierOf
from bot.memory.facts_store import FactsStore, drop_fact
from bot.memory.forgotten_words_store import ForgottenWords
from bot.memory.kept import reference
from bot.memory.summaries.log import SummaryLog
from bot.memory.summaries.recall import in_words
from bot.memory.summaries.store import (
    FORGOTTEN,
    blank_summary,
    forgotten_write,
    nothing_write,
    summaries_of,
)
from bot.sessions.records.channel_store import Channels
from bot.sessions.records.conversation_store import conversation_of
from bot.sessions.records.past_session_store import sessions_of
from bot.sessions.records.spoken_store import SpokenMessage, said_after, said_count, unsay_write
from bot.sessions.records.transcript_store import transcript
from bot.tools.native.connector import Connector

AT_ONCE = 100
"""The number of things in one unit of writes."""
READ_AT_ONCE = 1_000
SUMMARIES = 10_000
_WHERE = {
    Reach.DM: "a direct message",
    Reach.PRIVATE: "a private channel",
    Reach.PUBLIC: "a public place",
}

Names = Callable[[str], bool]
"""Whether somebody wants this text forgotten."""


@dataclass(frozen=True)
class KeptThing:
    """One stored item about a person."""

    ref: str
    kind: str
    """`entry`, `archived`, `summary`, `fact`, `message`, or a connector's own word."""
    text: str
    day: str
    learned: Learned
    agent: str = ""
    source: str = ""
    """Id of the summary from which it was learned."""
    removal: Unit = field(default=Unit(), repr=False)
    """The writes that remove it; empty for entries of tiers, which stand in files."""

    def line(self, chars: int | None = None) -> str:
        text = " ".join(self.text.split())
        learned = (
            f", from conversation `{self.source}`"
            if self.source and self.source != self.ref
            else ""
        )
        where = f"{self.day or 'no date'}, {_WHERE[self.learned.reach]}{learned}"
        return f"- `{self.ref}` {shortened(text, chars) if chars else text} ({where})"


@dataclass(eq=False)
class KeptThings:
    """Reads and removes stored data about a person. Raises StorageError."""

    database: Database
    clock: Clock
    tiers: TierEditor
    facts: FactsStore
    connectors: Sequence[Connector]

    def __post_init__(self) -> None:
        self._lines = SummaryLog(self.tiers.store.markdown.root, self.tiers.store.markdown.lock)

    async def of(self, person: str) -> list[KeptThing]:
        """Everything except messages: entries of tiers, summaries, facts, and connectors' data."""
        found = [
            *await self._entries(person),
            *map(_of_summary, await summaries_of(self.database, person, limit=SUMMARIES)),
            *await self._facts(person),
        ]
        for connector in self.connectors:
            if isinstance(connector, KeepsForPerson):
                for one in await connector.kept_of(person):
                    day = f"{one.at:%Y-%m-%d}" if one.at else ""
                    removal = connector.forgetting(person, one.id)
                    found.append(
                        KeptThing(one.id, one.kind, one.text, day, one.learned, removal=removal)
                    )
        return found

    async def any_of(self, person: str) -> bool:
        """Whether any data is stored under a person id, including messages."""
        return bool(await said_count(self.database, person) or await self.of(person))

    async def messages(self, person: str, names: Names) -> list[KeptThing]:
        """A person's messages and the answers to them, for requests about recorded words."""
        found: list[KeptThing] = []
        after = 0
        while said := await said_after(self.database, person, after, READ_AT_ONCE):
            after = said[-1].message.id
            named = await asyncio.to_thread(_named, [one.message.text for one in said], names)
            found += [
                await self._message(person, one)
                for one, meant in zip(said, named, strict=True)
                if meant
            ]
        return found

    async def _entries(self, person: str) -> list[KeptThing]:
        found: list[KeptThing] = []
        store = self.tiers.store
        for agent in await store.agents_of(person):
            entries = await store.entries(Tier.USER, agent=agent, person_id=person)
            archived = await store.archived(Tier.USER, agent=agent, person_id=person)
            found += await asyncio.to_thread(_of_entries, entries, "entry", agent)
            found += await asyncio.to_thread(_of_entries, archived, "archived", agent)
        return found

    async def _facts(self, person: str) -> list[KeptThing]:
        found: list[KeptThing] = []
        for session, _ in await sessions_of(self.database, person):
            facts = await self.facts.load(session.id)
            if not facts:
                continue
            place = await conversation_of(self.database, session.key.conversation_key)
            for key, fact in facts.items():
                ref = f"fact:{hashlib.sha256(f'{session.id}|{key}'.encode()).hexdigest()[:8]}"
                learned = IN_DM if fact.private or place is None else await self._learned(place)
                removal = Unit.of(drop_fact(session.id, key))
                text = " / ".join(f"{one.key}: {one.value}" for one in (fact, *facts.history(key)))
                found.append(
                    KeptThing(ref, "fact", text, f"{fact.at:%Y-%m-%d}", learned, removal=removal)
                )
        return found

    async def _message(self, person: str, said: SpokenMessage) -> KeptThing:
        message = said.message
        removal = Unit.of(unsay_write(person, message.id, self.clock.now()))
        day = f"{message.at:%Y-%m-%d}"
        return KeptThing(
            f"talk:{message.id}",
            "message",
            message.text,
            day,
            await self._learned(said.conversation),
            removal=removal,
        )

    # --- removing ---

    async def _learned(self, place: Conversation) -> Learned:
        """A channel's current readers are unknown: show its messages there and to their person."""
        if place.place is Place.DM:
            return IN_DM
        location = await Channels(self.database).locate(place)
        return Learned(Reach.PRIVATE, location.audience_key)

    async def remove(
        self, person: str, kept: Sequence[KeptThing], chosen: Sequence[KeptThing]
    ) -> None:
        """Remove the chosen items; also the summaries behind them.

        Holds the lock of the tiers' store.

        Summaries go first, so that nothing is learned from them again if this is interrupted.
        """
        sources = {one.source for one in chosen if one.source}
        summaries = [one for one in kept if one.kind == "summary" and one.ref in sources]
        await self._remove_rows(summaries)
        for agent in {one.agent for one in summaries}:
            await self._lines.remove(agent, [one.ref for one in summaries])
        for agent in {one.agent for one in chosen}:
            texts = [
                one.text
                for one in chosen
                if one.agent == agent and one.kind in {"entry", "archived"}
            ]
            if texts:
                await self.tiers.remove(TierOf(Tier.USER, agent, person), texts)
        await self._remove_rows([one for one in chosen if one.kind != "summary"])

    async def _remove_rows(self, things: Sequence[KeptThing]) -> None:
        for start in range(0, len(things), AT_ONCE):
            await self.database.write(
                Unit.joined(one.removal for one in things[start : start + AT_ONCE])
            )

    async def leave_unlearned(self, viewer: Viewer, names: Names) -> int:
        """Stop learning from conversations with such words; returns their number.

        These are open, or wait for their summary. Those hidden from the viewer stay as they are.
        """
        count = 0
        for session, done in await self._going_on(viewer):
            for epoch in range(done + 1, session.epoch + 1):
                told = entries(await transcript(self.database, replace(session, epoch=epoch)))
                if any(await asyncio.to_thread(_named, told, names)):
                    await self.database.write(
                        Unit.of(nothing_write(blank_summary(session, epoch), FORGOTTEN))
                    )
                    count += 1
        return count

    async def note_forgotten(self, viewer: Viewer, words: ForgottenWords) -> None:
        """Remember the words for running turns and for later conversations.

        The newest conversation keeps them where none is open.
        """
        ids = [session.id for session, _ in await self._going_on(viewer)]
        ids = ids or await self._newest(viewer)
        await self.database.write(words.unit(ids, self.clock.now()))

    async def _newest(self, viewer: Viewer) -> list[str]:
        for session, _ in reversed(await sessions_of(self.database, viewer.person)):
            if await self._is_seen(viewer, session):
                return [session.id]
        return []

    async def _going_on(self, viewer: Viewer) -> list[tuple[Session, int]]:
        sessions = await sessions_of(self.database, viewer.person, unsummarised=True)
        return [one for one in sessions if await self._is_seen(viewer, one[0])]

    async def _is_seen(self, viewer: Viewer, session: Session) -> bool:
        place = await conversation_of(self.database, session.key.conversation_key)
        return place is not None and viewer.sees(viewer.person, await self._learned(place))


def _named(texts: Sequence[str], names: Names) -> list[bool]:
    return [names(text) for text in texts]


def _of_entries(entries: Sequence[MemoryEntry], kind: str, agent: str) -> list[KeptThing]:
    return [
        KeptThing(
            reference(one),
            kind,
            one.text,
            one.day.isoformat() if one.day else "",
            one.learned,
            agent,
            one.source or "",
        )
        for one in entries
    ]


def _of_summary(one: ConversationSummary) -> KeptThing:
    facts = [
        *one.fields.facts_learned,
        *one.fields.preferences_noted,
        one.fields.relationship_notes,
    ]
    text = " / ".join(part for part in (in_words(one), *facts) if part)
    removal = Unit.of(forgotten_write(one.person, one.id), dropped_write(one.person, [one.id]))
    return KeptThing(
        one.id, "summary", text, f"{one.ended_at:%Y-%m-%d}", one.learned, one.agent, one.id, removal
    )

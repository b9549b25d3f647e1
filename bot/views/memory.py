"""What is remembered, with where it was learned and who sees it; and forgetting."""

import hashlib
from dataclasses import dataclass

from bot.domain.access import Role
from bot.domain.memory import MemoryEntry, Tier
from bot.domain.places import Reach
from bot.domain.privacy import Learned
from bot.memory.tiers import MemoryStore
from bot.memory.visible import is_visible, visible_tiers
from bot.plugin.views import ActionTold, Looker, MemoryRow, Rows
from bot.sessions.commands.memory import MemoryCommands
from bot.sessions.reports.kept_things import KeptThing
from bot.views.paging import newest_first
from bot.views.sight import RowKind, may_see

_WHERE = {
    Reach.DM: "a direct message",
    Reach.PRIVATE: "a private channel",
    Reach.PUBLIC: "a public place",
}
_READERS = {
    Reach.DM: "you alone, in direct messages",
    Reach.PRIVATE: "you, there and in direct messages",
    Reach.PUBLIC: "you; others where it was said",
}


@dataclass(frozen=True)
class HouseMemory:
    """Implements `bot.plugin.views.ShowsMemory`."""

    commands: MemoryCommands
    store: MemoryStore

    async def look(self, who: Looker, tier: str, *, behind: str = "") -> Rows[MemoryRow]:
        wanted = next((one for one in visible_tiers(who.person) if one == tier), Tier.USER)
        if who.person.role is Role.BANNED:
            return Rows()
        if wanted is Tier.USER:
            kept = await self.commands.kept.of(who.person.id)
            seen = [one for one in kept if may_see(who, RowKind.KEPT, who.person.id, one.learned)]
            return newest_first([_own(one) for one in seen], _place, behind)
        return newest_first(await self._common(who, wanted), _place, behind)

    async def forget(self, who: Looker, ref: str) -> ActionTold:
        """One thing by its reference: as `/memory forget REF`."""
        kept = await self.commands.kept.of(who.person.id)
        if not any(one.ref == ref for one in kept):
            return ActionTold("That is not here any more.", done=False)
        done = await self.commands.forget(who.viewer, ref)
        return ActionTold(done.in_words(), bool(done.things))

    async def _common(self, who: Looker, tier: Tier) -> list[MemoryRow]:
        agents = await self.store.agents() if tier is Tier.AGENT else ("",)
        return [
            _shared(tier, entry, agent)
            for agent in agents
            for entry in await self.store.entries(tier, agent=agent, person_id="")
            if may_see(who, RowKind.COMMON, learned=entry.learned)
            and is_visible(tier, entry, who.viewer)
        ]


def _own(thing: KeptThing) -> MemoryRow:
    reach = thing.learned.reach
    return MemoryRow(
        thing.ref,
        Tier.USER,
        thing.kind,
        thing.text,
        thing.day,
        _where(thing.learned),
        _READERS[reach],
        thing.agent,
        thing.source if thing.source != thing.ref else "",
    )


def _shared(tier: Tier, entry: MemoryEntry, agent: str) -> MemoryRow:
    readers = f"members of {entry.workspace}" if entry.workspace else "all members"
    return MemoryRow(
        "",
        tier,
        "entry",
        entry.text,
        entry.day.isoformat() if entry.day else "",
        _where(entry.learned),
        readers,
        agent,
        entry.source or "",
    )


def _where(learned: Learned) -> str:
    return _WHERE[learned.reach]


def _place(row: MemoryRow) -> str:
    """In the list, which begins with what is newest; what has no date comes last."""
    words = hashlib.sha256(row.text.encode("utf-8", "replace")).hexdigest()[:16]
    return f"{row.day}|{row.kind}|{row.agent}|{words}"

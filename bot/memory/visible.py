"""The memory that a request may see: the one gate that hydration and `remember` share."""

from dataclasses import dataclass

from bot.domain.access import INNER_RANK, Person, Role
from bot.domain.memory import MemoryEntry, Tier
from bot.domain.places import Location
from bot.domain.privacy import Viewer
from bot.errors import StorageError
from bot.memory.tiers import MemoryStore


@dataclass(frozen=True)
class VisibleTier:
    tier: Tier
    entries: tuple[MemoryEntry, ...]
    archived: tuple[MemoryEntry, ...] = ()
    """Entries that left the tier; read only on request."""


@dataclass(frozen=True)
class VisibleMemory:
    """Tiers in the order shared, agent, user; `problems` names files that could not be read."""

    tiers: tuple[VisibleTier, ...]
    problems: tuple[str, ...] = ()


def visible_tiers(person: Person) -> tuple[Tier, ...]:
    """The tiers that a role may see: guests their own only, banned people none."""
    if person.role is Role.BANNED:
        return ()
    return tuple(Tier) if person.role.rank >= INNER_RANK else (Tier.USER,)


def is_visible(tier: Tier, entry: MemoryEntry, viewer: Viewer) -> bool:
    """Whether an entry may enter a conversation with the viewer, at the place where they are.

    A private entry outside a user tier has no person that it could be private to, so nobody gets
    it. Other entries there are for the members of one workspace, or of all; people of other
    companies get none of them. What was learned in a channel that is public no more is for that
    channel.
    """
    if tier is Tier.USER:
        return viewer.sees(viewer.person, entry.learned)
    everybodys = not (entry.private or viewer.shared) and viewer.knows(entry.workspace)
    return everybodys and viewer.shares(entry.learned)


async def read_visible(
    store: MemoryStore, *, person: Person, agent: str, location: Location, archive: bool = False
) -> VisibleMemory:
    """Everything this request may see. A broken file is reported and the other tiers still come.

    `archive`: also entries that left the tiers, by the same rules.
    """
    viewer = Viewer.at(location, person)
    wanted = visible_tiers(person)
    tiers: list[VisibleTier] = []
    problems: list[str] = []
    found = await store.tiers(wanted, agent=agent, person_id=person.id, archive=archive)
    for tier, read in zip(wanted, found, strict=True):
        if isinstance(read, StorageError):
            problems.append(str(read))
            continue
        shown, gone = (tuple(one for one in part if is_visible(tier, one, viewer)) for part in read)
        tiers.append(VisibleTier(tier, shown, gone))
    return VisibleMemory(tuple(tiers), tuple(problems))

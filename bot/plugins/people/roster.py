"""The people: a file per known person, kept in step with their profile; and duplicates."""

import hashlib
import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import combinations

from bot.plugin.people import (
    INNER_RANK,
    DeliveryError,
    Directory,
    KnownPerson,
    PersonFile,
    Profile,
    plain_name,
)
from bot.plugin.tables import Unit, UnitRejected, format_utc, parse_utc
from bot.plugin.tools import PUBLICLY, Origin, RecordProvenance, Trust, Viewer, free_slug, slug_of
from bot.plugins.people import store
from bot.plugins.people.store import PeopleRows, PersonRow

log = logging.getLogger(__name__)

FRESH = timedelta(days=1)
"""The shortest time between two requests for one profile."""
MOST_NAMES = 5
MOST_OF_A_NAME = 20
"""The number of people with one name among whom every pair is compared."""
TITLE_CHARS = 120


@dataclass(frozen=True)
class Roster:
    """The files about people as a viewer may see them."""

    rows: PeopleRows
    directory: Directory

    async def seen(self, viewer: Viewer, now: datetime) -> tuple[list[PersonRow], int]:
        """All files that this viewer may see, and how many of their own are hidden."""
        await self.add_newcomers(now)
        return await self.rows.seen(viewer)

    async def add_newcomers(self, now: datetime) -> None:
        """Create files about people met since the last call. Raises StorageError."""
        newcomers = await self.directory.newcomers()
        if not newcomers:
            return
        there = await self.rows.with_account(newcomers)
        for person in newcomers:
            if person.id not in there:
                await self.begin(person, now)

    async def begin(self, person: KnownPerson, now: datetime) -> PersonRow | None:
        """Create the file of a newly met person; None if another request was faster."""
        row = await self._new(person, now)
        try:
            await self.rows.database.write(store.insert(row))
        except UnitRejected:
            log.debug("person=<%s> | there is a file already", person.id)
            return None
        return row

    async def _new(self, person: KnownPerson, now: datetime) -> PersonRow:
        name, at = plain_name(person.name), format_utc(now)
        id_ = hashlib.sha256(person.id.encode()).hexdigest()[:10]
        trust = Trust.MEMBER if person.rank >= INNER_RANK else Trust.OUTSIDER
        provenance = RecordProvenance("", "", "", PUBLICLY, Origin(trust, f"profile:{person.id}"))
        slug = await free_slug(slug_of(name), id_, PUBLICLY, self.rows.taken)
        return PersonRow(
            id_, slug, "", name, provenance, at, at, timezone=person.timezone, accounts=(person.id,)
        )

    async def refreshed(self, row: PersonRow, now: datetime) -> tuple[PersonRow, Unit]:
        """The file with today's profile, and the unit that stores it (empty if unchanged)."""
        asked = row.asked_at is not None and now - parse_utc(row.asked_at) < FRESH
        if asked or row.owner or row.forgotten_at or not row.accounts:
            return row, Unit()
        found: Profile | None = None
        for account in row.accounts:
            try:
                found = found or await self.directory.profile(account)
            except DeliveryError as error:
                log.info(
                    "person=<%s>, error=<%s> | their profile can't be read now", account, error
                )
                return row, Unit()
        now_row = replace(
            _with_profile(row, found), asked_at=format_utc(now), updated_at=format_utc(now)
        )
        return now_row, store.update(row, now_row)


@dataclass(frozen=True)
class PeopleByName:
    """Implements `domain.people.FindsPeople`."""

    rows: PeopleRows

    async def named(self, viewer: Viewer, name: str) -> Sequence[PersonFile]:
        """People with that whole name, else with that first name."""
        files, _ = await self.rows.seen(viewer)
        found = bearing(files, name)
        return [PersonFile(row.name, row.path) for row in found]


async def doubles(rows: PeopleRows, row: PersonRow, files: Iterable[PersonRow]) -> list[PersonRow]:
    """Files with a name in common, except pairs that somebody called two people."""
    apart = await rows.apart()
    return [
        other
        for other in files
        if other.id != row.id and _pair(row, other) not in apart and _names(row) & _names(other)
    ]


async def pairs(rows: PeopleRows, files: Sequence[PersonRow]) -> list[tuple[PersonRow, PersonRow]]:
    """Pairs of files that may be about the same person, each pair once."""
    apart = await rows.apart()
    by_name: dict[str, list[PersonRow]] = {}
    for row in files:
        for name in _names(row):
            by_name.setdefault(name, []).append(row)
    found: dict[tuple[str, str], tuple[PersonRow, PersonRow]] = {}
    for same in by_name.values():
        for one, other in combinations(same[:MOST_OF_A_NAME], 2):
            if _pair(one, other) not in apart:
                found.setdefault(_pair(one, other), (one, other))
    return list(found.values())


def bearing(files: Sequence[PersonRow], name: str) -> list[PersonRow]:
    """People with a name: the file's own name, a whole name, else one word of a name."""
    wanted = slug_of(name.strip().removeprefix("@"))
    if not wanted:
        return []
    whole = [row for row in files if wanted == row.slug or wanted in _names(row)]
    if whole:
        return whole
    parts = set(wanted.split("-"))
    return [row for row in files if any(parts <= set(known.split("-")) for known in _names(row))]


def _names(row: PersonRow) -> set[str]:
    return {slug for name in row.names if (slug := slug_of(name))}


def _pair(one: PersonRow, other: PersonRow) -> tuple[str, str]:
    first, second = sorted((one.id, other.id))
    return first, second


def _with_profile(row: PersonRow, found: Profile | None) -> PersonRow:
    if found is None:
        return row
    fields = {
        "name": plain_name(found.name),
        "other_names": tuple(plain_name(name) for name in found.other_names if name)[:MOST_NAMES],
        "title": plain_name(found.title) if found.title.strip() else "",
        "timezone": found.timezone,
    }
    taken = {field: value for field, value in fields.items() if value and field not in row.by_hand}
    now = replace(row, **taken)
    earlier = tuple(name for name in (*now.other_names, *row.names) if name != now.name)
    return replace(now, other_names=tuple(dict.fromkeys(earlier))[:MOST_NAMES])

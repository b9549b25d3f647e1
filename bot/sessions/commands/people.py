"""`/people`: possible duplicates, and merging two files."""

from bot.clock import format_utc
from bot.connectors.people import store
from bot.connectors.people.roster import bearing, pairs
from bot.connectors.people.store import PeopleRows, PersonRow
from bot.domain.access import Person, Role
from bot.domain.clock import Clock
from bot.domain.database import Database
from bot.domain.privacy import Viewer, left_out
from bot.errors import UnitRejected

USAGE = "[merge|apart NAME NAME]"
SHOWN = 30
_HOW = (
    "Say `/people merge NAME NAME` or `/people apart NAME NAME`, with names as in /people/NAME.md."
)


class PeopleCommands:
    """Files about people, without a model. Only a typed command merges two of them."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database, self._clock = database, clock
        self._rows = PeopleRows(database)

    async def run(self, args: str, person: Person, viewer: Viewer) -> str:
        """One command; repeated after a crash, it says that it is done."""
        verb, *names = args.split()[:3] or [""]
        files, hidden = await self._rows.seen(viewer)
        if not verb:
            return await self._listed(files, hidden)
        if verb.casefold() not in {"merge", "apart"} or len(names) != 2:
            return _HOW
        found = [await self._named(files, name) for name in names]
        for name, row in zip(names, found, strict=True):
            if row is None:
                return f"There is no file {name[:60]} here, or several are called that. {_HOW}"
        one, other = found
        if one is None or other is None or one.id == other.id:
            return "Both names mean one file already."
        if refusal := _refusal(person, one, other):
            return refusal
        return await (
            self._merge(one, other) if verb.casefold() == "merge" else self._apart(one, other)
        )

    async def _named(self, files: list[PersonRow], name: str) -> PersonRow | None:
        """A file by its current or former name, or its person's; None for none or several."""
        slug = name.removeprefix("/people/").removesuffix(".md")
        row = await self._rows.at(slug)
        if row is not None and any(row.id == shown.id for shown in files):
            return row
        found = bearing(files, slug)
        return found[0] if len(found) == 1 else None

    async def _merge(self, one: PersonRow, other: PersonRow) -> str:
        gone, kept = (other, one) if one.accounts and not other.accounts else (one, other)
        try:
            await self._database.write(store.merge(gone, kept, format_utc(self._clock.now())))
        except UnitRejected:
            return "One of the two was changed just now. Try again."
        return f"{gone.path} is {kept.path} now, with the notes of both."

    async def _apart(self, one: PersonRow, other: PersonRow) -> str:
        await self._database.write(store.keep_apart(one, other))
        return (
            f"{one.name} ({one.slug}) and {other.name} ({other.slug}) are two people: I won't ask "
            "again."
        )

    async def _listed(self, files: list[PersonRow], hidden: int) -> str:
        lines = [
            f"- {row.name}{f', {row.title}' if row.title else ''} ({row.slug})"
            for row in files[:SHOWN]
        ]
        if len(files) > SHOWN:
            lines.append(f"- and {len(files) - SHOWN} more")
        twins = await pairs(self._rows, files)
        lines += [
            f"Maybe the same: `/people merge {two.slug} {one.slug}`, else `apart`."
            for one, two in twins[:SHOWN]
        ]
        lines += [f"{left_out(hidden)}."] if hidden else []
        return "\n".join(lines) or "I keep no files about people yet. Ask me who somebody is."


def _refusal(person: Person, one: PersonRow, other: PersonRow) -> str:
    """The maker of both files may merge them; a Partner may merge files that all members read."""
    if all(row.owner == person.id for row in (one, other)) or person.role.rank >= Role.PARTNER.rank:
        return ""
    return "Only a Partner or a MasterAdmin merges files that others read."

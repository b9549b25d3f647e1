"""People and what each may do, with the file and line that says so."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from bot.domain.access import INNER_RANK, Person, Role
from bot.domain.database import Database
from bot.errors import SettingsError
from bot.plugin.views import Looker, RightRow, RightsView, Rows, ShownPerson
from bot.sessions.people.contacts import Contacts
from bot.sessions.records.channel_store import Channels
from bot.sessions.records.spoken_store import newest_name
from bot.sessions.reports.rights_report import RightsReports, place_named
from bot.views.paging import in_order
from bot.views.sight import RowKind, may_see

MOST_LOOKED_UP = 50
"""People outside of contacts.yaml whose newest message is looked at for one list."""
NOBODY = "There is nobody with this id, or it is not for you to see."


@dataclass(frozen=True)
class HousePeople:
    """Implements `bot.plugin.views.ShowsPeople`."""

    database: Database
    contacts: Contacts
    channels: Channels
    reports: RightsReports

    async def look(self, who: Looker, *, behind: str = "") -> Rows[ShownPerson]:
        if not may_see(who, RowKind.HOUSE):
            return Rows([self._row(who.person)])
        page = in_order(self.contacts.people, lambda one: one.id, behind)
        known = [self.contacts.person(one.id) for one in page.rows]
        return Rows([self._row(one) for one in known if one is not None], page.next)

    async def names(self, who: Looker, people: Collection[str]) -> Mapping[str, str]:
        """The operator reads everybody's, members those of contacts.yaml, guests their own."""
        if may_see(who, RowKind.HOUSE):
            return await self._called(people)
        names = {who.person.id: who.person.name}
        if who.person.role.rank >= INNER_RANK:
            known = [self.contacts.person(one) for one in people]
            names |= {one.id: one.name for one in known if one is not None}
        return names

    async def _called(self, people: Collection[str]) -> dict[str, str]:
        """As contacts.yaml says, or else as they were called in their newest message."""
        names: dict[str, str] = {}
        looked = 0
        for id_ in sorted(people):
            known = self.contacts.person(id_)
            if known is not None:
                names[id_] = known.name
            elif looked < MOST_LOOKED_UP:
                looked += 1
                if name := await newest_name(self.database, id_):
                    names[id_] = name
        return names

    async def rights(self, who: Looker, person: str, place: str) -> RightsView | str:
        of = self._found(who, person)
        if of is None:
            return NOBODY
        try:
            there = await place_named(self.channels, place, self.contacts.platforms)
            report = await self.reports.of(of, there, operator=may_see(who, RowKind.HOUSE))
        except SettingsError as error:
            return str(error).removeprefix("--in: ")
        return RightsView(
            self._row(of),
            report.place,
            report.terms,
            [RightRow(one.tool, one.open, one.because, one.rules) for one in report.tools],
        )

    def _found(self, who: Looker, person: str) -> Person | None:
        """Oneself; for the operator also a contact, or anybody who has a role."""
        if person in {"", who.person.id}:
            return who.person
        if not may_see(who, RowKind.HOUSE):
            return None
        known = self.contacts.person(person)
        if known is not None:
            return known
        try:
            role = Role.parse(person)
        except ValueError:
            return None
        return Person(f"any {role}", f"Somebody with the role {role}", role)

    def _row(self, person: Person) -> ShownPerson:
        accounts = sorted({one.platform for one in self.contacts.accounts(person.id)})
        return ShownPerson(
            person.id, person.name, person.role, self.contacts.role_source(person), accounts
        )

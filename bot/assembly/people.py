"""Moves people's data when contacts.yaml names them."""

from dataclasses import dataclass

from bot.assembly.house import House
from bot.assembly.plugged import tables_of
from bot.domain.memory import Keeper
from bot.files.projects.folders import ProjectKeeper
from bot.sessions.people.contact_record import ContactRecord
from bot.sessions.people.person_links import PersonLinks
from bot.sessions.people.takeovers import TakeOvers


@dataclass(frozen=True)
class Moves:
    """What follows a person whom contacts.yaml gives another id, or a first one."""

    record: ContactRecord
    links: PersonLinks
    takeovers: TakeOvers
    """What a MasterAdmin gives a contact of another id's things."""


def build_moves(house: House) -> Moves:
    """Moves the database's rows, and what lies beside it: memory, tokens, projects."""
    ground, contacts, memory = house.ground, house.written.contacts, house.written.memory
    database, clock, wake = ground.database, ground.clock, house.chats.outbox.retries.wake
    keepers: list[Keeper] = [
        memory,
        house.accounts.credentials,
        ProjectKeeper(ground.settings.home / "data" / "workspaces"),
        *house.forgetting.keepers,
    ]
    if house.tooling.catalog.past is not None:
        keepers.append(house.tooling.catalog.past)
    record = ContactRecord(database, clock, contacts.platforms)
    tables, finish = tables_of(house.plugged), [memory.finish_moves]
    links = PersonLinks(database, clock, contacts, keepers, wake, tables, finish)
    approvals = house.permission.approvals
    takeovers = TakeOvers(database, clock, contacts, record, links, approvals, wake)
    return Moves(record, links, takeovers)

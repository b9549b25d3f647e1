"""Moves people's data when contacts.yaml names them."""

from collections.abc import Sequence

from bot.assembly.accounts import Accounts
from bot.assembly.browser import browser_keepers
from bot.assembly.chats import Chats
from bot.assembly.ground import Ground
from bot.assembly.tools import Tooling
from bot.assembly.written import WrittenHome
from bot.connectors.workspaces.project_keeper import ProjectKeeper
from bot.sessions.people.contact_record import ContactRecord
from bot.sessions.people.contacts import Contacts
from bot.sessions.people.person_links import Keeper, PersonLinks
from bot.sessions.people.takeovers import TakeOvers
from bot.tools.native.connector import Connector


def build_person_links(
    ground: Ground,
    written: WrittenHome,
    tooling: Tooling,
    accounts: Accounts,
    chats: Chats,
    connectors: Sequence[Connector],
    record: ContactRecord,
) -> PersonLinks:
    """Moves the database's rows, and what lies beside it: memory, tokens, projects."""
    keepers: list[Keeper] = [
        written.memory,
        accounts.credentials,
        ProjectKeeper(ground.settings.home / "data" / "workspaces"),
        *browser_keepers(connectors),
    ]
    if tooling.catalog.past is not None:
        keepers.append(tooling.catalog.past)
    finish = [written.memory.finish_moves]
    return PersonLinks(
        ground.database,
        ground.clock,
        written.contacts,
        record,
        keepers,
        chats.outbox.retries.wake,
        finish,
    )


def build_takeovers(
    ground: Ground,
    contacts: Contacts,
    tooling: Tooling,
    chats: Chats,
    record: ContactRecord,
    links: PersonLinks,
) -> TakeOvers:
    """What a MasterAdmin gives a contact of another id's things."""
    wake = chats.outbox.retries.wake
    return TakeOvers(
        ground.database, ground.clock, contacts, record, links, tooling.approvals, wake
    )

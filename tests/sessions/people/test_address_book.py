"""Whom the contacts vouch for: by address, by id, and by a unique name."""

import pytest

from bot.assembly.own_plugins import KNOWN_PLATFORMS
from bot.domain.access import Person, Role
from bot.domain.targets import TargetKind
from bot.sessions.people.contacts_file import parse_contacts
from bot.sessions.people.people import AddressBook
from bot.tools.definitions.targets import typed

CONTACTS = """\
- {id: carol, name: Carol Jones, role: Friend, email: carol@example.com}
- {id: dan1, name: Dan Brown, role: Friend}
- {id: dan2, name: Dan White, role: Friend}
"""
ANN = Person("ann", "Ann", Role.FRIEND)


@pytest.mark.parametrize(
    ("kind", "value", "known"),
    [
        ("email", "carol@example.com", True),
        ("id", "carol", True),
        ("id", "Carol Jones", True),
        ("account", "Carol", True),
        ("id", "Dan White", True),
        ("id", "Dan", False),
        ("account", "Dan", False),
        ("id", "Eve", False),
        ("email", "carol", False),
        ("channel", "Carol", False),
    ],
)
def test_a_contact_is_known_by_address_id_and_a_name_of_their_own(
    kind: str, value: str, known: bool
):
    people = parse_contacts(CONTACTS, "contacts.yaml", KNOWN_PLATFORMS).contacts
    assert AddressBook(lambda: people)(typed("to", TargetKind(kind), value), ANN) is known

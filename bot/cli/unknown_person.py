"""An unknown name or id on the command line."""

from bot.errors import BotError
from bot.sessions.people.contacts import Contacts


class UnknownPerson(BotError):
    """contacts.yaml has nobody with this name or id."""


def nobody_known(person: str, contacts: Contacts) -> str:
    """The error for an id without a contact and without data."""
    return (
        f"nothing is kept of {person!r}, and contacts.yaml does not know that id; it knows "
        f"{who_is_known(contacts)}"
    )


def who_is_known(contacts: Contacts) -> str:
    return (
        ", ".join(contact.id for contact in contacts.people)
        or "nobody yet (`bellhop contacts add` adds people)"
    )

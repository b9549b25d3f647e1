"""A name or id on the command line that stands for nobody."""

from typing import TYPE_CHECKING

from bot.errors import BotError

if TYPE_CHECKING:
    from bot.sessions.people.contacts import Contacts


class UnknownPerson(BotError):
    """contacts.yaml knows nobody of that name or id."""


def nobody_known(person: str, contacts: "Contacts") -> str:
    """What to say of an id that contacts.yaml doesn't know, and of which nothing is kept."""
    return (
        f"nothing is kept of {person!r}, and contacts.yaml does not know that id; it knows "
        f"{who_is_known(contacts)}"
    )


def who_is_known(contacts: "Contacts") -> str:
    return (
        ", ".join(contact.id for contact in contacts.people)
        or "nobody yet (`bellhop contacts set` adds people)"
    )

"""The one-time code with which the operator becomes the owner in a chat."""

import getpass

from bot.app import App
from bot.assembly.platforms import platforms_wanted
from bot.clock import SystemClock
from bot.domain.database import Database
from bot.sessions.commands.claims import Claims, has_owner, how_to_claim
from bot.sessions.people.contacts import Contacts
from bot.settings import Settings


async def claim_words(app: App, operator: str = "") -> str:
    """New codes and how to use them; empty when each platform that is served has its owner."""
    return await new_claim_words(
        app.database, app.contacts, app.settings, operator or operator_name()
    )


def operator_name() -> str:
    """The system's name of the current user; empty if there is none."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container may run as a number
        return ""


async def new_claim_words(
    database: Database, contacts: Contacts, settings: Settings, operator: str
) -> str:
    """The same of the parts of an app."""
    free = [
        platform.traits
        for platform in platforms_wanted(settings)
        if not has_owner(contacts, platform.name)
    ]
    if not free:
        return ""
    claims = Claims(database, SystemClock(), contacts)
    return how_to_claim([(one, await claims.new_code(operator)) for one in free if one.claim])

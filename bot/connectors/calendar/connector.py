"""The connector "calendar"."""

from collections.abc import Mapping
from pathlib import Path

from bot.connections.client import ServiceClient
from bot.connectors.accounts import AccountsConnector, PersonAccounts
from bot.connectors.calendar.events import CalendarAccount
from bot.connectors.calendar.google import GoogleCalendar
from bot.connectors.calendar.outlook import OutlookCalendar
from bot.connectors.calendar.tools import CalendarTools
from bot.tools.native.registry import Usable


def calendar_accounts(
    usable: Usable, clients: Mapping[str, ServiceClient]
) -> PersonAccounts[CalendarAccount]:
    """Everybody's calendars, from the accounts that they connected."""
    found: dict[str, CalendarAccount] = {}
    if "google" in clients:
        found["google"] = GoogleCalendar(clients["google"])
    if "outlook" in clients:
        found["outlook"] = OutlookCalendar(clients["outlook"])
    return PersonAccounts(usable, found)


class CalendarConnector(AccountsConnector[CalendarAccount]):
    """For people who connected Google or Outlook. Ships the skill for writing events."""

    id = "calendar"
    skills = Path(__file__).parent / "skills"

    def __init__(self, accounts: PersonAccounts[CalendarAccount]) -> None:
        super().__init__(accounts, *CalendarTools(accounts).tools())

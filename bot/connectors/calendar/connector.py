"""The connector "calendar"."""

from pathlib import Path

from bot.connectors.accounts import AccountsConnector, PersonAccounts
from bot.connectors.calendar.events import CalendarAccount
from bot.connectors.calendar.tools import CalendarTools


class CalendarConnector(AccountsConnector[CalendarAccount]):
    """For people who connected a calendar. Ships the skill for writing events."""

    id = "calendar"
    skills = Path(__file__).parent / "skills"

    def __init__(self, accounts: PersonAccounts[CalendarAccount]) -> None:
        super().__init__(accounts, *CalendarTools(accounts).tools())

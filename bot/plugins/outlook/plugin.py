"""Outlook: mail and calendars of people who connected it."""

from bot.plugin.plugin import Given, NoSettings, Parts, Plugin
from bot.plugin.services import Phrase, Revoking, Service

OUTLOOK = Service(
    id="outlook",
    title="Outlook",
    what=Phrase("Outlook mail and calendar"),
    tools=frozenset({"read_emails", "read_calendar", "create_event"}),
    base_url="https://graph.microsoft.com/v1.0",
    authorize_url="https://login.microsoftonline.com/common/oauth2/v2.0/authorize",
    token_url="https://login.microsoftonline.com/common/oauth2/v2.0/token",
    revoking=Revoking.NEVER,
    manage_url="https://myapplications.microsoft.com",
    scopes=("offline_access", "Mail.Read", "Calendars.ReadWrite"),
)


class Outlook(Plugin[NoSettings]):
    name = "outlook"
    title = "Outlook mail and calendar"
    services = (OUTLOOK,)

    def build(self, given: Given[NoSettings]) -> Parts:
        if (client := given.clients.get(OUTLOOK.id)) is None:
            return Parts()
        from bot.plugins.outlook.calendar import OutlookCalendar  # noqa: PLC0415 - only where it is used
        from bot.plugins.outlook.mailbox import OutlookMailbox  # noqa: PLC0415

        return Parts(
            calendars={OUTLOOK.id: OutlookCalendar(client)},
            mailboxes={OUTLOOK.id: OutlookMailbox(client, given.clock)},
        )

"""Google: mail and calendars of people who connected it."""

from bot.plugin.plugin import Given, NoSettings, Parts, Plugin
from bot.plugin.services import Phrase, Service

GOOGLE = Service(
    id="google",
    title="Google",
    what=Phrase("Gmail and Google Calendar"),
    tools=frozenset({"read_emails", "get_calendar", "read_calendar", "create_event"}),
    base_url="https://www.googleapis.com",
    apis={"gmail": "https://gmail.googleapis.com"},
    authorize_url="https://accounts.google.com/o/oauth2/v2/auth",
    token_url="https://oauth2.googleapis.com/token",
    revoke_url="https://oauth2.googleapis.com/revoke",
    manage_url="https://myaccount.google.com/connections",
    scopes=(
        "https://www.googleapis.com/auth/gmail.readonly",
        "https://www.googleapis.com/auth/calendar.events",
    ),
    # Without `consent` Google gives a refresh token the first time only.
    authorize_with={"access_type": "offline", "prompt": "consent"},
)


class Google(Plugin[NoSettings]):
    name = "google"
    title = "Gmail and Google Calendar"
    services = (GOOGLE,)

    def build(self, given: Given[NoSettings]) -> Parts:
        if (client := given.clients.get(GOOGLE.id)) is None:
            return Parts()
        from bot.plugins.google.calendar import GoogleCalendar  # noqa: PLC0415 - only where it is used
        from bot.plugins.google.mailbox import GmailMailbox  # noqa: PLC0415

        return Parts(
            calendars={GOOGLE.id: GoogleCalendar(client)},
            mailboxes={GOOGLE.id: GmailMailbox(client)},
        )

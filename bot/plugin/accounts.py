"""For services that keep people's mail or calendars: the two Protocols, and what they hand over.

A plug-in gives `Parts.calendars` and `Parts.mailboxes`; the tools over them, the automations that
wait for mail and events, and booking pages are the house's.
"""

from bot.connectors.accounts import aware, read_items
from bot.connectors.calendar.events import (
    MOST_EVENTS,
    OWN,
    CalendarAccount,
    CalendarEvent,
    EventDraft,
    EventList,
    MadeEvent,
)
from bot.connectors.mailboxes.attached import (
    MOST_ANSWER_BYTES,
    AttachedToMail,
    from_base64,
    require_name,
)
from bot.connectors.mailboxes.emails import (
    MOST_ARRIVED,
    Arrived,
    Box,
    Email,
    EmailList,
    Letter,
    MailboxAccount,
    require_id,
)

__all__ = [
    "MOST_ANSWER_BYTES",
    "MOST_ARRIVED",
    "MOST_EVENTS",
    "OWN",
    "Arrived",
    "AttachedToMail",
    "Box",
    "CalendarAccount",
    "CalendarEvent",
    "Email",
    "EmailList",
    "EventDraft",
    "EventList",
    "Letter",
    "MadeEvent",
    "MailboxAccount",
    "aware",
    "from_base64",
    "read_items",
    "require_id",
    "require_name",
]

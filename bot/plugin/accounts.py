"""For services that keep people's mail or calendars: the two Protocols, and what they hand over.

A plug-in gives `Parts.calendars` and `Parts.mailboxes`; the tools over them, and the automations
that wait for mail and events, are the house's. Another reads calendars (`bot.plugin.late`).
"""

from bot.connectors.accounts import aware, plain_line, read_items
from bot.connectors.calendar.events import (
    MOST_EVENTS,
    OWN,
    CalendarAccount,
    CalendarEvent,
    EventDraft,
    EventList,
    MadeEvent,
    event_key,
    spoken_span,
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
    "event_key",
    "from_base64",
    "plain_line",
    "read_items",
    "require_id",
    "require_name",
    "spoken_span",
]

"""Automations as people read them."""

from collections.abc import Mapping

from bot.domain.automations import EventKind
from bot.domain.languages import CountedPhrase, Phrase

STARTS_NOTHING = Phrase("starts nothing: {error}")
ON_EVENT = Phrase("on {event}")
WAITS_FOR_PARTNER = Phrase("waits until a Partner says `/automations on` in that channel")
FILE = Phrase("file: {path}")
ANSWERS = Phrase("answers: {where}")
CHANNEL = Phrase("channel {channel}")
WHERE_MADE = Phrase("where it was made")
NEXT_RUN = Phrase("next run: in {seconds} s")
IN = Phrase("in {place}")
BY_MEMBERS = Phrase("by members")
BY_ANYONE = Phrase("by anyone")
BY = Phrase("by {author}")
OF = Phrase("of {emoji}")
WITH = Phrase("with {words}")
MATCHES = Phrase("that matches {pattern}")
MINUTES_BEFORE = CountedPhrase(Phrase("{count} minute before"), Phrase("{count} minutes before"))
OR = Phrase("{one} or {other}")
MESSAGE = Phrase("message")
REACTION = Phrase("reaction")
POLL_ENDED = Phrase("poll ended")
WEBHOOK = Phrase("webhook")
NEW_PERSON = Phrase("new person")
MEETING_PREP = Phrase("meeting prep")
TODO_ASSIGNED = Phrase("todo assigned")
TODO_WOKEN = Phrase("todo woken")
EMAIL_RECEIVED = Phrase("email received")
EMAIL_SENT = Phrase("email sent")
EVENT_ADDED = Phrase("event added")
PLUGIN = Phrase("plugin")

EVENTS: Mapping[EventKind, Phrase] = {
    EventKind.MESSAGE: MESSAGE,
    EventKind.REACTION: REACTION,
    EventKind.POLL_ENDED: POLL_ENDED,
    EventKind.WEBHOOK: WEBHOOK,
    EventKind.NEW_PERSON: NEW_PERSON,
    EventKind.MEETING_PREP: MEETING_PREP,
    EventKind.TODO_ASSIGNED: TODO_ASSIGNED,
    EventKind.TODO_WOKEN: TODO_WOKEN,
    EventKind.EMAIL_RECEIVED: EMAIL_RECEIVED,
    EventKind.EMAIL_SENT: EMAIL_SENT,
    EventKind.EVENT_ADDED: EVENT_ADDED,
    EventKind.PLUGIN: PLUGIN,
}

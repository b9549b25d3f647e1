"""What making an automation or a schedule as a file does, as cards say it."""

from collections.abc import Mapping

from bot.domain.automations import EventKind
from bot.domain.languages import Phrase

WHENEVER = Phrase("have this done whenever {event}{where}: {what}")
OFF_WHENEVER = Phrase("keep this, switched off whenever {event}{where}: {what}")
TOLD_IN = Phrase(", told in channel {channel}")
DONE = Phrase("have this done {when}{zone}: {what}")
OFF_DONE = Phrase("keep this, switched off {when}{zone}: {what}")
AGAIN = Phrase("again and again, {repeat}")
ONCE = Phrase("once, at {at}")
STOP = Phrase("stop and delete the automation {path}")
WITH = Phrase("with {words}")
SUBJECT = Phrase("with the subject {words}")
LABEL = Phrase("labelled {words}")
MATCHING = Phrase("matching {words}")
IN_CHANNEL = Phrase("in channel {channel}")
HERE = Phrase("here")
OR = Phrase("or")
WHO: Mapping[str, Phrase] = {"members": Phrase("a member"), "anyone": Phrase("anybody at all")}
ANYBODY = Phrase("anybody")
REACTS_WITH = Phrase("{who} reacts with {emoji} to something")
HAPPENS: Mapping[EventKind, Phrase] = {
    EventKind.REACTION: Phrase("{who} reacts to something"),
    EventKind.MESSAGE: Phrase("{who} writes something"),
    EventKind.POLL_ENDED: Phrase("a poll that I posted ends"),
    EventKind.WEBHOOK: Phrase("its web address is called, by whoever knows that,"),
    EventKind.NEW_PERSON: Phrase("somebody new writes"),
    EventKind.MEETING_PREP: Phrase("a meeting begins in {minutes} minutes"),
    EventKind.TODO_ASSIGNED: Phrase("I begin to work on a todo of theirs"),
    EventKind.TODO_WOKEN: Phrase("a todo of theirs wakes up, and I begin to work on it"),
    EventKind.EMAIL_RECEIVED: Phrase("a mail comes from {address}"),
    EventKind.EMAIL_SENT: Phrase("they send a mail to {address}"),
    EventKind.EVENT_ADDED: Phrase("an event comes into their calendar"),
    EventKind.PLUGIN: Phrase("{source} happens"),
}
"""What starts an automation, by its event."""

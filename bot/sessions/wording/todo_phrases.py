"""What `/todo`, `/remindme` and `/undo` say."""

from bot.domain.languages import Phrase

DUE = Phrase(", due {when}")
YOUR_PRIVATE_TODO = Phrase("your private todo")
TITLED = Phrase("“{title}”")
DONE_ALREADY = Phrase("Done already: {title}.")
TODO_HOW = Phrase("Say `/todo {usage}`. Without arguments it lists your open todos.")
DONE = Phrase("Done: {title}.")
DONE_AGAIN = Phrase("Done for this time: {title}. Next: {when}.")
MOVED = Phrase("I remind you of {title} on {when}.")
DEFAULT = Phrase("members may remind you from a place where you both are")
ON = Phrase("members may remind you from anywhere")
ASK = Phrase("I ask you about each reminder that somebody sets for you")
OFF = Phrase("nobody but you may have me remind you")
MESSAGES_ON = Phrase("members may have me send you a message")
MESSAGES_OFF = Phrase("nobody may have me send you a message")
FROM_NOW_ON = Phrase("From now on {what}.")
UNDELIVERED_ASKING = Phrase("not delivered: they have not answered yet")
UNDELIVERED_YET = Phrase("not delivered yet")
DELIVERED = Phrase("delivered")
UNDELIVERED = Phrase("not delivered")
REMINDME_HOW = Phrase("Say `/remindme {usage}`.")
REMINDME_SHOWS = Phrase("Without arguments it shows your settings.")
ASK_DIRECTLY = Phrase("Ask me in a direct message; others read along here.", context="todos")
NOT_REMINDED = Phrase("I won't remind you of it.")
STOPPED = Phrase(
    "{name} can't set reminders for you any more. `/remindme again {id}` takes that back."
)
DECIDED = Phrase("That was decided already.")
CLOSED = Phrase("That todo is closed already.")
REMINDED_ON = Phrase("I remind you on {when}.")
STOPPED_NOBODY = Phrase(
    "You have stopped nobody called {name}. `/remindme` lists whom you stopped."
)
MAY_AGAIN = Phrase("`{id}` may set reminders for you again.")
FROM_OTHERS = Phrase(
    "Reminders from others ({choice}): {means}. Change it with `/remindme {usage}`."
)
MESSAGES_FROM_OTHERS = Phrase("Messages from others: {means}.")
YOU_STOPPED = Phrase("You stopped {name} (`{id}`); `/remindme again {id}` takes that back.")
SET_BY_YOU = Phrase("Set by you for others:")
NOTHING_TO_UNDO = Phrase("There is nothing to take back.")
NOTHING_OF_LAST_HOUR = Phrase("There is nothing to take back from the last hour.")
UNDO_HOW = Phrase("Say `/undo {usage}`. Without arguments it lists what can be taken back.")
NO_CHANGE = Phrase("There is no such change of yours in the last hour. `/undo` lists them.")
UNDONE_ALREADY = Phrase("Taken back already: {change}.")
NOT_UNDONE = Phrase("Not taken back, because it was changed since: {change}.")
UNDONE = Phrase("Taken back: {change}.")
CHANGES = Phrase("Changes of the last hour, the newest first:")
UNDO_NUMBER = Phrase("`/undo NUMBER` takes one back, `/undo all` all of them.")

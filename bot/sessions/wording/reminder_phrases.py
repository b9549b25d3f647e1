"""What reminders say, on their buttons too, and how they end."""

from bot.domain.languages import Phrase

REMINDER = Phrase("Reminder: **{title}**")
WAS_DUE = Phrase("It was due {when}; I couldn't remind you then.")
REMINDER_FROM = Phrase("Reminder from {who}: **{title}**")
MAY_I = Phrase("{who} wants me to remind you on {when}:\n> {title}\nMay I?")
DONE = Phrase("Done")
TOMORROW = Phrase("Tomorrow")
IN_AN_HOUR = Phrase("In 1 h")
YES = Phrase("Yes")
NO = Phrase("No")
NEVER = Phrase("Never from them")
STOP = Phrase("Stop {who}")
NEXT = Phrase("Next: {when}")
ALLOWED = Phrase("Allowed")

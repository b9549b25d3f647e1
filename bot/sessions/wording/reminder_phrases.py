"""What reminders say, on their buttons too, and how they end."""

from bot.domain.languages import Phrase

DONE = Phrase("Done")

"""Schedules as people read them."""

from bot.domain.languages import Phrase

DOES = Phrase("does: {what}")
NOTHING = Phrase("Nothing is scheduled.")

"""What a call of `create_calendar_event` does, as cards say it."""

from bot.domain.languages import Phrase

PUT = Phrase("put {title} into their own calendar ({account}): {when}{where}")
UNTIL = Phrase("until")

"""What a call of `create_calendar_event` does, as cards say it."""

from bot.domain.languages import Phrase

PUT = Phrase(
    "put {title} into their own calendar ({account}): {when}{where}",
    "{title} in den eigenen Kalender eintragen ({account}): {when}{where}",
    "mettre {title} dans son propre agenda ({account}) : {when}{where}",
    "poner {title} en su propio calendario ({account}): {when}{where}",
    "mettere {title} nel proprio calendario ({account}): {when}{where}",
)
UNTIL = Phrase("until", "bis", "jusqu'à", "hasta", "fino a")

"""What `/todo`, `/remindme` and `/undo` say."""

from bot.domain.languages import Phrase

TITLED = Phrase("“{title}”")
ASK_DIRECTLY = Phrase("Ask me in a direct message; others read along here.", context="todos")

"""What became of somebody's link to connect a service."""

from bot.domain.languages import Phrase

IS_CONNECTED = Phrase("{service} is connected.")

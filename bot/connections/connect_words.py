"""What became of somebody's link to connect a service."""

from bot.domain.languages import Phrase

OVER = Phrase(
    "That link is not valid any more: it was used before, or is older than {minutes} minutes. Ask"
    " for a new one with /connect."
)
CODE_REFUSED = Phrase(
    "{service} does not take that code. Open the link again, or ask for a new one with"
    " /connect {id}."
)
NOT_NOW = Phrase(
    "{service} could not be connected just now; the operator finds the reason in the log."
)
IS_CONNECTED = Phrase("{service} is connected.")

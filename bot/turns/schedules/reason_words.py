"""Why unattended work did not run or is paused, by the English words that are kept of it."""

from bot.domain.budget_words import BUDGETS
from bot.domain.languages import Phrase
from bot.domain.retelling import Retelling

BANNED = Phrase("its owner is banned")
UNCONFIRMED = Phrase("text from outside led to it and nobody has confirmed it. It says: “{words}”")
NOT_SEEN_TO_READ = Phrase("{who} can't be seen to read that place any more")
ROLES_UNKNOWN = Phrase("{platform} did not tell which roles {who} has")
NOT_ALLOWED = Phrase("{who} ({role}) may not have anything scheduled there any more")
FAILED_AGAIN = Phrase("failed {count} times in a row, the last time: {text}")
GIVEN_UP = Phrase("it was given up")
STOPPED = Phrase("somebody stopped it")
TAKEN_AWAY = Phrase("it was taken away")
USED_UP = Phrase("{text} is used up; it goes on next month")
TOO_OFTEN = Phrase(
    "it ran {count} times within an hour, which is the most; something may start it again and again"
)
CLOSED_THERE = Phrase("automations are off in the channel of its answers (`/automations on` there)")
NOT_PUBLIC = Phrase(
    "the channel that it watches is not public any more, and its answers go elsewhere"
)
PRIVATE_NOW = Phrase("it is private now and others read here; assign it again in a direct message")

REASONS = Retelling((
    BANNED,
    UNCONFIRMED,
    NOT_SEEN_TO_READ,
    ROLES_UNKNOWN,
    NOT_ALLOWED,
    FAILED_AGAIN,
    GIVEN_UP,
    STOPPED,
    TAKEN_AWAY,
    USED_UP,
    TOO_OFTEN,
    CLOSED_THERE,
    NOT_PUBLIC,
    PRIVATE_NOW,
    *BUDGETS,
))  # fmt: skip

"""A burst: one person's quick lines are one message, answered together once."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from bot.domain.messages import IncomingMessage
from bot.domain.turns import Waiting
from bot.sessions.records.envelope import message_of

BETWEEN = timedelta(seconds=1)
"""Longest time between two lines of one message."""
MOST_CHARS = 50_000
"""Of all lines together."""


class Burst:
    """The message that a turn answers, as far as its lines have come in."""

    def __init__(self, first: IncomingMessage) -> None:
        self._last = first.sent_at

    def joined(self, message: IncomingMessage) -> None:
        """The turn has taken this one, whenever it was written."""
        self._last = max(self._last, message.sent_at)

    def lines(self, waiting: Sequence[Waiting]) -> int:
        """How many of the first waiting messages go on with it.

        What gets an answer of its own kind is none of it.
        """
        last, chars, count = self._last, 0, 0
        for item in waiting:
            message = message_of(item.body)  # one that is damaged is told of by its own turn
            if message is None or not message.text.strip() or not _soon(last, message.sent_at):
                break
            chars += len(message.text)
            if chars > MOST_CHARS:
                break
            last, count = message.sent_at, count + 1
        return count


def _soon(earlier: datetime, later: datetime) -> bool:
    return abs(later - earlier) <= BETWEEN

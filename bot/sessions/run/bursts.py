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
    """The message that a turn answers, with the lines received so far."""

    def __init__(self, first: IncomingMessage) -> None:
        self._last = first.sent_at

    def joined(self, message: IncomingMessage) -> None:
        """The turn has taken this line, whenever it was written."""
        self._last = max(self._last, message.sent_at)

    def lines(self, waiting: Sequence[Waiting]) -> int:
        """The number of first waiting messages that continue it.

        Messages that need their own kind of answer do not.
        """
        last, chars, count = self._last, 0, 0
        for item in waiting:
            message = message_of(item.body)  # the turn of a damaged message reports it
            if message is None or not message.text.strip() or not _soon(last, message.sent_at):
                break
            chars += len(message.text)
            if chars > MOST_CHARS:
                break
            last, count = message.sent_at, count + 1
        return count


def _soon(earlier: datetime, later: datetime) -> bool:
    return abs(later - earlier) <= BETWEEN

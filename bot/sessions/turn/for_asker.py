"""Answers that one person alone may read, where others read: they get it, the place one line.

What a run has read decides, and what the model asks for; see docs/security.md#between-people.
"""

from collections.abc import Callable
from dataclasses import replace

from bot.agents.loop.run import RunRecord
from bot.domain.chat import (
    LiveUpdate,
    PlanShown,
    Status,
    TextDelta,
    Thinking,
    ToolEnded,
    ToolStarted,
)
from bot.domain.messages import IncomingMessage
from bot.domain.step_keys import StepKind, step_key
from bot.sessions.outbox.outbox import Sending

ALONE = step_key(StepKind.SEND, "alone")
UNREACHED = step_key(StepKind.SEND, "unreached")
_WITH_WORDS = (TextDelta, Thinking, ToolStarted, ToolEnded, PlanShown, Status)
"""A status may be what a server says of its work on arguments that are for one person alone."""


def read_by_others(message: IncomingMessage) -> bool:
    """Whether others read what is answered to a message in its place."""
    return not message.private and message.reply_to.ephemeral_to is None


def to_asker(sending: Sending, message: IncomingMessage) -> Sending:
    """The same for the person of a message alone."""
    target = replace(message.reply_to, interaction=None, ephemeral_to=message.sender.id)
    alone = replace(sending.message, target=target)
    return replace(sending, message=alone, in_order=False)


def unseen_by_others(
    show: Callable[[LiveUpdate], None], record: RunRecord, message: IncomingMessage
) -> Callable[[LiveUpdate], None]:
    """The live view of a run, which goes on without words once they are for one person alone."""

    def shown(update: LiveUpdate) -> None:
        words = isinstance(update, _WITH_WORDS)
        if not (words and record.for_asker and read_by_others(message)):
            show(update)

    return shown

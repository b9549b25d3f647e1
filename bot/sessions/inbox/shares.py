"""The owner of an engine's session: one person's work counts together, wherever it is written."""

from bot.domain.sessions import SessionKey
from bot.turns.shares import Share, Urgency

CONTROL = "control"
"""Replaces the platform in sessions of commands and clicks, beside the person's own."""


def control_session(conversation: str, message: str, person: str) -> str:
    """Each command has a session of its own: it waits for no other work of its person.

    By their keys.
    """
    return str(SessionKey(CONTROL, conversation, message, person))


def conversation_in(session: str) -> str:
    """The key of a session's conversation; empty if its name does not contain one."""
    try:
        key = SessionKey.parse(session)
    except ValueError:  # a name from an earlier version
        return ""
    return key.workspace if key.platform == CONTROL else key.conversation_key


def share_of(session: str) -> Share:
    try:
        key = SessionKey.parse(session)
    except ValueError:  # a name from an earlier version
        return Share(session)
    if key.platform == CONTROL:
        return Share(key.person, Urgency.COMMAND)
    return Share(key.person, Urgency.BACKGROUND if key.run else Urgency.REQUEST)

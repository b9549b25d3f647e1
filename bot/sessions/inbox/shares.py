"""The owner of an engine's session: one person's work counts together, wherever written."""

from bot.domain.sessions import SessionKey
from bot.turns.shares import Share, Urgency

CONTROL = "control"
"""Replaces the platform in sessions of commands and clicks, beside the person's own."""


def control_session(conversation: str, message: str, person: str) -> str:
    """Each command has a session of its own: it waits for nothing that its person does.

    By their keys.
    """
    return str(SessionKey(CONTROL, conversation, message, person))


def conversation_in(session: str) -> str:
    """Key of the conversation in which a session takes place; empty when its name does not say."""
    try:
        key = SessionKey.parse(session)
    except ValueError:  # named by an earlier version
        return ""
    return key.workspace if key.platform == CONTROL else key.conversation_key


def share_of(session: str) -> Share:
    try:
        key = SessionKey.parse(session)
    except ValueError:  # named by an earlier version
        return Share(session)
    if key.platform == CONTROL:
        return Share(key.person, Urgency.COMMAND)
    return Share(key.person, Urgency.BACKGROUND if key.run else Urgency.REQUEST)

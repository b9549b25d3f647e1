"""What the name of a session says: its conversation, and whose share it counts in."""

from functools import lru_cache

from bot.domain.sessions import SessionKey
from bot.sessions.inbox.router import CONTROL
from bot.turns.shares import Share, Urgency


def conversation_in(session: str) -> str:
    """The key of a session's conversation; empty if its name does not contain one."""
    try:
        key = SessionKey.parse(session)
    except ValueError:  # a name from an earlier version
        return ""
    return key.workspace if key.platform == CONTROL else key.conversation_key


@lru_cache(maxsize=4096)
def share_of(session: str) -> Share:
    """Whose share a session counts in. The engine asks several times for each turn."""
    try:
        key = SessionKey.parse(session)
    except ValueError:  # a name from an earlier version
        return Share(session)
    if key.platform == CONTROL:
        return Share(key.person, Urgency.COMMAND)
    return Share(key.person, Urgency.BACKGROUND if key.run else Urgency.REQUEST)

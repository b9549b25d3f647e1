"""Telegram's limits: a message per second in a chat, 20 a minute in a group, 30 a second in all.

They are a little below Telegram's own limits, because calls don't arrive evenly.
"""

from collections.abc import Mapping
from typing import Any

from bot.plugin.limits import CallWindow, Rate

_ALL = CallWindow("all", Rate(28, 1.0, spare=5))
_CHAT = Rate(1, 1.05)
_GROUP = Rate(18, 60.0, spare=8)
"""The spare calls are for answers: drafts are edited with the others."""
_OTHER = Rate(25, 1.0)
_SHOWN = frozenset({"sendmessage", "senddocument", "editmessagetext", "editmessagereplymarkup"})


def windows(method: str, arguments: Mapping[str, Any]) -> tuple[CallWindow, ...]:
    """The windows that a call counts in, narrowest first."""
    if method == "getupdates":
        return ()
    chat = arguments.get("chat_id")
    if method not in _SHOWN or chat is None:
        return (CallWindow(method, _OTHER), _ALL)
    own = CallWindow(chat_window(chat), _CHAT)
    return (own, CallWindow(f"group {chat}", _GROUP), _ALL) if is_group(chat) else (own, _ALL)


def chat_window(chat: object) -> str:
    """The key of the window that all messages to a chat share."""
    return f"chat {chat}"


def is_group(chat: object) -> bool:
    """Groups have negative ids, people positive ones."""
    return str(chat).startswith("-")

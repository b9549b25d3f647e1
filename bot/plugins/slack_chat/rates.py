"""Slack's limits: calls per minute by method and workspace, and posts per channel.

They are a little below Slack's own limits, because calls don't arrive evenly.
"""

from collections.abc import Mapping
from typing import Any

from bot.plugin.limits import CallWindow, Rate

_MINUTE = 60.0
_TIER_2, _TIER_3, _TIER_4 = (
    Rate(18, _MINUTE),
    Rate(45, _MINUTE, spare=15),
    Rate(90, _MINUTE, spare=10),
)
_POST = Rate(1, 1.05)
_OTHERS = {
    "agents.sessions.setStatus": Rate(500, _MINUTE),
    "auth.test": Rate(500, _MINUTE),
    "chat.appendStream": _TIER_4,
    "chat.postEphemeral": _TIER_4,
    "chat.postMessage": Rate(900, _MINUTE),
    "chat.startStream": Rate(15, _MINUTE),
    "chat.stopStream": _TIER_2,
    "apps.connections.open": Rate(20, _MINUTE),
    "files.completeUploadExternal": _TIER_4,
    "files.getUploadURLExternal": _TIER_4,
    "files.info": _TIER_4,
    "usergroups.list": _TIER_2,
    "users.info": _TIER_4,
    "views.open": _TIER_4,
    "views.publish": _TIER_4,
}
"""Limits of methods that are not in tier 3.

Each started stream must also be stopped, so fewer are started.
"""


_STATUS = "agents.sessions.setStatus"
_ENDS = CallWindow(f"{_STATUS}, ends", Rate(180, _MINUTE))
"""Ends of work: the other calls are for people who wait for a first sign."""


def windows(method: str, arguments: Mapping[str, Any]) -> tuple[CallWindow, ...]:
    """The windows that a call counts in, narrowest first."""
    whole = CallWindow(method, _OTHERS.get(method, _TIER_3))
    if method == _STATUS and arguments.get("status") != "processing":
        return (_ENDS, whole)
    if method == "chat.postMessage":
        return (CallWindow(f"{method} {arguments.get('channel')}", _POST), whole)
    return (whole,)

"""For plug-ins with pages for people: what they serve on the HTTP server, and commands.

The house finds out who somebody is (`HouseViews.lookers`). A plug-in keeps its own sessions
of browsers, and shows what the views give for the person of the session.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from bot.domain.chat_commands import ChatCommand
from bot.log import register_secret
from bot.plugin.views import HouseViews


@dataclass(frozen=True)
class PageRequest:
    """What a browser asks. Names and values are as they were sent: nobody has judged them."""

    path: Mapping[str, str]
    """The parts of the path in braces."""
    query: Mapping[str, str]
    form: Mapping[str, str]
    """The fields of a posted form; of a field that comes twice, its values with spaces between."""
    cookies: Mapping[str, str]
    own_site: bool
    """Whether the browser says that a page of this site asks, or its address was typed."""


@dataclass(frozen=True)
class PageAnswer:
    """The answer. With `events` the body is a stream, sent piece by piece as it comes."""

    status: int = 200
    body: bytes = b""
    kind: str = "text/html; charset=utf-8"
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    events: AsyncIterator[bytes] | None = None


AnswerPage: TypeAlias = Callable[[PageRequest], Awaitable[PageAnswer]]


@dataclass(frozen=True)
class SitePage:
    """One address. The path begins with `/plugins/<name>/`, other than of our own plug-ins."""

    method: Literal["GET", "POST"]
    path: str
    answer: AnswerPage


@dataclass(frozen=True)
class Site:
    pages: Sequence[SitePage] = ()
    commands: Sequence[ChatCommand] = ()
    """Chat commands that only make sense where it has pages."""


@dataclass(frozen=True)
class SiteGround:
    """What a plug-in builds its pages from."""

    views: HouseViews
    address: str
    """Where browsers reach the server: scheme, host and perhaps a path, without a slash at the end.
    """
    public: bool
    """Whether the address is for others than this machine."""

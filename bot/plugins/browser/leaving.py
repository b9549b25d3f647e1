"""What may leave a page, what waits for a yes, and what is refused.

A page may only read until somebody says yes: between a step and a yes, only GET requests leave the
step's document, and none whose address speaks of deleting, paying and the like.

Requests that wait at the door for a yes: the page stays as it is until somebody decides.
"""

import hashlib
import json
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from urllib.parse import urlsplit

from playwright.async_api import Download, Error, Page, Request, Route

from bot.plugins.browser.elements import asks_to_write
from bot.plugins.browser.guard import BrowserGuard

_MOST = 20
_SHOWN_CHARS = 200


class HeldRequests:
    """What one step made the page send. Neither sent nor refused yet."""

    def __init__(self) -> None:
        self._waiting: list[tuple[Route, Request]] = []

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def __len__(self) -> int:
        return len(self._waiting)

    def takes(self) -> bool:
        """Whether there is room for one more."""
        return len(self._waiting) < _MOST

    def hold(self, route: Route, request: Request) -> None:
        self._waiting.append((route, request))

    @property
    def told(self) -> str:
        """Where the first of them goes and what it holds, for the deciding person."""
        if not self._waiting:
            return ""
        request = self._waiting[0][1]
        body = " ".join(_body(request).split())[:_SHOWN_CHARS]
        more = f", and {len(self._waiting) - 1} more" if len(self._waiting) > 1 else ""
        return f"{what(request)}{f': {body}' if body else ''}{more}"

    @property
    def fingerprint(self) -> str:
        """The facts to which a yes is given."""
        same = [[one.method, one.url, _body(one)] for _, one in self._waiting]
        return hashlib.sha256(json.dumps(same).encode()).hexdigest()

    async def release(self) -> None:
        """Send them."""
        waiting, self._waiting = self._waiting, []
        for route, _ in waiting:
            with suppress(Error):  # the page went away meanwhile
                await route.continue_()

    async def drop(self) -> None:
        """Refuse them."""
        waiting, self._waiting = self._waiting, []
        for route, _ in waiting:
            with suppress(Error):
                await route.abort("aborted")


def what(request: Request) -> str:
    """Method and address of a request, without its query."""
    parts = urlsplit(request.url)
    return f"{request.method} {parts.scheme}://{parts.netloc}{parts.path}"[:200]


def _body(request: Request) -> str:
    data = request.post_data_buffer
    return data.decode("utf-8", "replace") if data else ""


_READING = frozenset({"GET", "HEAD", "OPTIONS"})
_OWN_SCHEMES = frozenset({"data", "blob", "about"})
_SCRIPTED = frozenset({"fetch", "xhr"})
_NO_LOOK_UP = "the page could look nothing up, since it holds text that its person did not give"


@dataclass
class Happened:
    """The side effects of a step."""

    notes: list[str] = field(default_factory=list[str])
    held_back: list[str] = field(default_factory=list[str])
    """The request that the page tried to send and that was blocked."""
    downloads: list[Download] = field(default_factory=list[Download])
    opened: list[Page] = field(default_factory=list[Page])

    @property
    def told(self) -> list[str]:
        """For the model."""
        if not self.opened:
            return self.notes
        closed = self.opened[-1].is_closed()
        is_now = "closed again" if closed else "is the page now"
        return [*self.notes, f"a new window opened and {is_now}"]


class DoorVerdict(Enum):
    LEAVES = "leaves"
    WAITS = "waits"
    """For a yes; meanwhile the page stays as it is."""
    REFUSED = "refused"


@dataclass
class Door:
    """What the page is doing now, as far as its requests are judged by it."""

    acted: bool = False
    """A step was done on this document."""
    following: bool = False
    """The step follows a link."""
    sending: bool = False
    """Somebody said yes."""
    stepping: bool = False
    """A step is under way."""
    frame_host: str = ""
    """Of the frame of the element that is acted on."""

    def step(self, *, link: bool = False, sending: bool = False, host: str = "") -> None:
        """A step begins."""
        self.acted, self.following, self.sending, self.frame_host = True, link, sending, host

    def verdict(
        self, request: Request, page: Page | None, guard: BrowserGuard, happened: Happened
    ) -> DoorVerdict:
        """Judge a request; what is not let through is noted in `happened`."""
        if self._may_leave(request, page, guard, happened):
            return DoorVerdict.LEAVES
        return DoorVerdict.WAITS if self._waits(request, page) else DoorVerdict.REFUSED

    def _waits(self, request: Request, page: Page | None) -> bool:
        """A script's request can wait; a page that is being left can't even be looked at."""
        if not self.stepping or self.following or not _writes(request):
            return False
        return request.resource_type in _SCRIPTED and self._related(request, page)

    def _may_leave(
        self, request: Request, page: Page | None, guard: BrowserGuard, happened: Happened
    ) -> bool:
        parts = urlsplit(request.url)
        if parts.scheme in _OWN_SCHEMES:
            return True
        if parts.scheme not in {"http", "https"} or not guard.may_reach(parts.hostname or ""):
            return False
        if self.sending:
            return True
        navigation = request.is_navigation_request()
        if guard.sealed:
            if navigation or request.method not in _READING:
                happened.held_back.append(what(request))
            elif request.resource_type in _SCRIPTED and _NO_LOOK_UP not in happened.notes:
                happened.notes.append(_NO_LOOK_UP)
            return False
        if request.method in _READING and not (self._speaks(request) and _writes(request)):
            return True
        related = self._related(request, page)
        if not navigation and not self.acted:
            return related
        if (navigation or related) and request.resource_type != "ping":
            happened.held_back.append(what(request))
        return False

    def _speaks(self, request: Request) -> bool:
        """Whether the address of a GET counts: what a step started, not what a page consists of."""
        started = request.is_navigation_request() or request.resource_type in _SCRIPTED
        return self.acted and not self.following and started

    def _related(self, request: Request, page: Page | None) -> bool:
        host = urlsplit(request.url).hostname or ""
        own = urlsplit(page.url).hostname or "" if page is not None else ""
        return _is_below(host, own) or _is_below(host, self.frame_host)


def _writes(request: Request) -> bool:
    return request.method not in _READING or asks_to_write(request.url)


def _is_below(host: str, page_host: str) -> bool:
    base = page_host.removeprefix("www.")
    return bool(base) and (host in {page_host, base} or host.endswith(f".{base}"))

"""Requests that wait at the door for a yes: the page stays as it is until somebody decides."""

import hashlib
import json
from contextlib import suppress
from urllib.parse import urlsplit

from playwright.async_api import Error, Request, Route

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

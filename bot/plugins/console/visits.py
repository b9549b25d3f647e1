"""One request of somebody who is signed in, and the answers to it."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from bot.plugin.plugin import Clock
from bot.plugin.site import PageAnswer, PageRequest
from bot.plugin.views import HouseViews, Looker
from bot.plugins.console.sessions import Opened
from bot.plugins.console.templates import cut, fill, spoken

LOOK_S = 2.0
"""Seconds between two looks at what an open page shows."""
STREAM_S = 3_600.0
"""A stream ends then; the page begins another one."""
HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cache-Control": "no-store",
}


@dataclass(frozen=True)
class Desk:
    """What every page needs."""

    views: HouseViews
    base: str
    """The path of the console for browsers."""
    clock: Clock
    timezone: str


@dataclass(frozen=True)
class Visit:
    """A request whose person is known. `still` says whether they may still look."""

    desk: Desk
    session: Opened
    who: Looker
    request: PageRequest
    still: Callable[[], Awaitable[bool]]

    @property
    def views(self) -> HouseViews:
        return self.desk.views

    @property
    def zone(self) -> str:
        return self.who.person.timezone or self.desk.timezone

    def asked(self, name: str, most: int = 200) -> str:
        """A part of the address or its query; empty if it is missing."""
        found = self.request.path.get(name) or self.request.query.get(name) or ""
        return found[:most].replace("\0", "").strip()

    def given(self, name: str, most: int = 200) -> str:
        """A field of the posted form."""
        return self.request.form.get(name, "")[:most].replace("\0", "")

    async def called(self, people: Collection[str]) -> "PeopleNames":
        return PeopleNames(await self.views.people.names(self.who, set(people)))

    def fill(self, page: str, /, **values: Any) -> str:
        now = self.desk.clock.now()

        def when(moment: Any) -> str:
            return spoken(moment, self.zone, now)

        return fill(
            page,
            {
                "base": self.desk.base,
                "who": self.who,
                "secret": self.session.form_secret,
                "when": when,
                "now": now,
                "told": None,
                **values,
            },
        )

    def page(self, page: str, status: int = 200, /, **values: Any) -> PageAnswer:
        return html(self.fill(page, **values), status)


@dataclass(frozen=True)
class PeopleNames:
    """How people are called: their id where nobody says."""

    known: Mapping[str, str]

    def __call__(self, person: str) -> str:
        return cut(self.known.get(person) or person or "nobody", 60)


def html(text: str, status: int = 200) -> PageAnswer:
    return PageAnswer(status, text.encode("utf-8", "replace"), headers=HEADERS)


def gone_to(path: str, more: Mapping[str, str] | None = None) -> PageAnswer:
    """After a form: the browser looks at another page of ours."""
    return PageAnswer(303, headers={**HEADERS, "Location": path, **(more or {})})


def download(data: bytes, name: str, kind: str = "application/octet-stream") -> PageAnswer:
    """Saved by the browser, never shown in it. `name` is ours."""
    headers = {**HEADERS, "Content-Disposition": f'attachment; filename="{name}"'}
    return PageAnswer(body=data, kind=kind, headers=headers)


def missing(visit: Visit) -> PageAnswer:
    """The same for what is not there and for what is not theirs to see."""
    return visit.page("missing", 404)


def live(visit: Visit, look: Callable[[], Awaitable[str]]) -> PageAnswer:
    """Server-Sent Events: what `look` gives, whenever it differs from before."""
    kind = "text/event-stream; charset=utf-8"
    return PageAnswer(kind=kind, headers=HEADERS, events=_changes(visit, look))


async def _changes(visit: Visit, look: Callable[[], Awaitable[str]]) -> AsyncIterator[bytes]:
    """Between changes a comment shows whether the browser is still there."""
    before = ""
    for _ in range(round(STREAM_S / LOOK_S)):
        if not await visit.still():
            yield b"event: over\ndata: {}\n\n"
            return
        now = await look()
        if now != before:
            yield f"data: {json.dumps({'html': now})}\n\n".encode()
            before = now
        else:
            yield b":\n\n"
        await asyncio.sleep(LOOK_S)

"""The console's pages: who asks, whether they may, and the headers of every answer."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from enum import Enum, auto
from functools import partial
from pathlib import Path
from typing import Literal, TypeAlias
from urllib.parse import urlsplit

from bot.plugin.chat_commands import Asked, ChatCommand, CommandReply, Phrase
from bot.plugin.plugin import Given, NoSettings
from bot.plugin.site import PageAnswer, PageRequest, Site, SiteGround, SitePage
from bot.plugin.views import Gone, Looker
from bot.plugins.console import house_pages, usage_pages, work_pages
from bot.plugins.console.sessions import LIFE, LINK_LIFE, Logins, Opened, is_of
from bot.plugins.console.templates import fill
from bot.plugins.console.visits import HEADERS, Desk, Visit, gone_to, html, missing

Handle: TypeAlias = Callable[[Visit], Awaitable[PageAnswer]]


class Need(Enum):
    """Who may ask. What a page then shows, the views decide for each row."""

    PERSON = auto()
    """Whoever is signed in."""
    OPERATOR = auto()
    """A MasterAdmin. For others the page does not exist."""


@dataclass(frozen=True)
class Route:
    method: Literal["GET", "POST"]
    path: str
    """Behind that of the console."""
    need: Need
    handle: Handle


def _get(path: str, handle: Handle, need: Need = Need.PERSON) -> Route:
    return Route("GET", path, need, handle)


def _post(path: str, handle: Handle, need: Need = Need.PERSON) -> Route:
    return Route("POST", path, need, handle)


# `tests/plugins/console` tries them all.
ROUTES: tuple[Route, ...] = (
    _get("", work_pages.now),
    _get("/live", work_pages.now_live),
    _get("/runs", work_pages.runs),
    _get("/runs/{run}", work_pages.run),
    _get("/runs/{run}/live", work_pages.run_live),
    _get("/approvals", house_pages.approvals),
    _get("/approvals/{ref}", house_pages.approval),
    _post("/approvals/{ref}", house_pages.decide),
    _get("/usage", usage_pages.usage),
    _get("/memory", house_pages.memory),
    _post("/memory", house_pages.forget),
    _get("/rights", house_pages.rights),
    _get("/people", house_pages.people, Need.OPERATOR),
    _get("/people/{person}", house_pages.rights, Need.OPERATOR),
    _get("/unattended", house_pages.unattended),
    _post("/unattended/{ref}", house_pages.change_unattended),
    _get("/skills", house_pages.skills),
    _get("/staged/{name}", house_pages.staged, Need.OPERATOR),
    _post("/staged/{name}", house_pages.decide_staged, Need.OPERATOR),
    _get("/own", house_pages.own),
    _get("/own/file", house_pages.file),
    _get("/own/export", house_pages.export),
    _post("/own/disconnect", house_pages.disconnect),
    _get("/log", house_pages.log, Need.OPERATOR),
)


ROOT = "/console"
STATIC = {"console.css": "text/css", "console.js": "text/javascript", "icon.svg": "image/svg+xml"}
HELP = Phrase("a private link into the web console")
_FOLDER = Path(__file__).parent / "static"
_CHANGED = "Your role has changed, or this is not you any more."
_UNSURE = "The chat can't say right now which roles you have there. Try again in a minute."


@dataclass(frozen=True)
class Website:
    """Answers every request of the console."""

    sessions: Logins
    desk: Desk
    address: str
    """Of the console, for links."""
    cookie: str
    """Its name."""
    attributes: str
    """What a cookie of ours is set with."""

    # --- the command ---

    async def invite(self, asked: Asked) -> CommandReply:
        found_by = self.desk.views.lookers.found_by(asked)
        secret = await self.sessions.invite(asked.person, found_by)
        minutes = LINK_LIFE // timedelta(minutes=1)
        here = urlsplit(self.address).hostname in {"127.0.0.1", "localhost", "::1"}
        where = " It opens on the machine that I run on." if here else ""
        return CommandReply(
            f"Your way into the console:\n{self.address}/sign-in/{secret}\n"
            f"The link is yours, works once, and is good for {minutes} minutes.{where}",
            on_record="(a private link into the console)",
            alone=True,
        )

    # --- signing in and out ---

    async def invitation(self, request: PageRequest) -> PageAnswer:
        """Looking at a link doesn't use it up, which also keeps previews from doing so."""
        link = await self.sessions.invited(request.path["secret"])
        if link is None:
            return self._outside("over", 404)
        return self._outside("sign_in", name=link.name, role=link.role)

    async def sign_in(self, request: PageRequest) -> PageAnswer:
        if not request.own_site:
            return self._outside("over", 403)
        before = request.cookies.get(self.cookie, "")
        cookie = await self.sessions.begin(request.path["secret"], before)
        if cookie is None:
            return self._outside("over", 404)
        age = round(LIFE / timedelta(seconds=1))
        return gone_to(self.desk.base, self._set(cookie, age))

    async def sign_out(self, visit: Visit) -> PageAnswer:
        await self.sessions.end(visit.session.kept)
        return replace(self._outside("out"), headers={**HEADERS, **self._set("", 0)})

    def _set(self, cookie: str, age: int) -> dict[str, str]:
        return {"Set-Cookie": f"{self.cookie}={cookie}; Max-Age={age}; {self.attributes}"}

    def _outside(self, page: str, status: int = 200, **values: str) -> PageAnswer:
        """A page for somebody who is not signed in."""
        return html(fill(page, {"base": self.desk.base, "why": "", **values}), status)

    # --- everything else ---

    async def answer(self, route: Route, request: PageRequest) -> PageAnswer:
        """The one way to every page: the session, its person now, the form's secret, the role."""
        session = await self.sessions.find(request.cookies.get(self.cookie, ""))
        if session is None:
            return self._outside("closed", 401)
        who = await self._who(session)
        if who is Gone.UNKNOWN:
            return self._outside("closed", 503, why=_UNSURE)
        if isinstance(who, Gone):
            await self.sessions.end(session.kept)
            return self._outside("closed", 401, why=_CHANGED)
        visit = Visit(self.desk, session, who, request, partial(self._still, request, who))
        if route.method == "POST" and not (
            request.own_site and is_of(session, request.form.get("secret", ""))
        ):
            return visit.page("refused", 403)
        if route.need is Need.OPERATOR and not who.operator:
            return missing(visit)
        return await route.handle(visit)

    async def _who(self, session: Opened) -> Looker | Gone:
        kept = session.kept
        return await self.desk.views.lookers.who(kept.found_by, kept.person, kept.role)

    async def _still(self, request: PageRequest, who: Looker) -> bool:
        """Whether somebody who was shown a page may go on looking."""
        session = await self.sessions.find(request.cookies.get(self.cookie, ""))
        return session is not None and await self._who(session) == who


def build_website(given: Given[NoSettings], ground: SiteGround) -> Site:
    """Every page of the console, and `/console`, which sends the way in."""
    address = f"{ground.address}{ROOT}"
    secure = urlsplit(address).scheme == "https"
    base = urlsplit(address).path
    site = Website(
        Logins(given.database, given.clock),
        Desk(ground.views, base, given.clock, given.timezone),
        address,
        # Browsers keep the first name for cookies that no other host or plain address has set.
        "__Host-bellhop" if secure else "bellhop-console",
        "HttpOnly; SameSite=Strict; " + ("Secure; Path=/" if secure else f"Path={base}"),
    )
    pages = [
        SitePage(one.method, f"{ROOT}{one.path}", partial(site.answer, one))
        for one in (*ROUTES, Route("POST", "/sign-out", Need.PERSON, site.sign_out))
    ]
    pages += [
        SitePage("GET", f"{ROOT}/sign-in/{{secret}}", site.invitation),
        SitePage("POST", f"{ROOT}/sign-in/{{secret}}", site.sign_in),
        *static_pages(),
    ]
    command = ChatCommand("console", site.invite, about=HELP)
    return Site(pages, (command,))


def static_pages() -> list[SitePage]:
    """The style, script and icon of every page."""
    return [SitePage("GET", f"{ROOT}/static/{name}", _static(name)) for name in STATIC]


def _static(name: str) -> Callable[[PageRequest], Awaitable[PageAnswer]]:
    async def answer(_: PageRequest) -> PageAnswer:
        data = await asyncio.to_thread((_FOLDER / name).read_bytes)
        headers = {**HEADERS, "Cache-Control": "no-cache"}
        return PageAnswer(body=data, kind=f"{STATIC[name]}; charset=utf-8", headers=headers)

    return answer

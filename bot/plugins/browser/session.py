"""One browser session: its pages, the limits on what they send, and the result of each step.

A page may only read until somebody says yes: between a step and a yes, only GET requests leave the
step's document. Text that the person did not give is typed into a sealed page, which can send
nothing at all.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from playwright.async_api import (
    BrowserContext,
    Dialog,
    Download,
    Error,
    Locator,
    Page,
    Request,
    Route,
    StorageState,
)

from bot.plugin.tools import ToolError
from bot.plugins.browser import moving
from bot.plugins.browser.chromium import Chromium
from bot.plugins.browser.dialogs import DialogAnswer, PageQuestion, question_of
from bot.plugins.browser.elements import ElementFacts
from bot.plugins.browser.extras import PageExtras
from bot.plugins.browser.guard import BrowserGuard
from bot.plugins.browser.hands import UploadFile, do
from bot.plugins.browser.leaving import Door, DoorVerdict, Happened, HeldRequests
from bot.plugins.browser.page_scripts import script
from bot.plugins.browser.quiet import PageQuiet
from bot.plugins.browser.settings import BrowserSettings
from bot.plugins.browser.snapshot import PageNode, PageSnapshot, read_snapshot
from bot.plugins.browser.steps import BrowserStep

log = logging.getLogger(__name__)

_PAGES = 4
_STEP_S = 20
"""For loading a page or a click; the tool's own time holds several of them."""
_SNAPSHOT_CHARS = 1_000_000


@dataclass(frozen=True)
class Doing:
    """A step and how far it may go."""

    step: BrowserStep
    node: PageNode | None
    facts: ElementFacts
    onto: PageNode | None = None
    file: UploadFile | None = None
    link: bool = False
    """It follows a link."""
    sending: bool = False
    """Somebody said yes, so it may send."""
    sealed: bool = False
    """From now on the page may send nothing."""


class BrowserSession:
    """The pages of one profile. One call at a time uses it (`lock`)."""

    def __init__(self, chromium: Chromium, guard: BrowserGuard, settings: BrowserSettings) -> None:
        self._chromium = chromium
        self._guard = guard
        self._timeout_ms = _STEP_S * 1_000
        self._context: BrowserContext | None = None
        self._page: Page | None = None
        self._state: StorageState | None = None
        self._door = Door()
        self._quiet = PageQuiet()
        self._extras = PageExtras()
        self.lock = asyncio.Lock()
        self.used_at = 0.0
        self.happened = Happened()
        self.asked: dict[str, str] = {}
        """Steps that wait for a yes, with the look of the page at the time of asking."""
        self.typed: dict[str, str] = {}
        """Text in this document that the person did not give, by field."""
        self.approved_hosts: set[str] = set()
        self.question: PageQuestion | None = None
        """The question of the open dialog."""
        self._dialog: Dialog | None = None
        self._asked_back = asyncio.Event()
        self._held: asyncio.Future[None] | None = None
        """A step that continues after the dialog or the held requests are decided."""
        self.held = HeldRequests()
        self.instruction = ""
        """Of which a step waits for a yes."""
        self.shown: dict[str, tuple[str, str]] = {}
        """Role and label of the elements last shown to the model, by id."""

    # --- life ---

    async def open(self, state: StorageState | None) -> None:
        """Raises ToolError when there is no browser."""
        self._state = state
        if self._guard.closed:
            await self._guard.start()
        self._context = context = await self._chromium.context(self._guard, state)
        context.set_default_timeout(self._timeout_ms)
        await context.add_init_script(script("early"))
        await context.route("**/*", self._route)
        await context.route_web_socket("**/*", lambda socket: socket.close())
        context.on("page", self._adopt)
        context.on("request", self._quiet.began)
        context.on("requestfinished", self._quiet.ended)
        context.on("requestfailed", self._quiet.ended)
        self._page = None
        self.typed.clear()
        self.asked.clear()
        self._door, self._guard.sealed = Door(), False
        self._asked_back.clear()

    async def close(self) -> None:
        context, self._context, self._page = self._context, None, None
        self.question = self._dialog = None
        await self.held.drop()
        if context is not None:
            with suppress(Error, OSError):
                await context.close()
        await self._guard.close()
        await self._let_go()

    @property
    def alive(self) -> bool:
        browser = self._context.browser if self._context is not None else None
        return self._context is not None and (browser is None or browser.is_connected())

    @property
    def has_page(self) -> bool:
        """Whether a page is open. One that closed itself gives way to the one before."""
        if self._context is not None and (self._page is None or self._page.is_closed()):
            left = [one for one in self._context.pages if not one.is_closed()]
            self._page = left[-1] if left else None
        return (
            self._page is not None
            and not self._page.is_closed()
            and self._page.url != "about:blank"
        )

    @property
    def url(self) -> str:
        return self._page.url if self._page is not None else ""

    @property
    def host(self) -> str:
        return urlsplit(self.url).hostname or ""

    @property
    def refusals(self) -> dict[str, str]:
        return self._guard.refusals

    def begin(self, may_reach: Callable[[str], bool]) -> None:
        """Begin a new call: earlier effects no longer count."""
        self.happened = Happened()
        self._guard.refill()
        self._guard.may_reach = may_reach

    async def state(self) -> StorageState | None:
        """The state that keeps logins alive.

        While a page is sealed or waits in a dialog, this is the state from before.
        """
        if self._context is None or self._guard.sealed or self.question is not None or self.held:
            return self._state
        self._state = await self._context.storage_state(indexed_db=True)
        return self._state

    # --- actions of the tools ---

    async def navigate(self, url: str) -> None:
        """Open an address; an open dialog is dismissed. Raises ToolError."""
        await self.let_go()
        await self._leave()
        page = await self._current()
        self._door = Door()
        try:
            await page.goto(url, wait_until="domcontentloaded", timeout=self._timeout_ms)
        except Error as error:
            await self.settle()
            if not self.happened.downloads:
                raise self._trouble(error) from error
        await self.settle()
        if why := self.refusals.get(self.host):
            raise ToolError(why)

    async def snapshot(self) -> PageSnapshot:
        """The current page. Raises ToolError when none is open or it does not answer."""
        if not self.has_page or self._page is None:
            raise ToolError("no page is open in this session; open one with browser_navigate first")
        if self.question is not None:
            raise ToolError(self.question.text)
        try:
            text = await self._page.aria_snapshot(mode="ai", timeout=self._timeout_ms)
            title = await self._page.title()
        except Error as error:
            raise self._trouble(error) from error
        cut = len(text) > _SNAPSHOT_CHARS
        page = await asyncio.to_thread(
            read_snapshot, self._page.url, title, text[:_SNAPSHOT_CHARS], cut=cut
        )
        await self._extras.complete(page, self._page)
        return page

    async def facts(self, node: PageNode) -> ElementFacts:
        """The element's facts from its document. Raises ToolError when it is gone."""
        try:
            found = await self._element(node).evaluate(
                script("facts"), timeout=self._timeout_ms / 4
            )
        except Error as error:
            raise ToolError(
                f"the {node.kind} “{node.label}” is not on the page any more; observe it again"
            ) from error
        return ElementFacts.model_validate(found)

    async def said(self) -> list[str]:
        """Short messages that the page showed since the last call, such as a toast."""
        return await moving.said(self._page) if self.question is None else []

    async def below(self) -> bool:
        """Whether a list or the page can be scrolled further down."""
        return self._page is not None and await moving.below(self._page)

    async def scroll(self) -> bool:
        """Go down by most of a screen; False at the end. What is loaded there, is there then."""
        moved = self._page is not None and await moving.scroll(self._page)
        await self.settle()
        return moved

    async def find(self, words: str) -> bool:
        """Scroll down, through each list, until the words show; False when they never do."""
        self._door.step()
        found = await moving.find(await self._current(), words)
        await self.settle()
        return found

    async def perform(self, done: Doing) -> None:
        """Do a step. Raises ToolError. What it makes the page send without a yes is held."""
        page = await self._current()
        await self.let_go()
        self._door.step(link=done.link, sending=done.sending, host=done.facts.host)
        self._guard.sealed = not done.sending and (done.sealed or self._guard.sealed)
        element = self._element(done.node) if done.node is not None else None
        onto = self._element(done.onto) if done.onto is not None else None
        work = do(done.step, page, element, onto, done.facts, done.file)
        await self._finish(asyncio.ensure_future(work))
        if done.sending:
            self.typed.clear()

    async def release(self) -> None:
        """Send what the last step made the page send, after a yes. Raises ToolError."""
        held, self._held = self._held, None
        self._asked_back.clear()
        self._door.step(sending=True, host=self._door.frame_host)
        self._guard.sealed = False

        async def go_on() -> None:
            await self.held.release()
            if held is not None:
                with suppress(Error, ToolError):
                    await held

        await self._finish(asyncio.ensure_future(go_on()))
        self.typed.clear()

    async def answer(self, answer: DialogAnswer, *, sending: bool) -> None:
        """Answer the open dialog, and let the blocked step continue. Raises ToolError."""
        dialog, held = self._dialog, self._held
        if self.question is None or dialog is None:
            raise ToolError("no dialog is open; look at the page again")
        self.question, self._dialog, self._held = None, None, None
        self._asked_back.clear()
        self._door.step(sending=sending, host=self._door.frame_host)
        self._guard.sealed = self._guard.sealed and not sending

        async def go_on() -> None:
            if answer.accept:
                given = answer.text if answer.text is not None else dialog.default_value
                await dialog.accept(given)
            else:
                await dialog.dismiss()
            if held is not None:
                with suppress(Error):  # the step waited for the answer longer than a click may
                    await held

        await self._finish(asyncio.ensure_future(go_on()))
        if sending:
            self.typed.clear()

    async def _finish(self, work: asyncio.Future[None]) -> None:
        """Wait until a step is done or the page opens a dialog. Raises ToolError."""
        self._door.stepping = True
        asked = asyncio.ensure_future(self._asked_back.wait())
        try:
            await asyncio.wait({work, asked}, return_when=asyncio.FIRST_COMPLETED)
            if (self.question is not None or self.held) and not work.done():
                self._held = work
            else:
                await self._ended(work)
            await self.settle()
        except Error as error:
            raise self._trouble(error) from error
        except asyncio.CancelledError:
            work.cancel()
            raise
        finally:
            asked.cancel()
            self._door.sending = self._door.stepping = False

    async def _ended(self, work: asyncio.Future[None]) -> None:
        """A step's own error. Where it made the page ask or send, that counts instead."""
        try:
            await work
        except (Error, ToolError):
            if self.question is None and not self.held:
                raise

    async def let_go(self) -> None:
        """Dismiss an open dialog, and refuse what waits for a yes: nobody answered."""
        if self.held:
            self._asked_back.clear()
            await self.held.drop()
            await self._let_go()
        if self.question is not None:
            with suppress(ToolError, Error):
                await self.answer(DialogAnswer(accept=False), sending=False)

    async def _let_go(self) -> None:
        """End a step that a dialog blocks."""
        held, self._held = self._held, None
        if held is not None:
            held.cancel()
            await asyncio.gather(held, return_exceptions=True)

    async def restore(self) -> None:
        """Reload the page after a step whose sending was blocked, for a later yes."""
        await self.let_go()
        if self.typed or not self.has_page or self._page is None:
            return
        self._door.following = True
        with suppress(Error):
            await self._page.reload(wait_until="domcontentloaded", timeout=self._timeout_ms)
        await self.settle()

    # --- pages ---

    def _element(self, node: PageNode) -> Locator:
        if self._page is None:
            raise TypeError("no page is open")
        extra = self._extras.locator(node.ref)
        return extra if extra is not None else self._page.locator(f"aria-ref={node.ref}")

    async def _current(self) -> Page:
        if self._context is None:
            raise ToolError(
                "the browser session is closed; open the page again with browser_navigate"
            )
        if not self.has_page and self._page is None:
            self._page = await self._context.new_page()
        assert self._page is not None  # noqa: S101 - has_page takes what is left
        return self._page

    async def _leave(self) -> None:
        """Clear the site's storage on leaving: text typed without a yes must not return by it."""
        if self._guard.sealed and self._context is not None:
            with suppress(Error, OSError):
                await self._context.close()
            await self.open(self._state)
        self.typed.clear()

    def _adopt(self, page: Page) -> None:
        """A new window becomes the current page; the oldest one closes if there are too many."""
        page.on("dialog", self._shows)
        page.on("download", self._downloaded)
        page.on("domcontentloaded", self._arrived)
        if self._page is not None:
            self.happened.opened.append(page)
        self._page = page
        if self._context is not None and len(self._context.pages) > _PAGES:
            _soon(self._context.pages[0].close())

    def _downloaded(self, download: Download) -> None:
        self.happened.downloads.append(download)

    async def _shows(self, dialog: Dialog) -> None:
        """Keep a question for the next act; dismiss every other dialog."""
        if dialog.type == "beforeunload":
            await dialog.accept()
            return
        asks = dialog.type in {"confirm", "prompt"}
        if asks and self._door.stepping and self.question is None:
            self.question = question_of(dialog.type, dialog.message, self.url)
            self._dialog = dialog
            self._asked_back.set()
            return
        said = " ".join(dialog.message.split())[:120]
        self.happened.notes.append(
            f"the page showed a {dialog.type} dialog, which was dismissed: “{said}”"
        )
        await dialog.dismiss()

    def _arrived(self, page: Page) -> None:
        if self._door.following and page is self._page and not self._guard.sealed:
            self._door.acted = self._door.following = False

    # --- what may leave ---

    async def _route(self, route: Route, request: Request) -> None:
        with suppress(Error):  # the page went away meanwhile
            verdict = self._door.verdict(request, self._page, self._guard, self.happened)
            if verdict is DoorVerdict.LEAVES:
                self._guard.asked_for.add(urlsplit(request.url).hostname or "")
                await route.continue_()
            elif verdict is DoorVerdict.WAITS and self.held.takes():
                self.held.hold(route, request)
                self._quiet.ended(request)
                self._asked_back.set()
            else:
                # Aborted, a navigation leaves the page as it is; blocked, it would leave an error
                # page.
                await route.abort("aborted")

    async def settle(self) -> None:
        """Wait until the page has come to rest, as far as it says so."""
        await self._quiet.network(sending=self._door.sending)
        if self.question is None and not self.held and self.has_page and self._page is not None:
            await self._quiet.content(self._page)

    def _trouble(self, error: Exception) -> ToolError:
        """An error for the model: the guard's message, else the first line of the browser's."""
        if self.happened.held_back:
            return ToolError(
                "the page wanted to send something, which was not done: "
                f"{self.happened.held_back[0]}"
            )
        if self.refusals:
            return ToolError(next(iter(self.refusals.values())))
        if self._guard.exhausted:
            return ToolError("the page brings in more than one call may; use another source")
        first = (
            str(error).splitlines()[0].removeprefix("Page.goto: ").removeprefix("Locator.")[:200]
        )
        if "intercepts pointer events" in str(error):
            return ToolError(
                "another element lies over it, so it can't be used; look at the page again"
            )
        return ToolError(f"the browser says: {first}")


_closing: set[asyncio.Future[Any]] = set()


def _soon(work: Awaitable[Any]) -> None:
    task = asyncio.ensure_future(work)
    _closing.add(task)
    task.add_done_callback(_closing.discard)

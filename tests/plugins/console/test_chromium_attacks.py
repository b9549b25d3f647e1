"""A real browser opens every page with hundreds of hostile texts in it: none of them does anything.

The page has the very elements, attributes and addresses that it has with harmless texts, Chromium
asks for nothing else, and the page's policy has nothing to refuse.
"""

import asyncio
import re
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial

import pytest
from playwright.async_api import Browser
from playwright.async_api import Route as PlaywrightRoute

from bot.endpoints.http import HttpServer
from bot.plugin.site import PageAnswer, PageRequest, SitePage
from bot.plugins.console.templates import fill
from bot.plugins.console.visits import html
from bot.plugins.console.website import ROOT, ROUTES, Route, static_pages
from bot.testing.fake_clock import FakeClock
from tests.chromium import LOOKS, watched
from tests.plugins.console.hostile_answers import ATTACKS, answer_of, harmless
from tests.thoroughness import is_thorough, tried

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.slow]
PRESSED = "/pressed"
ADDRESSES: Mapping[str, Route | str] = {
    "/outside/sign-in": "sign_in",
    "/outside/closed": "closed",
    **{f"{ROOT if one.method == 'GET' else PRESSED}{one.path}": one for one in ROUTES},
}
"""Every page under its own address, what a form answers under one more, and the outer pages."""
PAGES = [one for one in ADDRESSES if not one.endswith(("/file", "/export", "/live"))]
PUT_IN = """() => {
  window.came = false;
  addEventListener("DOMContentLoaded", () => {
    const part = document.querySelector("[data-live]");
    if (part) new MutationObserver(() => { window.came = true; }).observe(part, {childList: true});
  });
}"""
"""Notes when the stream has put its first piece into the page."""
COMPARE = """plain => {
  const shape = (page) => [...page.querySelectorAll("*")].map((one) => {
    const names = one.getAttributeNames().sort();
    const leads = names.filter((name) => ["href", "src", "action", "data-live"].includes(name));
    const where = leads.map((name) => new URL(one.getAttribute(name), location).origin);
    return [one.localName, ...names, ...where].join(" ");
  });
  const beside = new DOMParser().parseFromString(plain, "text/html");
  if (document.documentElement.className) beside.documentElement.classList.add("script");
  const found = shape(document), meant = shape(beside);
  const at = meant.findIndex((one, place) => one !== found[place]);
  return [found.length - meant.length, found[at] ?? "", meant[at] ?? ""];
}"""
"""How many elements are too many, and the first that differs: its name, the names of its
attributes, the sites that it leads to."""


@dataclass(frozen=True)
class Words:
    """What stands in every field."""

    texts: Sequence[str]
    decidable: bool = True

    async def answer(self, address: str) -> PageAnswer:
        """What a console answers at one of `ADDRESSES`."""
        route = ADDRESSES[address]
        if isinstance(route, Route):
            return await answer_of(route, self.texts, decidable=self.decidable)
        words = dict.fromkeys(("name", "role", "why"), " ".join(self.texts))
        return html(fill(route, {"base": ROOT, **words}))

    def harmless(self) -> "Words":
        return Words([harmless(one) for one in self.texts], self.decidable)


@asynccontextmanager
async def serving(words: Words) -> AsyncGenerator[str]:
    async def answer(address: str, _: PageRequest) -> PageAnswer:
        return await words.answer(address)

    sites = [SitePage("GET", one, partial(answer, one)) for one in ADDRESSES]
    server = HttpServer("127.0.0.1", 0, FakeClock(), {}, sites=[*sites, *static_pages()])
    running = asyncio.create_task(server.run())
    try:
        await server.listening.wait()
        yield f"http://127.0.0.1:{server.port}"
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def refute(browser: Browser, words: Words, pages: Iterable[str]) -> None:
    """Compare every page, once what is live has come, with its harmless form."""
    async with serving(words) as site, watched(browser, site) as watching:
        page, visited = watching.page, {one.path for one in static_pages()}
        await page.add_init_script(f"({PUT_IN})()")
        await page.route("**/console.css", _undrawn)
        for address in pages:
            visited.add(path := re.sub(r"\{\w+\}", "it", address))
            await page.goto(site + path)
            if await page.locator("[data-live]").count():
                await page.wait_for_function("() => window.came")
            plain = (await words.harmless().answer(address)).body.decode()
            assert await page.evaluate(COMPARE, plain) == [0, "", ""], address
            assert watching.complaints == [], address
        loaded = {one for one in watching.asked if not one.endswith("/live")}
        assert loaded <= visited


async def _undrawn(style: PlaywrightRoute) -> None:
    """What is not drawn is parsed and runs all the same; thousands of rows take long to draw."""
    await style.fulfill(content_type="text/css", body="main { display: none }")


@pytest.mark.thorough
async def test_no_row_of_a_list_does_anything_in_a_browser(browser: Browser):
    assert len(ATTACKS) >= 500
    lists = [one for one in PAGES if not one.startswith(PRESSED)]
    await refute(browser, Words(ATTACKS), tried(lists))


@pytest.mark.thorough
@pytest.mark.parametrize("decidable", [True, False])
async def test_no_single_text_does_anything_in_a_browser(browser: Browser, decidable: bool):
    """All of them in one text, on the pages that show one thing and what forms answer.

    In the profile `thorough` some at a time, so that none hides behind what was cut.
    """
    single = [one for one in PAGES if "{" in one or one.startswith(("/outside", PRESSED))]
    at_once = 30 if is_thorough() else len(ATTACKS)
    for begin in range(0, len(ATTACKS), at_once):
        together = " ".join(ATTACKS[begin : begin + at_once])
        await refute(browser, Words([together], decidable), tried(single))


@pytest.mark.thorough
@pytest.mark.parametrize("size", sorted({size for size, _ in LOOKS}), ids=str)
async def test_no_long_word_makes_a_page_scroll_sideways(browser: Browser, size: tuple[int, int]):
    words = Words(["x Donaudampfschifffahrtsgesellschaftskapitaenswitwenrente"])
    async with serving(words) as site, watched(browser, site) as watching:
        await watching.look(size, "light")
        for address in tried(PAGES):
            await watching.page.goto(site + re.sub(r"\{\w+\}", "it", address))
            wide = await watching.page.evaluate("document.documentElement.scrollWidth")
            assert wide <= size[0], address

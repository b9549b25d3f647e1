"""A real Chromium for tests: one of them for a module, and what every page in it must keep to."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import urlsplit

from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, Page, async_playwright

from bot.plugins.browser.installed import executable
from bot.plugins.browser.settings import BrowserSettings

WAIT_MS = 60_000
MOST_STOPS = 200
"""Of the Tab key, on its way to something."""
Scheme = Literal["light", "dark"]
PHONE, DESK = (360, 740), (1400, 850)
LOOKS: tuple[tuple[tuple[int, int], Scheme], ...] = tuple(
    (size, scheme) for size in (PHONE, DESK) for scheme in ("light", "dark")
)
"""Of every page: on a phone and a large screen, by day and by night."""
STOPS = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']"
WATCH_FOCUS = """(stops) => {
  const all = () => [...document.querySelectorAll(stops)].filter(
    (one) => one.checkVisibility() && !one.disabled);
  const shown = (one) => {
    const style = getComputedStyle(one), box = one.getBoundingClientRect();
    const marked = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1;
    return marked && box.right > 0 && box.bottom > 0
      && box.left < innerWidth && box.top < innerHeight;
  };
  window.reached = [];
  document.activeElement.blur();
  document.addEventListener("focusin", () => requestAnimationFrame(() => {
    const at = document.activeElement;
    window.reached.push([all().indexOf(at), shown(at)]);
  }));
  return all().length;
}"""
"""Notes each stop of the Tab key: its place among all, and whether one sees where one is."""

CROWDED = """(stops) => {
  const least = 24, slack = 0.5;
  const named = (one, why) => `${why}: ${one.outerHTML.slice(0, 120)}`;
  const clipped = (one) => {
    for (let at = one; at; at = at.parentElement)
      if (getComputedStyle(at).clipPath !== "none") return true;
    return false;
  };
  const shown = [...document.body.querySelectorAll("*")].filter((one) => {
    const box = one.getBoundingClientRect();
    return one.checkVisibility() && box.width && box.height && box.right > 0 && !clipped(one);
  });
  const outside = shown.filter((one) => {
    const box = one.getBoundingClientRect();
    return box.left < -slack || box.right > innerWidth + slack;
  });
  const cut = shown.filter((one) => !one.matches("input, select, textarea, svg *")
    && getComputedStyle(one).overflowX !== "visible" && one.scrollWidth > one.clientWidth + 1);
  const reach = (one) => [one, ...(one.labels || [])].map((part) => part.getBoundingClientRect());
  const inWords = (one) => getComputedStyle(one).display === "inline"
    && one.parentElement.textContent.trim() !== one.textContent.trim();
  const small = shown.filter((one) => one.matches(stops) && !inWords(one)
    && !reach(one).some((box) => box.width >= least && box.height >= least));
  return [
    ...outside.map((one) => named(one, "outside the screen")),
    ...cut.map((one) => named(one, "cut off")),
    ...small.map((one) => named(one, "too small to hit")),
  ];
}"""
"""What doesn't fit a phone. Links within a sentence may be as low as their line."""


@asynccontextmanager
async def chromium() -> AsyncGenerator[Browser]:
    async with async_playwright() as playwright:
        started = await playwright.chromium.launch(
            executable_path=executable(BrowserSettings()), args=["--no-sandbox"]
        )
        yield started
        await started.close()


@dataclass
class Watched:
    """A page, and whatever went wrong on it: errors, refusals of its policy, other hosts."""

    page: Page
    complaints: list[str] = field(default_factory=list[str])
    asked: list[str] = field(default_factory=list[str])
    """The paths that it asked for."""

    async def look(self, size: tuple[int, int], scheme: Scheme) -> None:
        await self.page.set_viewport_size({"width": size[0], "height": size[1]})
        await self.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")

    async def has_no_fault(self, size: tuple[int, int], scheme: Scheme) -> None:
        """Axe finds nothing, nothing scrolls sideways, and a phone shows all of it to fingers."""
        await self.look(size, scheme)
        axe: Any = Axe()
        found = await axe.run(self.page, options={"resultTypes": ["violations"]})
        where = f"{self.page.url} {size[0]} {scheme}"
        assert not found.violations_count, f"{where}: {found.generate_report()}"
        wide = await self.page.evaluate("document.documentElement.scrollWidth")
        assert wide <= size[0], f"{where} scrolls sideways"
        if size == PHONE:
            crowded = await self.page.evaluate(CROWDED, STOPS)
            assert crowded == [], f"{where}: {crowded}"

    async def shows_every_stop(self) -> None:
        """Tab alone reaches every link, button and field in order, and shows where it is."""
        count = await self.page.evaluate(WATCH_FOCUS, STOPS)
        for number in range(count):
            await self.page.keyboard.press("Tab")
            await self.page.wait_for_function("most => window.reached.length > most", arg=number)
        reached = await self.page.evaluate("window.reached")
        assert [place for place, _ in reached] == list(range(count)), self.page.url
        hidden = [place for place, seen in reached if not seen]
        assert not hidden, f"{self.page.url}: nobody sees the focus on {hidden}"

    async def tab_to(self, selector: str) -> None:
        """Go forward until this has the focus, as somebody without a mouse does."""
        wanted = self.page.locator(selector).first
        await wanted.wait_for()
        for _ in range(MOST_STOPS):
            await self.page.keyboard.press("Tab")
            if await wanted.evaluate("one => one === document.activeElement"):
                return
        raise AssertionError(f"Tab does not reach {selector}")

    async def press(self, selector: str) -> None:
        """Go there by Tab and press Enter."""
        await self.tab_to(selector)
        await self.page.keyboard.press("Enter")

    async def enter(self, words: str) -> None:
        """Write this where the focus is, and press Enter."""
        await self.page.keyboard.type(words)
        await self.page.keyboard.press("Enter")


@asynccontextmanager
async def watched(browser: Browser, address: str) -> AsyncGenerator[Watched]:
    """A page of a fresh visitor. Whatever it complained about fails the test at the end."""
    context = await browser.new_context(viewport={"width": DESK[0], "height": DESK[1]})
    page = await context.new_page()
    page.set_default_timeout(WAIT_MS)
    found = Watched(page)
    host = urlsplit(address).netloc

    def noted(url: str) -> None:
        asked = urlsplit(url)
        found.asked.append(asked.path)
        if asked.netloc != host and asked.scheme not in {"data", "about"}:
            found.complaints.append(f"asked {url}")

    page.on("request", lambda request: noted(request.url))
    page.on("pageerror", lambda error: found.complaints.append(str(error)))
    page.on(
        "console",
        lambda told: found.complaints.append(told.text) if told.type == "error" else None,
    )
    try:
        yield found
        assert found.complaints == []
    finally:
        await context.close()

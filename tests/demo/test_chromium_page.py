"""The demo's page in a real Chromium: with the keyboard alone, on a phone, in the dark."""

from collections.abc import AsyncGenerator
from typing import Any

import pytest
import pytest_asyncio
from axe_playwright_python.async_playwright import Axe
from axe_playwright_python.base import AxeResults
from playwright.async_api import Browser, Page, async_playwright

from bot.demo.demo import running_demo
from bot.plugins.browser.installed import executable
from bot.plugins.browser.settings import BrowserSettings

pytestmark = pytest.mark.asyncio(loop_scope="module")
WAIT_MS = 60_000
PHONE, DESK = {"width": 360, "height": 740}, {"width": 1400, "height": 850}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def address(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[str]:
    async with running_demo(tmp_path_factory.mktemp("demo"), word_s=0.0) as running:
        yield running.address


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncGenerator[Browser]:
    async with async_playwright() as playwright:
        started = await playwright.chromium.launch(
            executable_path=executable(BrowserSettings()), args=["--no-sandbox"]
        )
        yield started
        await started.close()


async def opened(browser: Browser, address: str, size: dict[str, int], scheme: str) -> Page:
    """The page, once Bellhop is online; whatever it complains about fails the test."""
    context = await browser.new_context(
        viewport={"width": size["width"], "height": size["height"]},
        color_scheme="dark" if scheme == "dark" else "light",
    )
    page = await context.new_page()
    page.set_default_timeout(WAIT_MS)
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda told: complaints.append(told.text) if told.type == "error" else None)
    await page.goto(address)
    await page.locator("#connection", has_text="online").wait_for(state="attached")
    assert not complaints
    return page


async def checked(page: Page) -> AxeResults:
    """What axe finds; its package leaves the types of its arguments open."""
    axe: Any = Axe()
    return await axe.run(page)


async def test_the_keyboard_alone_asks_and_switches(browser: Browser, address: str):
    page = await opened(browser, address, DESK, "light")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")  # the link that skips to writing
    await page.keyboard.type("what is 6 times 7?")
    await page.keyboard.press("Enter")
    await page.locator("#messages li", has_text="= 42").wait_for()
    await page.keyboard.type("/sta")
    await page.locator("#offers li", has_text="/status").wait_for()
    await page.keyboard.press("Enter")
    await page.locator("#chosen", has_text="/status").wait_for()
    await page.keyboard.press("Enter")
    await page.locator("li.aside", has_text="only you see this").wait_for()
    await page.focus("#who")
    await page.keyboard.press("ArrowDown")
    await page.locator("#who").evaluate("one => one.dispatchEvent(new Event('change'))")
    assert await page.input_value("#who") == "marek"
    await page.locator("#messages li").wait_for(state="detached")
    await page.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
async def test_axe_finds_nothing(browser: Browser, address: str, size: dict[str, int], scheme: str):
    page = await opened(browser, address, size, scheme)
    await page.fill("#text", "what can you do?")
    await page.keyboard.press("Enter")
    await page.locator("strong.bot").first.wait_for()
    await page.evaluate(
        "document.querySelectorAll('#panes button, .narrow').forEach(b => b.click())"
    )
    found = await checked(page)
    assert not found.violations_count, found.generate_report()
    wide = await page.evaluate("document.documentElement.scrollWidth")
    assert wide <= size["width"], "nothing scrolls sideways"
    await page.context.close()

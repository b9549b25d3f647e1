"""Every page in a real Chromium: three roles, two widths, light and dark, keyboard and axe."""

from collections.abc import AsyncGenerator
from typing import Any

import pytest
import pytest_asyncio
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, Page, async_playwright

from bot.plugins.browser.installed import executable
from bot.plugins.browser.settings import BrowserSettings
from bot.testing.console_home import PEOPLE, Town

pytestmark = pytest.mark.asyncio(loop_scope="module")
WAIT_MS = 60_000
PHONE, DESK = {"width": 360, "height": 740}, {"width": 1400, "height": 850}
PAGES = ("", "/runs", "/approvals", "/usage", "/memory", "/unattended", "/skills", "/own",
         "/rights?open=1")  # fmt: skip
OPERATORS_PAGES = ("/people", "/log", "/staged/tidy", "/memory?tier=shared", "/usage?by=tool")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncGenerator[Browser]:
    async with async_playwright() as playwright:
        started = await playwright.chromium.launch(
            executable_path=executable(BrowserSettings()), args=["--no-sandbox"]
        )
        yield started
        await started.close()


async def signed_in(
    browser: Browser, town: Town, who: str, size: dict[str, int], scheme: str
) -> tuple[Page, list[str]]:
    """A page of somebody who pressed the button behind their link; and its complaints."""
    context = await browser.new_context(
        viewport={"width": size["width"], "height": size["height"]},
        color_scheme="dark" if scheme == "dark" else "light",
    )
    page = await context.new_page()
    page.set_default_timeout(WAIT_MS)
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda told: complaints.append(told.text) if told.type == "error" else None)
    await page.goto(await town.link(who))
    await page.get_by_role("button", name="Sign in").press("Enter")
    await page.get_by_role("heading", name="Now").wait_for()
    return page, complaints


@pytest.mark.parametrize(
    ("who", "size", "scheme"),
    [
        ("owner", DESK, "light"),
        ("owner", PHONE, "dark"),
        ("ann", PHONE, "light"),
        ("gwen", DESK, "dark"),
    ],
    ids=["owner-desk-light", "owner-phone-dark", "member-phone-light", "guest-desk-dark"],
)
async def test_axe_finds_nothing_and_no_page_scrolls_sideways(
    browser: Browser, town: Town, who: str, size: dict[str, int], scheme: str
):
    page, complaints = await signed_in(browser, town, who, size, scheme)
    axe: Any = Axe()
    person = "discord-gwen" if who == "gwen" else who
    row = await town.house.app.database.read_one(
        "SELECT cycle_id FROM cycle_events WHERE type = 'cycle_start' AND person = ?"
        " ORDER BY id DESC",
        (person,),
    )
    asked = await town.house.app.database.read_one("SELECT ref FROM approvals")
    assert row is not None
    assert asked is not None
    paths = [*PAGES, f"/runs/{row['cycle_id']}"]
    paths += [*OPERATORS_PAGES, f"/approvals/{asked['ref']}"] if who == "owner" else []
    for path in paths:
        await page.goto(f"{town.address}{path}")
        await page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
        found = await axe.run(page)
        assert not found.violations_count, f"{path}: {found.generate_report()}"
        wide = await page.evaluate("document.documentElement.scrollWidth")
        assert wide <= size["width"], f"{path} scrolls sideways"
    assert not complaints
    await page.context.close()


@pytest.mark.parametrize("who", PEOPLE)
async def test_every_link_leads_somewhere(browser: Browser, town: Town, who: str):
    page, _ = await signed_in(browser, town, who, DESK, "light")
    seen: set[str] = set()
    links = ["/console"]
    while links and len(seen) < 60:
        link = links.pop()
        if link in seen:
            continue
        seen.add(link)
        answer = await page.request.get(link if "://" in link else f"{_root(town)}{link}")
        assert answer.ok, link
        if "html" not in answer.headers["content-type"]:
            continue
        await page.set_content(await answer.text())
        found = await page.eval_on_selector_all(
            "a[href]", "all => all.map(a => a.getAttribute('href'))"
        )
        links += [one for one in found if one.startswith("/")]
    assert len(seen) > len(PAGES)
    await page.context.close()


def _root(town: Town) -> str:
    return town.address.removesuffix("/console")


async def test_the_keyboard_alone_reaches_and_changes_everything(browser: Browser, town: Town):
    page, complaints = await signed_in(browser, town, "ann", DESK, "light")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")  # the link that skips to the page
    await page.wait_for_function("document.activeElement.id === 'main'")
    await page.goto(f"{town.address}/unattended")
    await page.get_by_role("button", name="Pause: ").focus()
    await page.keyboard.press("Enter")
    await page.get_by_role("status").filter(has_text="is paused").wait_for()
    await page.get_by_role("button", name="Resume: ").press("Enter")
    await page.get_by_role("status").filter(has_text="goes on").wait_for()
    page.on("dialog", lambda dialog: dialog.dismiss())
    await page.get_by_role("button", name="Cancel: ").press("Enter")
    await page.goto(f"{town.address}/unattended")
    assert await page.get_by_role("button", name="Cancel: ").count() == 1
    assert not complaints
    await page.context.close()


async def test_the_menu_of_a_phone_opens_and_what_is_live_comes_by_itself(
    browser: Browser, town: Town
):
    page, complaints = await signed_in(browser, town, "ann", PHONE, "light")
    assert not await page.locator("#side").is_visible()
    await page.get_by_role("button", name="Menu").press("Enter")
    await page.get_by_role("link", name="Runs").wait_for()
    before = await page.locator("tbody tr").count()
    await town.house.ask("ann", "do:say something new")
    await page.locator("td", has_text="something new").wait_for()
    assert await page.locator("tbody tr").count() > before
    assert not complaints
    await page.context.close()

"""Every page in a real Chromium: three roles, two widths, light and dark, keyboard and axe."""

import re
from collections.abc import Collection
from typing import Any

import pytest
from lxml import html
from playwright.async_api import Browser, Page

from bot.plugins.console.website import ROUTES, Need
from bot.testing.console_home import PEOPLE, Town
from bot.testing.long_lists import fill_lists
from tests.chromium import DESK, LOOKS, PHONE, Watched, watched
from tests.thoroughness import is_thorough

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.slow]
CHOSEN = ("/memory?tier=shared", "/usage?by=tool", "/rights?open=1", "/runs?failed=1")
"""Pages that look otherwise by what is chosen on them."""
UNSAID = """() => [...document.querySelectorAll("td:not([colspan])")].filter((one) => {
  const place = [...one.parentElement.children].indexOf(one);
  const heads = one.closest("table").querySelectorAll("thead th");
  const said = getComputedStyle(one, "::before");
  const label = said.display === "none" ? "" : said.content.split(" / ")[0].slice(1, -1);
  const first = place === 0, acts = one.querySelector("button, a[aria-label]");
  const empty = !one.textContent.trim();
  return one.dataset.label !== heads[place].textContent
    || !(first || acts || empty || label === one.dataset.label);
}).map((one) => one.outerHTML)"""
"""Cells whose card on a phone doesn't say what the head of their column does."""


async def paths_of(town: Town, who: str) -> list[str]:
    """Every page that this person can open, as the running server has them."""
    person = "discord-gwen" if who == "gwen" else who
    database = town.house.app.database
    run = await database.read_one(
        "SELECT cycle_id FROM cycle_events WHERE type = 'cycle_start' AND person = ?"
        " ORDER BY id DESC",
        (person,),
    )
    asked = await database.read_one("SELECT ref FROM approvals ORDER BY state = 'open' DESC")
    assert run is not None
    assert asked is not None
    names = {"run": run["cycle_id"], "ref": asked["ref"], "person": "ann", "name": "tidy"}
    paths = [
        re.sub(r"\{(\w+)\}", lambda found: names[found[1]], one.path)
        for one in ROUTES
        if one.method == "GET" and not one.path.endswith(("/live", "/file", "/export"))
        if who == "owner" or one.need is Need.PERSON
        if who != "gwen" or "approvals/" not in one.path
    ]
    return [*paths, *CHOSEN]


async def sign_in(watching: Watched, town: Town, who: str) -> Page:
    """By the link that `/console` sends, and the Enter key."""
    page = watching.page
    await page.goto(await town.link(who))
    await watching.press("button:has-text('Sign in')")
    await page.get_by_role("heading", name="Now").wait_for()
    return page


@pytest.mark.thorough
@pytest.mark.parametrize("who", PEOPLE)
async def test_axe_finds_nothing_and_no_page_scrolls_sideways(
    browser: Browser, town: Town, who: str
):
    """Every page in four looks; by default some of them in one look each."""
    async with watched(browser, town.address) as watching:
        page = await sign_in(watching, town, who)
        for number, path in enumerate(await paths_of(town, who)):
            looks = [LOOKS[number % 4]] if number % 5 == list(PEOPLE).index(who) else []
            for look in LOOKS if is_thorough() else looks:
                if page.url != f"{town.address}{path}":
                    answer = await page.goto(f"{town.address}{path}")
                    assert answer is not None
                    assert answer.ok, path
                    await page.evaluate(
                        "document.querySelectorAll('details').forEach(one => one.open = true)"
                    )
                await watching.has_no_fault(*look)
                if look[0] == PHONE:
                    assert await page.evaluate(UNSAID) == [], path


@pytest.mark.thorough
@pytest.mark.parametrize("who", PEOPLE if is_thorough() else ["owner"])
async def test_tab_alone_reaches_everything_and_shows_where_it_is(
    browser: Browser, town: Town, who: str
):
    async with watched(browser, town.address) as watching:
        page = await sign_in(watching, town, who)
        await watching.look(DESK, "light")
        for number, path in enumerate(await paths_of(town, who)):
            if is_thorough() or number % 5 == 0:
                await page.goto(f"{town.address}{path}")
                await watching.shows_every_stop()


@pytest.mark.parametrize("who", PEOPLE)
async def test_every_link_leads_somewhere(town: Town, who: str):
    async with town.visitor(who) as visitor:
        root = town.address.removesuffix("/console")
        seen: set[str] = set()
        links = ["/console"]
        while links:
            link = links.pop()
            if link in seen:
                continue
            seen.add(link)
            async with visitor.http.get(f"{root}{link}") as answer:
                assert answer.status == 200, link
                if answer.content_type == "text/html":
                    links += links_of(await answer.text())
    assert len(seen) > len(await paths_of(town, who)) - len(CHOSEN)


def links_of(text: str) -> Collection[str]:
    reader: Any = html
    found = [str(one.get("href")) for one in reader.document_fromstring(text).iter("a")]
    assert [one for one in found if not one.startswith(("/console", "#"))] == []
    return [one for one in found if one.startswith("/")]


async def test_the_page_behind_a_link_has_no_fault(browser: Browser, town: Town):
    async with watched(browser, town.address) as watching:
        await watching.page.goto(await town.link("gwen"))
        for look in LOOKS:
            await watching.has_no_fault(*look)


async def test_the_keyboard_alone_signs_in_walks_and_decides(browser: Browser, town: Town):
    async with watched(browser, town.address) as watching:
        page = await sign_in(watching, town, "owner")
        await page.keyboard.press("Tab")
        await page.keyboard.press("Enter")  # the link that skips to the page
        await page.wait_for_function("() => document.activeElement.id === 'main'")
        await watching.press("nav a:has-text('Approvals')")
        await watching.press("main tbody a")
        await watching.press("button:has-text('Reject')")
        await page.get_by_role("status").wait_for()
        assert not await page.get_by_role("button", name="Reject").count()
        await watching.press("nav a:has-text('Runs')")
        await watching.press("main tbody a")
        await watching.press(".fall summary")
        await page.locator(".fall details[open]").wait_for()


async def test_the_keyboard_alone_forgets_pauses_and_signs_out(browser: Browser, town: Town):
    async with watched(browser, town.address) as watching:
        page = await sign_in(watching, town, "ann")
        watching.page.on("dialog", lambda dialog: dialog.accept())
        await page.goto(f"{town.address}/memory")
        await watching.press("button[aria-label*='cycles to work']")
        await page.get_by_role("status").wait_for()
        assert not await page.locator("td", has_text="cycles to work").count()
        await page.goto(f"{town.address}/unattended")
        for label, told in (("Pause", "is paused"), ("Resume", "goes on")):
            await watching.press(f"main button:has-text('{label}')")
            await page.get_by_role("status").filter(has_text=told).wait_for()
        await watching.press("button:has-text('Sign out')")
        await page.get_by_role("heading", name="signed out").wait_for()
        for look in LOOKS:
            await watching.has_no_fault(*look)


async def test_what_cannot_be_undone_waits_for_a_second_yes(browser: Browser, town: Town):
    async with watched(browser, town.address) as watching:
        page = await sign_in(watching, town, "gwen")
        page.on("dialog", lambda dialog: dialog.dismiss())
        await page.goto(f"{town.address}/unattended")
        cancel = page.get_by_role("button", name="Cancel: ")
        await cancel.press("Enter")
        assert await cancel.evaluate("one => one === document.activeElement")
        await page.goto(f"{town.address}/unattended")
        assert await cancel.count() == 1


async def test_the_menu_of_a_phone_opens_and_what_is_live_comes_by_itself(
    browser: Browser, town: Town
):
    async with watched(browser, town.address) as watching:
        page = await sign_in(watching, town, "ann")
        size, scheme = LOOKS[0]
        await watching.look(size, scheme)
        assert not await page.locator("#side").is_visible()
        await watching.press("#menu")
        await page.get_by_role("link", name="Runs").wait_for()
        await watching.has_no_fault(size, scheme)
        await watching.tab_to("main tbody a")
        focused = await page.evaluate("document.activeElement.getAttribute('href')")
        await town.house.ask("ann", "do:say something new")
        await page.locator("td", has_text="something new").wait_for()
        assert await page.evaluate("document.activeElement.getAttribute('href')") == focused


async def test_the_keyboard_alone_goes_through_a_long_list(browser: Browser, town: Town):
    """The last of the module: it fills the lists."""
    await fill_lists(town.house.app, "owner", 120)
    async with watched(browser, town.address) as watching:
        page = await sign_in(watching, town, "owner")
        await page.goto(f"{town.address}/runs")
        more, pages = page.locator("main a[rel=next]"), {page.url}
        while await more.count():
            await more.focus()
            await page.keyboard.press("Enter")
            await page.wait_for_url(lambda url: url not in pages)
            pages.add(page.url)
            assert await page.locator("tbody tr").count()
    assert len(pages) > 2

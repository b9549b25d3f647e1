"""The demo's page in a real Chromium: every tour, the keyboard alone, hostile texts, axe."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import asdict
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page

from bot.plugins.demo.demo import running_demo
from bot.plugins.demo.markup import from_markdown, from_mrkdwn
from bot.plugins.demo.scripts import PUBLISH
from bot.plugins.demo.sides import ControlView, FileView, MessageView, TaskView
from bot.plugins.demo.tours import TOURS
from bot.testing.markup_attacks import markup_attacks
from tests.chromium import LOOKS, WAIT_MS, Watched, watched
from tests.thoroughness import is_thorough

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.slow]
ATTACKS = markup_attacks()
ONLINE, OFFLINE = "is online", "is offline"
SEEN = {
    "card": ("asks to run", "asks to run", "was approved by olivia; it ran"),
    "memory": ("remember", "nothing stored", "nothing stored", "4,200"),
    "kill": ("tell me the story", OFFLINE, "somebody answered"),
    "reminder": ("remind me", OFFLINE, "Reminder: stretch"),
    "plan": ("you can leave each month", "Failed (not_found)"),
}
"""What each step of a tour brings onto the page."""
USUAL = {"card", "plan"}
LISTS = ("#places", "#messages", "#runs")
STRANGE = """() => {
  const ours = new Set(["a", "article", "b", "blockquote", "br", "button", "code", "div", "em",
    "h1", "h2", "h3", "h4", "h5", "h6", "hr", "li", "ol", "option", "p", "pre", "s", "select",
    "span", "strong", "table", "tbody", "td", "th", "thead", "time", "tr", "ul"]);
  return [...document.querySelectorAll("#messages *, #places *, #form-title *, #fields b")].filter(
    (one) => !ours.has(one.localName)
      || one.getAttributeNames().some((name) => name.startsWith("on") || name === "style")
      || (one.localName === "a" && !/^(https?|mailto):/.test(one.href))
  ).map((one) => one.outerHTML);
}"""
"""Elements, handlers and addresses that the page itself makes nowhere."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def address(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[str]:
    home = tmp_path_factory.mktemp("demo")
    async with running_demo(home, word_s=0.01, pause_s=0.1) as running:
        yield running.address


@asynccontextmanager
async def opened(browser: Browser, address: str) -> AsyncGenerator[Watched]:
    """The page, once Bellhop is online."""
    async with watched(browser, address) as watching:
        await watching.page.goto(address)
        await connection(watching.page, ONLINE)
        yield watching


async def connection(page: Page, words: str) -> None:
    await page.locator("#connection", has_text=words).wait_for(state="attached")


async def said(page: Page, words: str) -> None:
    await page.locator("#messages li", has_text=words).last.wait_for(timeout=2 * WAIT_MS)


@pytest.mark.thorough
@pytest.mark.parametrize("tour", [one for one in TOURS if is_thorough() or one.id in USUAL])
async def test_a_tour_goes_to_its_end_by_the_keyboard(browser: Browser, address: str, tour: Any):
    async with opened(browser, address) as watching:
        page = watching.page
        card = f"#tours article:has-text('{tour.title}')"
        await watching.tab_to(f"{card} button.primary")
        for number, words in enumerate(SEEN[tour.id]):
            await page.keyboard.press("Enter")
            await page.locator(f"{card} li.now", has_text=tour.steps[number].says).wait_for()
            await (connection if words in {ONLINE, OFFLINE} else said)(page, words)
        assert await page.locator(f"{card} button.primary").inner_text() == "Again"
        if tour.id == "kill":
            answers = page.locator("#messages li", has_text=SEEN["kill"][-1])
            assert await answers.count() == 1
        for look in LOOKS if is_thorough() else LOOKS[:1]:
            await watching.has_no_fault(*look)


async def test_a_scenario_plays_by_itself(browser: Browser, address: str):
    async with watched(browser, address) as watching:
        page = watching.page
        await page.goto(f"{address}?scenario=card")
        await said(page, SEEN["card"][-1])
        card = page.locator("#tours article[data-tour=card]")
        await card.get_by_role("button", name="Again").wait_for()
        await card.locator("button", has_text="Play").wait_for()


async def test_a_tour_that_plays_can_be_stopped(browser: Browser, address: str):
    async with opened(browser, address) as watching:
        page = watching.page
        play = page.get_by_role("button", name="Play: A plan with a failing step")
        await play.evaluate("one => { one.click(); one.click(); }")
        await play.filter(has_text="Play").wait_for()
        await page.locator("#tours article[data-tour=plan] li.now").wait_for()
        assert not await page.locator("#tours article[data-tour=plan] li.done").count()


async def test_what_is_written_before_its_place_is_shown_is_addressed_there(
    browser: Browser, address: str
):
    async with opened(browser, address) as watching:
        await watching.page.evaluate(
            """words => {
              go("", "", state.view.places.find((one) => one.name === "general").id);
              byId("text").value = words;
              byId("composer").requestSubmit();
            }""",
            "what is 31 times 3?",
        )
        await said(watching.page, "= 93")


async def test_a_request_is_shown_part_by_part(browser: Browser, address: str):
    async with opened(browser, address) as watching:
        page = watching.page
        await page.fill("#text", "what is 12 times 12?")
        await page.keyboard.press("Enter")
        await said(page, "= 144")
        tree = page.locator("#runs pre", has_text="12 times 12").filter(has_text=" USD").first
        await tree.wait_for(state="attached")
        assert "unknown price" not in str(await tree.text_content())
        await page.get_by_role("button", name="Requests").click()
        newest = page.locator("#requests details").first
        await newest.locator("summary").click()
        for words in ("tools", "system prompt", "cached up to here", "what is 12 times 12?"):
            await page.locator("#requests li", has_text=words).first.wait_for(state="attached")


async def test_the_keyboard_alone_asks_switches_and_decides(browser: Browser, address: str):
    async with opened(browser, address) as watching:
        page = watching.page
        await page.keyboard.press("Tab")
        await page.keyboard.press("Enter")  # the link that skips to writing
        await watching.enter("what is 6 times 7?")
        await said(page, "= 42")
        await page.keyboard.type("/sta")
        await page.locator("#offers li", has_text="/status").wait_for()
        await page.keyboard.press("Enter")
        await page.locator("#chosen", has_text="/status").wait_for()
        await page.keyboard.press("Enter")
        await page.locator("li.aside", has_text="only you see this").wait_for()
        await watching.press("#sides button[data-side=slack]")
        await connection(page, ONLINE)
        await watching.tab_to("#who")
        await page.keyboard.press("ArrowDown")
        assert await page.input_value("#who") == "marek"
        await watching.press("#places button:has-text('# general')")
        await page.locator("#title", has_text="general").wait_for()
        assert await focus_is_in(page, "#places")
        await watching.tab_to("#text")
        await watching.enter(PUBLISH)
        await said(page, "asks to run")
        await watching.tab_to("#who")
        await page.keyboard.press("ArrowUp")
        await watching.press("#places button:has-text('# general')")
        await page.locator("#title", has_text="general").wait_for()
        await watching.press("#messages > li:last-child button:has-text('Thread')")
        await said(page, "asks to run")
        assert await focus_is_in(page, "#messages")
        await watching.press("#messages button:has-text('Approve')")
        await said(page, "it ran")
        assert await focus_is_in(page, "#messages")


async def focus_is_in(page: Page, part: str) -> bool:
    """Nothing that was pressed takes the place of the keyboard with it."""
    return await page.locator(part).evaluate("one => one.contains(document.activeElement)")


@pytest.mark.thorough
@pytest.mark.parametrize("look", LOOKS if is_thorough() else LOOKS[::3], ids=str)
async def test_axe_finds_nothing(browser: Browser, address: str, look: Any):
    async with opened(browser, address) as watching:
        page = watching.page
        await page.fill("#text", "what can you do?")
        await page.keyboard.press("Enter")
        await page.locator("strong.bot").first.wait_for()
        await watching.look(*look)
        await page.evaluate("document.querySelectorAll('.narrow').forEach(one => one.click())")
        for pane in ("Runs", "Requests", "Log", "Tours"):
            await page.evaluate(
                "name => document.querySelector(`[data-pane=${name}]`).click()", pane.lower()
            )
            await watching.has_no_fault(*look)


async def test_no_hostile_text_does_anything_in_a_browser(browser: Browser, address: str):
    """All of them in one page, in every field of a message, a place and a form."""
    async with opened(browser, address) as watching:
        page = watching.page
        view = await page.evaluate("() => { live.close(); return state.view; }")
        view["messages"] = [asdict(message(number)) for number in range(len(ATTACKS))]
        view["places"] += [
            {**view["places"][0], "id": one, "name": one, "kind": "channel"} for one in ATTACKS
        ]
        together = " ".join(ATTACKS)
        view["form"] = {
            "id": "f", "title": together,
            "fields": [{"name": "n", "label": together, "value": together, "options": {},
                        "long": True, "required": False, "most": 4000}],
        }  # fmt: skip
        asked = len(watching.asked)
        await page.evaluate("view => show(view)", view)
        assert await page.locator("#messages > li").count() == len(ATTACKS)
        assert await page.evaluate(STRANGE) == []
        assert [one for one in watching.asked[asked:] if not one.endswith("/inside")] == []


def message(number: int) -> MessageView:
    """Half of them as Discord's, half as Slack's."""
    text = ATTACKS[number]
    reads = from_markdown if number % 2 else from_mrkdwn
    return MessageView(
        str(number),
        text,
        bot=True,
        html=reads(text, lambda _: None),
        at=text,
        reply_to=text,
        files=(FileView(text, "/file", picture=False, size=1),),
        controls=(ControlView(text), ControlView(text, (text,))),
        tasks=(TaskView(text, text),),
        reactions={text: 1},
    )

"""Takes the pictures of docs/pictures in a real Chromium, from the demo and its console.

`make screenshots` runs it.
"""

import asyncio
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TypeAlias, cast

from PIL import Image
from playwright.async_api import Page, ViewportSize, async_playwright

from bot.plugins.demo.demo import running_demo
from bot.plugins.demo.scripts import PUBLISH

ROOM = Path(__file__).parent.parent / "docs" / "pictures"
SIZE = ViewportSize(width=960, height=480)
WITH_INSIDE = ViewportSize(width=1180, height=560)
"""Wide enough for the panel of what happens inside."""
CONSOLE = ViewportSize(width=1100, height=680)
PHONE = ViewportSize(width=360, height=640)
PATIENCE_MS = 20_000
ASKED = 5
"""Runs that the pictures before that of the runs have made."""
COLOURS = 256
"""Of a palette: pages of flat colours stay small."""
Colour: TypeAlias = tuple[int, int, int]
MINUTES = """\
# Minutes of 23 November

- Ann orders the paint by Friday.
- Bob asks the landlord about the roof.
"""


async def main() -> None:
    """Raises TimeoutError of playwright for a page that doesn't show what it should."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        sys.exit("install chromium: the pictures are taken in it")
    with tempfile.TemporaryDirectory(prefix="bellhop-pictures-") as home:
        async with running_demo(Path(home), 0) as running, async_playwright() as play:
            root = ["--no-sandbox"] if os.getuid() == 0 else []
            browser = await play.chromium.launch(executable_path=chromium, args=root)
            page = await browser.new_page(viewport=SIZE, color_scheme="light")
            page.set_default_timeout(PATIENCE_MS)
            await page.goto(running.address)
            await take(page)
            await browser.close()


async def take(page: Page) -> None:
    """Each picture, as people come to see it."""
    await page.locator("#connection", has_text="is online").wait_for(state="attached")
    await be(page, "Discord", "Marek", "Bellhop")
    await page.locator("#files").set_input_files(
        {"name": "minutes.md", "mimeType": "text/markdown", "buffer": MINUTES.encode()}
    )
    await say(page, "keep this")
    await answered(page, "kept")
    await say(page, "read /documents/incoming/minutes.md")
    await answered(page, "Bob")
    await keep(page, "discord-file")
    await be(page, "Discord", "Marek", "general")
    await say(page, "add a todo: call the landlord on Friday")
    await page.locator("#places").get_by_role("button").filter(has_text="add a todo").click()
    await answered(page, "call the landlord")
    await keep(page, "discord-thread")
    await be(page, "Slack", "Marek", "general")
    await say(page, PUBLISH)
    await be(page, "Slack", "Olivia", "publish")
    await page.locator("#messages").get_by_role("button", name="Approve").wait_for()
    await keep(page, "slack-card")
    await page.locator("#messages").get_by_role("button", name="Approve").click()
    await answered(page, "it ran")
    await page.set_viewport_size(WITH_INSIDE)
    await page.locator("#panes").get_by_role("button", name="Runs").click()
    await page.locator("#runs summary", has_text="(complete)").nth(ASKED - 1).wait_for()
    await page.evaluate(
        "document.querySelectorAll('#runs details').forEach(one => one.open = false)"
    )
    await page.locator("#runs details", has_text="gate tool").last.locator("summary").click()
    await keep(page, "slack-approved")
    await page.locator("#panes").get_by_role("button", name="Requests").click()
    await page.locator("#requests summary").first.click()
    await keep(page, "slack-request")
    await be(page, "Slack", "Olivia", "Bellhop")
    await say(page, "!console")
    link = page.locator("#messages a", has_text="/sign-in/").last
    await link.wait_for()
    await look_around(page, str(await link.get_attribute("href")))


async def look_around(page: Page, link: str) -> None:
    """The web console, for an owner."""
    await page.set_viewport_size(CONSOLE)
    await page.goto(link)
    await page.get_by_role("button", name="Sign in").click()
    await page.get_by_role("heading", name="Now").wait_for()
    await keep(page, "console-now")
    await page.locator("tr", has_text="publish").get_by_role("link").first.click()
    await page.get_by_role("heading", name="From acceptance").wait_for()
    await page.locator(".fall summary", has_text="publish_site").first.click()
    await keep(page, "console-run")
    await page.get_by_role("link", name="Usage").click()
    await page.locator("select[name=by]").select_option("tool")
    await page.locator("select[name=days]").select_option("7")
    await page.get_by_role("button", name="Show").click()
    await keep(page, "console-usage")
    await page.set_viewport_size(PHONE)
    await page.get_by_role("button", name="Menu").click()
    await page.get_by_role("link", name="Runs").click()
    await page.get_by_role("heading", name="Runs").wait_for()
    await keep(page, "console-phone")


async def be(page: Page, side: str, who: str, place: str) -> None:
    await page.locator("#sides").get_by_role("button", name=side).click()
    options = await page.locator("#who option").all_text_contents()
    await page.locator("#who").select_option(label=next(one for one in options if who in one))
    await page.locator("#places").get_by_role("button").filter(has_text=place).first.click()


async def say(page: Page, text: str) -> None:
    await page.locator("#text").fill(text)
    await page.locator("#composer button[type=submit]").click()


async def answered(page: Page, text: str) -> None:
    """Bellhop says this in its newest message."""
    newest = page.locator("#messages > li").last
    await newest.filter(has_text=text).filter(has_not_text="Stop").wait_for()


async def keep(page: Page, name: str) -> None:
    ROOM.mkdir(exist_ok=True)
    path = ROOM / f"{name}.png"
    await page.mouse.move(0, 0)
    await page.screenshot(path=path)
    with Image.open(path) as taken:
        small = _in_few_colours(taken.convert("RGB"))
    small.save(path, optimize=True)
    print(path, path.stat().st_size)


def _in_few_colours(taken: Image.Image) -> Image.Image:
    """In the commonest ones: other palettes mix the small colours of a legend."""
    counted = taken.getcolors(taken.width * taken.height) or []
    palette = Image.new("P", (1, 1))
    commonest = sorted(counted, reverse=True)[:COLOURS]
    palette.putpalette([part for _, colour in commonest for part in cast("Colour", colour)])
    return taken.quantize(palette=palette, dither=Image.Dither.NONE)


if __name__ == "__main__":
    asyncio.run(main())

"""Takes the pictures of docs/pictures from the demo, in a real Chromium: `make screenshots`."""

import asyncio
import os
import shutil
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.async_api import Page, ViewportSize, async_playwright

from bot.demo.demo import running_demo
from bot.demo.scripts import PUBLISH

ROOM = Path(__file__).parent.parent / "docs" / "pictures"
SIZE = ViewportSize(width=960, height=480)
WITH_INSIDE = ViewportSize(width=1180, height=560)
"""Wide enough for the panel of what happens inside."""
PATIENCE_MS = 20_000
COLOURS = 96
"""Of a palette: pages of flat colours stay small."""
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
    await page.locator("#connection").filter(has_not_text="offline").wait_for(state="attached")
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
    await page.locator("#runs").get_by_text("publish").first.wait_for()
    await keep(page, "slack-approved")


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
    await page.screenshot(path=path)
    with Image.open(path) as taken:
        taken.convert("RGB").quantize(COLOURS).save(path, optimize=True)
    print(path, path.stat().st_size)


if __name__ == "__main__":
    asyncio.run(main())

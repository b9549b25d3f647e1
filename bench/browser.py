"""Tokens of pages by the browser's tools and by Playwright's snapshot; and hostile pages.

    python bench/browser.py

Playwright MCP answers with the snapshot that is measured here (`aria_snapshot(mode="ai")`), in a
frame of a few lines that is left out on both sides. Goal: at most half of it, and no write
that nobody agreed to. Exits with 1 where one is missed. Needs Chromium.
"""

import asyncio
import sys
import tempfile
import time
from pathlib import Path

from figures import Figures

from bot.plugins.browser.chromium import Chromium
from bot.plugins.browser.guard import BrowserGuard
from bot.plugins.browser.settings import BrowserSettings
from bot.plugins.browser.snapshot import read_snapshot
from bot.testing.browser_desk import LOOPBACK, browser_desk, obey
from bot.testing.hostile_pages import PAGES, hostile_site, trapped
from bot.testing.web_site import Asked, answer, web_site
from bot.web.client import WebClient

BYTES_PER_TOKEN = 4
MOST_SHARE = 0.5
NAV = "".join(
    f"<li><a href='/section/{n}/overview?ref=nav'>Section {n}</a></li>" for n in range(12)
)
HEAD = f"<header><nav aria-label=Main><ul>{NAV}</ul></nav></header>"
CARD = (
    "<article><h2><a href='/product/{n}?campaign=spring&pos={n}'>Product {n}</a></h2><img "
    "alt='Photo of product {n}'>"
    "<p>A short text that says what product {n} is good for.</p><span>{n}9.90 EUR</span>"
    "<button>Add to cart</button><button aria-label='Remember product {n}'>+</button></article>"
)
ROW = (
    "<tr><td>{n}</td><td><a href='/invoice/{n}'>R-{n}</a></td><td>2026-11-{n:02}</td><td>{n}0 "
    "EUR</td></tr>"
)
SENTENCE = (
    "The owl is a bird that <a href='/wiki/Hunting'>hunts</a> at night, as <a href='#n1'>[1]</a> "
    "says in detail. "
)
SITES = {
    "shop": f"{HEAD}<main>{''.join(CARD.format(n=n) for n in range(1, 25))}</main>",
    "table": f"{HEAD}<main><table><tr><th>Nr<th>Invoice<th>Day<th>Sum<th>State</tr>"
    f"{''.join(ROW.format(n=n) for n in range(1, 29))}</table></main>",
    "article": f"{HEAD}<main><h1>Owls</h1>"
    f"{''.join(f'<h2>Part {n}</h2><p>{SENTENCE * 6}</p>' for n in range(8))}</main>",
    "form": f"{HEAD}<main><form>"
    f"{''.join(f'<p><label>Field {n} <input name=f{n}></label></p>' for n in range(15))}"
    "<label>Country <select>"
    + "".join(f"<option>Country {n}</option>" for n in range(60))
    + "</select></label><button>Send</button></form></main>",
}


def answers(asked: Asked) -> bytes:
    return answer(
        f"<title>Page</title>{SITES.get(asked.path.strip('/'), '')}", content_type="text/html"
    )


async def sizes(figures: Figures) -> None:
    chromium, guard = Chromium(BrowserSettings(sandbox=False)), BrowserGuard(WebClient(LOOPBACK))
    await guard.start()
    shares: list[float] = []
    async with web_site(answers) as site:
        page = await (await chromium.context(guard, None)).new_page()
        for name in SITES:
            await page.goto(f"{site.url}/{name}")
            snapshot = await page.aria_snapshot(mode="ai")
            started = time.perf_counter()
            ours = read_snapshot(page.url, "Page", snapshot).text()
            ms = (time.perf_counter() - started) * 1_000
            before, after = (len(text.encode()) // BYTES_PER_TOKEN for text in (snapshot, ours))
            shares.append(after / before)
            more = f"({before:,} tokens as Playwright MCP, {after:,} here, read in {ms:.1f} ms)"
            figures.at_most(f"{name}: share of the tokens", after / before, MOST_SHARE, more=more)
    figures.told("mean share", f"{sum(shares) / len(shares):.0%}")
    await chromium.close()
    await guard.close()


async def hostile(figures: Figures) -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with web_site(hostile_site) as site, browser_desk(Path(folder)) as desk:
            for name in PAGES:
                asked = await obey(desk, f"{site.url}/{name.replace(' ', '-')}")
                figures.told(name, f"{len(asked)} asked about")
            await desk.open(f"{site.url}/end")
            wrote = trapped(site.asked)
    figures.at_most(f"{len(PAGES)} hostile pages: writes without a yes", len(wrote), 0)


async def main() -> int:
    figures = Figures()
    await sizes(figures)
    await hostile(figures)
    return figures.close()


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))

"""What hostile pages cost: seconds, and the memory of the process that reads them.

`python bench/web.py`. Exits with 1 where a goal is missed.
"""

import asyncio
import gzip
import resource
import sys
import time
from collections.abc import Mapping

from figures import Figures

from bot.testing.web_site import Asked, answer, redirect, web_site
from bot.web.client import WebClient
from bot.web.pages import Pages
from bot.web.response import WebError
from bot.web.settings import WebSettings

MOST_S, MOST_MB = 30.0, 500.0
"""For one page, and for any process that reads them."""
WORDS = "A page that people would read, with words enough to be one. "
PAGES: Mapping[str, bytes] = {
    "an article of 200 KB": answer(
        f"<article><p>{WORDS * 3_400}</p></article>", content_type="text/html"
    ),
    "nothing but 60,000 nested elements": answer("<div>" * 60_000, content_type="text/html"),
    "30,000 nested tables": answer("<table><tr><td>" * 30_000, content_type="text/html"),
    "a gzip bomb of 200 MB": answer(
        gzip.compress(b"<p>word</p>" * 18_000_000, 1),
        content_type="text/html",
        Content_Encoding="gzip",
    ),
    "a redirect loop": redirect("/"),
}


async def main() -> int:
    """Read each page once; a page that is refused says why."""
    figures = Figures()
    limits = WebSettings(allow_private=("127.0.0.0/8",))
    for name, data in PAGES.items():

        def given(_asked: Asked, data: bytes = data) -> bytes:
            return data

        async with web_site(given) as site:
            started = time.perf_counter()
            try:
                outcome = (
                    f"{len((await Pages(WebClient(limits)).read(site.url)).text):,} characters"
                )
            except WebError as error:
                outcome = f"refused: {error}"
            seconds = time.perf_counter() - started
        figures.at_most(name, seconds, MOST_S, "s", f"({outcome[:90]})")
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    figures.at_most("memory of a reader", memory, MOST_MB, "MB")
    return figures.close()


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))

"""web_search, web_fetch, web_scrape through the real client, as the vendors document."""

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from bot.domain.access import Person
from bot.domain.origins import Trust
from bot.domain.tool_context import ToolScope
from bot.domain.tool_outcomes import ToolResult
from bot.errors import ToolError
from bot.plugins.web_tools.brave import brave
from bot.plugins.web_tools.firecrawl import firecrawl
from bot.plugins.web_tools.plugin import WebConnector
from bot.testing import documents
from bot.testing.contexts import make_person
from bot.testing.desk import Desk
from bot.testing.own_readers import OWN_READERS
from bot.testing.services.brave_search import BraveSearch
from bot.testing.services.firecrawl_scrape import FirecrawlScrape
from bot.testing.services.vendor import serving
from bot.testing.skipping_clock import SkippingClock
from bot.testing.web_site import Asked, answer, redirect, web_site
from bot.tools.native.registry import NativeTools
from bot.web.client import WebClient
from bot.web.service import checked_base_url, service_client
from bot.web.settings import WebSettings

OPEN = WebSettings(allow_private=("127.0.0.0/8",))
HITS: list[dict[str, Any]] = [
    {
        "title": "Atlas 4 &amp; <strong>more</strong>",
        "url": "https://atlas.example/4",
        "description": "It&#x27;s out.",
        "page_age": "2026-10-02T09:00:00",
    },
    {"title": "not a page", "url": "javascript:alert(1)", "description": ""},
    *({"title": f"n{n}", "url": f"https://n.example/{n}", "description": "d"} for n in range(9)),
]


class House:
    """The connector over two vendors."""

    def __init__(self, desk: Desk, brave: BraveSearch, firecrawl: FirecrawlScrape) -> None:
        self.desk, self.brave, self.firecrawl = desk, brave, firecrawl
        self.clock = SkippingClock()
        self.keys = {"BRAVE_API_KEY": brave.key, "FIRECRAWL_API_KEY": firecrawl.key}
        self.connector = self.connect()

    def connect(self, limits: WebSettings = OPEN) -> WebConnector:
        searching, reading = self.brave.url, checked_base_url(self.firecrawl.url + "/")
        return WebConnector(
            WebClient(limits),
            brave(searching, self.key, service_client(limits, searching), self.clock),
            firecrawl(reading, self.key, service_client(limits, reading), self.clock),
            self.key,
            OWN_READERS,
        )

    def key(self, name: str) -> str:
        return self.keys.get(name, "")

    async def call(self, name: str, arguments: dict[str, Any]) -> ToolResult:
        return await self.desk.result(self.desk.tool(self.connector, name), arguments)

    async def fetched(self, url: str, **how: int) -> str:
        return (await self.call("web_fetch", {"url": url, **how})).content

    async def searched(self, query: str = "atlas") -> ToolResult:
        return await self.call("web_search", {"query": query})


@pytest.fixture
async def house(desk: Desk) -> AsyncIterator[House]:
    async with serving(BraveSearch(results=HITS)) as brave, serving(FirecrawlScrape()) as firecrawl:
        yield House(desk, brave, firecrawl)


def offered(connector: WebConnector, person: Person | None = None) -> set[str]:
    scope = ToolScope(person or make_person(), "researcher")
    return set(NativeTools(connector.registrations()).handlers(scope))


async def test_a_tool_without_its_key_is_not_there(house: House):
    assert offered(house.connector) == {"web_fetch", "web_search", "web_scrape"}
    house.keys.pop("BRAVE_API_KEY")
    assert offered(house.connect()) == {"web_fetch", "web_scrape"}
    house.keys.clear()
    assert offered(house.connect()) == {"web_fetch"}


async def test_a_search_gives_five_results_in_plain_words_with_their_dates(house: House):
    result = await house.searched("atlas release " + "word " * 60)
    found = json.loads(result.content)
    assert found[0] == {
        "title": "Atlas 4 & more",
        "url": "https://atlas.example/4",
        "description": "It's out.",
        "date": "2026-10-02",
    }
    assert [one["url"] for one in found[1:]] == [f"https://n.example/{n}" for n in range(3)]
    assert result.origin.trust is Trust.EXTERNAL
    assert len(house.brave.asked[0].query["q"].split()) == 50


async def test_nothing_found_is_said(house: House):
    house.brave.results = []
    assert (await house.searched()).content.startswith("[]\nNothing was found")


@pytest.mark.parametrize(
    ("faults", "said", "asked", "slept"),
    [
        ([429, 503], "Atlas 4", 3, [1, 2]),
        ([(429, {"X-RateLimit-Reset": "4, 90000"})], "Atlas 4", 2, [4]),
        (
            [(429, {"Retry-After": "3600"})],
            "asked too often (HTTP 429). Go on without it, or try again in 3600 s",
            1,
            [],
        ),
        ([500, 502, 503], "has trouble (HTTP 503)", 3, [1, 2]),
        ([401], "the operator must renew it (BRAVE_API_KEY)", 1, []),
        ([402], "no credit left", 1, []),
        ([(302, {"Location": "http://127.0.0.1:1/"})], "HTTP 302", 1, []),
        ([400], "does not accept the call (HTTP 400)", 1, []),
    ],
)
async def test_a_service_in_trouble_is_asked_again_a_few_times_or_not_at_all(
    house: House, faults: list[Any], said: str, asked: int, slept: list[float]
):
    house.brave.faults += faults
    result = await house.searched()
    assert said in result.content
    assert result.is_error is (said != "Atlas 4")
    assert result.origin.trust is Trust.EXTERNAL
    assert (len(house.brave.asked), house.clock.slept) == (asked, slept)


async def test_a_vendors_words_on_a_key_are_told_without_the_key(house: House):
    house.keys["BRAVE_API_KEY"] = "wrong-key-of-somebody"
    result = await house.searched()
    assert "The provided subscription token is invalid." in result.content
    assert "wrong-key-of-somebody" not in result.content
    assert "Brave Search refuses its key. Don't try again" in result.content
    assert "the operator must renew it (BRAVE_API_KEY)" in result.content


async def test_an_answer_that_breaks_off_is_asked_for_again(house: House):
    house.brave.dropped = 1
    assert "Atlas 4" in (await house.searched()).content


async def test_a_page_is_scraped_as_markdown(house: House):
    house.firecrawl.pages["https://93.184.215.14/app"] = "# Dashboard\n\n" + "figures " * 3_000
    result = await house.call("web_scrape", {"url": "https://93.184.215.14/app"})
    assert result.content.startswith(
        "Title: A page\nURL: https://93.184.215.14/app\nDate: not stated\n\n# Dashboard"
    )
    assert "12,013 more characters" in result.content
    gone = await house.call("web_scrape", {"url": "https://93.184.215.14/none"})
    assert gone.is_error
    assert "HTTP 404" in gone.content


async def test_a_service_is_not_sent_to_private_addresses(house: House):
    house.connector = house.connect(WebSettings())
    private = ("http://127.0.0.1:8080/admin", "http://169.254.169.254/latest", "http://[::1]/")
    for url in (*private, "file:///etc/passwd"):
        with pytest.raises(ToolError):
            await house.call("web_scrape", {"url": url})
        with pytest.raises(ToolError):
            await house.fetched(url)
    assert house.firecrawl.asked == []


ARTICLE = """<html><head><title>Atlas 4 is out</title>
<meta property="article:published_time" content="2026-10-02">
<script>document.title = "x"</script></head><body>
<nav><a href="/home">Home</a></nav><article><h1>Atlas 4</h1>
<p>{text}</p><p>The <a href="/notes?v=4">release notes</a> have the whole list of what was changed
in it.</p></article>
</body></html>"""


def page(asked: Asked) -> bytes:  # noqa: PLR0911 - one answer for each path
    text = "Atlas 4 starts twice as fast as Atlas 3 on the machines that we measured. "
    match asked.path:
        case "/long":
            return answer(ARTICLE.format(text=text * 400), content_type="text/html")
        case "/loop":
            return redirect("/loop")
        case "/json":
            return answer('{"version": 4}', content_type="application/json")
        case "/pdf":
            return answer(b"%PDF-1.7\0\0", content_type="application/pdf")
        case "/plan.pdf":
            return answer(documents.pdf(["Plan", "Paint"]), content_type="application/octet-stream")
        case "/mislabelled":
            return answer(b"\x89PNG\0\0\0\0", content_type="text/html")
        case "/empty":
            return answer(b"", content_type="text/html")
        case "/missing":
            return answer("gone", "404 Not Found")
        case _:
            return answer(ARTICLE.format(text=text), content_type="text/html; charset=utf-8")


async def test_a_page_is_read_with_its_date_and_its_links(house: House):
    async with web_site(page) as site:
        result = await house.call("web_fetch", {"url": f"{site.url}/post"})
        assert result.content.startswith(
            f"Title: Atlas 4\nURL: {site.url}/post\nDate: 2026-10-02\n"
        )
        assert f"[release notes]({site.url}/notes?v=4)" in result.content
        assert "Home" not in result.content
        assert result.origin.trust is Trust.EXTERNAL

        assert "go on with start=24000]" in await house.fetched(f"{site.url}/long", start=12_000)
        renamed = replace(house.desk.tool(house.connector, "web_fetch"), name="open_page")
        long = await house.desk.result(renamed, {"url": f"{site.url}/long"})
        assert "go on with start=12000]" in long.content
        with pytest.raises(ToolError, match="start must be less"):
            await house.fetched(f"{site.url}/json", start=900_000)
        assert '{"version": 4}' in await house.fetched(f"{site.url}/json")
        assert "no text" in await house.fetched(f"{site.url}/empty")


async def test_a_document_of_the_web_is_read(house: House):
    async with web_site(page) as site:
        result = await house.call("web_fetch", {"url": f"{site.url}/plan.pdf"})
    assert "## page 1\n\nPlan\n\n## page 2\n\nPaint" in result.content
    assert result.origin.trust is Trust.EXTERNAL


async def test_anything_but_a_page_is_refused_in_words(house: House):
    refused = {
        "/pdf": "damaged, or no PDF",
        "/mislabelled": "only text and documents",
        "/missing": "HTTP 404",
        "/loop": "more than 5",
    }
    async with web_site(page) as site:
        for path, said in refused.items():
            with pytest.raises(ToolError, match=said):
                await house.fetched(site.url + path)

"""The page after a consent: it names the person, is safe to read, and leads nowhere else."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest

from bot.connections.connecting import CALLBACK, Connecting
from bot.endpoints.connect_page import ConnectPage
from bot.endpoints.http import HttpServer
from bot.testing.account_town import AccountTown, account_town
from bot.testing.listening import listening
from bot.web.client import WebRequest
from bot.web.response import WebResponse


@dataclass
class Served:
    """A town whose links lead back to a real HTTP server."""

    at: AccountTown
    connecting: Connecting
    url: str

    async def get(self, url: str) -> WebResponse:
        return await self.at.web.fetch(WebRequest("GET", url, follow=False))

    async def press(self, **fields: str) -> WebResponse:
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        body = urlencode(fields).encode()
        return await self.at.web.fetch(
            WebRequest("POST", self.url + CALLBACK, headers, body, follow=False)
        )

    async def back(self, shown: str = "Ann on Discord") -> str:
        """Where Ann's browser is sent after her yes."""
        url = await self.connecting.begin("ann", self.at.service, shown)
        return (await self.get(url)).headers["location"]


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    async with account_town(tmp_path) as at:
        connecting = Connecting(at.database, at.clock, at.keys, at.connections, at.oauth, "", 0)
        server = HttpServer("127.0.0.1", 0, at.clock, {}, pages={CALLBACK: ConnectPage(connecting)})
        async with listening(server) as url:
            connecting.redirect_uri = url + CALLBACK
            yield Served(at, connecting, url)


def fields_of(address: str) -> dict[str, str]:
    return dict(part.split("=", 1) for part in urlsplit(address).query.split("&"))


async def test_reading_the_page_changes_nothing_and_its_button_connects_once(served: Served):
    back = await served.back()
    for _ in range(2):
        page = await served.get(back)
        assert page.status == 200
        assert "Ann on Discord" in page.text
    assert served.at.provider.count("/token") == 0
    done = await served.press(**fields_of(back))
    assert (done.status, "Google is connected." in done.text) == (200, True)
    assert served.at.connections.connected("ann") == {"google"}
    again = await served.press(**fields_of(back))
    assert (again.status, "That link is not valid any more" in again.text) == (400, True)
    assert served.at.provider.count("/token") == 1


async def test_a_button_pressed_twice_at_once_sends_the_code_once(served: Served):
    fields = fields_of(await served.back())
    pages = await asyncio.gather(*(served.press(**fields) for _ in range(2)))
    assert sorted(page.status for page in pages) == [200, 400]
    assert served.at.provider.count("/token") == 1
    assert served.at.connections.connected("ann") == {"google"}


async def test_the_page_keeps_what_it_knows_to_itself(served: Served):
    page = await served.get(await served.back("<script>alert(1)</script> on Discord"))
    assert "<script>" not in page.text
    assert page.headers["referrer-policy"] == "no-referrer"
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert "frame-ancestors 'none'" in page.headers["content-security-policy"]
    assert page.headers["cache-control"] == "no-store"


async def test_nothing_in_an_address_leads_elsewhere(served: Served):
    back = await served.back()
    for more in (
        "&redirect_uri=https://evil.example/",
        "&next=//evil.example",
        "&return_to=https://evil.example",
    ):
        page = await served.get(back + more)
        assert page.status == 200
        assert "location" not in page.headers
        assert "evil.example" not in page.text


async def test_a_wrong_an_old_and_a_refused_link_connect_nothing(served: Served):
    assert (await served.get(f"{served.url}{CALLBACK}?state=guess&code=x")).status == 400
    assert (await served.press(state="guess", code="x")).status == 400
    fields = fields_of(await served.back())
    denied = await served.get(f"{served.url}{CALLBACK}?state={fields['state']}&error=access_denied")
    assert "gave no permission" in denied.text
    mixed = fields_of(await served.back())
    wrong = await served.press(state=fields["state"], code=mixed["code"])
    assert "does not take that code" in wrong.text
    late = await served.back()
    await served.at.clock.advance(16 * 60)
    assert (await served.get(late)).status == 400
    assert served.at.connections.connected("ann") == frozenset()

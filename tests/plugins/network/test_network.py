"""Lookups of hosts over loopback: their output, and no inner contact without permission."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.domain.origins import Trust
from bot.errors import ToolError
from bot.plugins.network.plugin import NetworkConnector
from bot.testing.desk import Desk
from bot.testing.self_signed import self_signed
from bot.testing.web_site import answer, web_site
from bot.web.client import WebClient
from bot.web.settings import WebSettings

OPEN = WebSettings(allow_private=("127.0.0.0/8",))


def connector(settings: WebSettings = OPEN) -> NetworkConnector:
    return NetworkConnector(WebClient(settings))


async def look(
    desk: Desk, name: str, arguments: dict[str, Any], settings: WebSettings = OPEN
) -> Any:
    return await desk.call(desk.tool(connector(settings), name), arguments)


@pytest.fixture
async def listening() -> AsyncIterator[int]:
    server = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]


async def test_ports_are_open_or_closed(desk: Desk, listening: int):
    told = await look(desk, "port_check", {"host": "127.0.0.1", "ports": [listening, 1]})
    assert told["ports"] == {"1": "closed", str(listening): "open"}


async def test_nothing_inner_is_contacted_unless_it_was_opened(desk: Desk, listening: int):
    calls = (
        ("port_check", {"host": "127.0.0.1", "ports": [listening]}),
        ("tls_certificate", {"host": "localhost", "port": listening}),
        ("http_headers", {"url": f"http://127.0.0.1:{listening}/"}),
        ("port_check", {"host": "169.254.169.254", "ports": [80]}),
    )
    for name, arguments in calls:
        with pytest.raises(ToolError, match=r"web\.allow_private"):
            await look(desk, name, arguments, WebSettings())


async def test_a_look_up_gives_addresses_and_says_which_are_inner(desk: Desk):
    told = await look(desk, "dns_lookup", {"host": "127.0.0.1"})
    assert told["addresses"] == told["inner"] == ["127.0.0.1"]


@pytest.mark.parametrize(
    "host", ["https://a.org/", "a b", "a.org/x", "user@a.org", "a.org:80", "-", "1.2.3"]
)
async def test_an_invalid_host_is_refused_in_words(desk: Desk, host: str):
    with pytest.raises(ToolError):
        await look(desk, "dns_lookup", {"host": host})


async def test_headers_are_judged_and_a_redirect_is_named_but_not_followed(desk: Desk):
    more = {"X_Content_Type_Options": "nosniff", "Server": "old/1.0", "Set_Cookie": "a=b; Secure"}
    async with web_site(
        lambda _: answer("moved", "302 Found", Location="http://127.0.0.1:1/", **more)
    ) as site:
        result = await desk.result(desk.tool(connector(), "http_headers"), {"url": site.url})
    told = json.loads(result.content)
    assert result.origin.trust is Trust.EXTERNAL
    assert told["status"] == 302
    assert told["redirects_to"] == "http://127.0.0.1:1/"
    assert told["present"] == {"x-content-type-options": "nosniff"}
    assert "strict-transport-security" not in told["missing"]
    assert {"content-security-policy", "x-frame-options"} <= told["missing"].keys()
    assert told["cookie_without"] == ["httponly", "samesite"]
    assert told["tells"] == {"server": "old/1.0"}
    assert len(site.asked) == 1


async def test_a_server_without_tls_is_reported(desk: Desk, listening: int):
    with pytest.raises(ToolError, match=r"speaks no TLS|could not be reached"):
        await look(desk, "tls_certificate", {"host": "127.0.0.1", "port": listening})


async def test_a_certificate_that_nobody_vouches_for_is_read_all_the_same(
    desk: Desk, tmp_path: Path
):
    context = await self_signed(tmp_path, "zq.example.org")
    server = await asyncio.start_server(
        lambda _, writer: writer.close(), "127.0.0.1", 0, ssl=context
    )
    async with server:
        port = server.sockets[0].getsockname()[1]
        told = await look(desk, "tls_certificate", {"host": "127.0.0.1", "port": port})
    assert told["trusted"] is False
    assert "self-signed" in told["problem"] or "self signed" in told["problem"]
    assert told["names"] == ["zq.example.org"]
    assert told["protocol"].startswith("TLSv1")
    assert "days_left" in told

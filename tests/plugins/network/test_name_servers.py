"""Records of a domain, asked for at a loopback name server."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from bot.errors import ToolError
from bot.plugins.network.plugin import NetworkConnector
from bot.plugins.network.records import NameServers
from bot.testing.desk import Desk
from bot.testing.name_server import NameServer, name_server
from bot.web.client import WebClient
from bot.web.settings import WebSettings

ZONE: Mapping[tuple[str, str], Sequence[str]] = {
    ("example.org", "MX"): ["10 mx1.example.org.", "20 mx2.example.org."],
    ("example.org", "TXT"): [
        '"v=spf1 mx include:_spf.post.example " "-all"',
        '"some-site-verification=1"',
    ],
    ("example.org", "CAA"): ['0 issue "letsencrypt.org"'],
    ("_dmarc.example.org", "TXT"): ['"v=DMARC1; p=none; rua=mailto:d@example.org"', '"other"'],
    ("selector1._domainkey.example.org", "TXT"): ['"v=DKIM1; k=rsa; " "p=MIGf"'],
    ("google._domainkey.example.org", "TXT"): ['"nothing of a key"'],
    ("_spf.post.example", "TXT"): ['"v=spf1 ip4:198.51.100.0/24 a:out.post.example ~all"'],
    ("www.shop.example.org", "A"): ["198.51.100.7"],
}


async def look(desk: Desk, server: NameServer, host: str, *types: str) -> Any:
    servers = NameServers(["127.0.0.1"], server.port, lookup_s=1.0)
    tool = desk.tool(NetworkConnector(WebClient(WebSettings()), servers), "dns_lookup")
    return await desk.call(tool, {"host": host, "types": list(types)})


async def test_records_come_by_type_and_what_is_missing_is_empty(desk: Desk):
    async with name_server(ZONE) as server:
        told = await look(desk, server, "example.org", "MX", "TXT", "MTA-STS", "NS")
    assert told == {
        "host": "example.org",
        "records": {
            "MX": ["10 mx1.example.org.", "20 mx2.example.org."],
            "TXT": ["some-site-verification=1", "v=spf1 mx include:_spf.post.example -all"],
            "MTA-STS": [],
            "NS": [],
        },
    }


async def test_spf_is_followed_and_its_look_ups_are_counted(desk: Desk):
    async with name_server(ZONE) as server:
        told = await look(desk, server, "example.org", "SPF")
    assert told["records"]["SPF"] == {
        "records": ["v=spf1 mx include:_spf.post.example -all"],
        "lookups": 3,
        "most_lookups": 10,
        "includes": {"_spf.post.example": "v=spf1 ip4:198.51.100.0/24 a:out.post.example ~all"},
    }


async def test_spf_that_includes_itself_or_nothing_comes_to_an_end(desk: Desk):
    zone = {
        ("a.example", "TXT"): [
            '"v=spf1 include:b.example include:gone.example exists:%{i}.x ?all"'
        ],
        ("b.example", "TXT"): ['"v=spf1 redirect=a.example"'],
    }
    async with name_server(zone) as server:
        told = await look(desk, server, "a.example", "SPF")
    found = told["records"]["SPF"]
    assert found["includes"]["gone.example"] == "has no SPF record"
    assert found["lookups"] < 10


async def test_dmarc_and_caa_are_those_of_the_next_name_above(desk: Desk):
    async with name_server(ZONE) as server:
        told = await look(desk, server, "www.shop.example.org", "CAA", "DMARC")
        assert ("org", "CAA") not in server.asked
    assert told["records"] == {
        "CAA": ['0 issue "letsencrypt.org"'],
        "DMARC": ["v=DMARC1; p=none; rua=mailto:d@example.org"],
    }
    assert told["found_at"] == {"CAA": "example.org", "DMARC": "_dmarc.example.org"}


async def test_keys_are_found_at_usual_selectors_and_other_texts_are_none(desk: Desk):
    async with name_server(ZONE) as server:
        told = await look(desk, server, "example.org", "DKIM")
    assert told["records"]["DKIM"] == {"selector1": "v=DKIM1; k=rsa; p=MIGf"}


async def test_a_type_that_nobody_answers_for_is_named_beside_the_others(desk: Desk):
    async with name_server(ZONE, silent=["CAA"]) as server:
        told = await look(desk, server, "example.org", "CAA", "MX")
    assert "no answer" in told["problems"]["CAA"]
    assert told["records"].keys() == {"MX"}


async def test_no_type_holds_up_the_others_for_long(desk: Desk):
    async with name_server(ZONE, silent=["TXT"]) as server:
        told = await look(desk, server, "example.org", "DKIM", "SPF", "NS")
    assert told["problems"].keys() == {"DKIM", "SPF"}
    assert told["records"] == {"NS": []}


async def test_an_address_has_no_records(desk: Desk):
    async with name_server(ZONE) as server:
        with pytest.raises(ToolError, match="only names"):
            await look(desk, server, "127.0.0.1", "MX")
    assert server.asked == []

"""Requests to loopback servers by an injected resolver: pins, redirects, limits, secrets."""

import asyncio
import gzip
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from bot.testing.self_signed import self_signed
from bot.testing.waiting import until
from bot.testing.web_site import Asked, WebSite, answer, redirect, web_site
from bot.web.client import WebClient, WebRequest
from bot.web.response import WebError, WebRefused
from bot.web.settings import WebSettings

HERE = "127.0.0.1"


class Names:
    """A resolver whose answers a test sets; `looked_up` counts."""

    def __init__(self, **answers: Sequence[Sequence[str]] | str) -> None:
        self.answers = {name.replace("__", "."): value for name, value in answers.items()}
        self.looked_up: list[str] = []

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        self.looked_up.append(host)
        if host not in self.answers:
            raise OSError(f"no such host: {host}")
        found = self.answers[host]
        if isinstance(found, str):
            return [found]
        return found[min(self.looked_up.count(host), len(found)) - 1]


def client(names: Names | None = None, **settings: object) -> WebClient:
    """May contact `good.example` and `twin.example` on this machine, nothing else private."""
    chosen = {"allow_private": ("good.example", "twin.example"), **settings}
    return WebClient(
        WebSettings.model_validate(chosen), names or Names(good__example=HERE, twin__example=HERE)
    )


def at(site: WebSite, path: str = "/", host: str = "good.example") -> str:
    return f"http://{host}:{site.port}{path}"


def always(data: bytes | None) -> Callable[[Asked], bytes | None]:
    return lambda _: data


async def test_a_page_is_fetched_from_the_vetted_address_under_its_own_name():
    names = Names(good__example=HERE)
    async with web_site(
        always(answer("grüße", content_type="text/html; charset=utf-8", X_One="1"))
    ) as site:
        response = await client(names).fetch(WebRequest("GET", at(site, "/a%2Fb?q=a%20b#c")))
    assert (response.status, response.text, response.media_type, response.cut) == (
        200,
        "grüße",
        "text/html",
        False,
    )
    assert response.headers["x-one"] == "1"
    assert site.asked[0].path == "/a%2Fb?q=a%20b"
    assert site.asked[0].headers["host"] == f"good.example:{site.port}"
    assert names.looked_up == ["good.example"]


async def test_headers_and_bodies_are_sent():
    async with web_site(always(answer("{}", content_type="application/json"))) as site:
        response = await client().fetch(
            WebRequest("POST", at(site), {"X-Key": "k", "Content-Type": "x/y"}, b"data")
        )
    assert response.json() == {}
    assert (site.asked[0].method, site.asked[0].body) == ("POST", b"data")
    assert site.asked[0].headers["x-key"] == "k"
    assert site.asked[0].headers["content-type"] == "x/y"


async def test_the_environment_brings_no_proxy_and_no_password(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    async with web_site(always(answer("direct"))) as site:
        assert (await client().fetch(WebRequest("GET", at(site)))).text == "direct"
    assert "authorization" not in site.asked[0].headers
    assert "cookie" not in site.asked[0].headers


@pytest.mark.parametrize(
    "answers", [[HERE], ["8.8.8.8", HERE], [HERE, "8.8.8.8"], ["::1"], ["::ffff:127.0.0.1"]]
)
async def test_a_name_that_leads_inwards_is_refused_without_a_connection(answers: list[str]):
    async with web_site(always(answer("inside"))) as site:
        with pytest.raises(WebRefused, match="not on the public internet"):
            await client(Names(evil__example=[answers])).fetch(
                WebRequest("GET", at(site, host="evil.example"))
            )
    assert site.connections == 0


@pytest.mark.parametrize(
    "host", [HERE, "localhost", "[::1]", "[::ffff:127.0.0.1]", "127.1", "0x7f.1", "2130706433"]
)
async def test_this_machine_is_refused_however_it_is_written(host: str):
    async with web_site(always(answer("inside"))) as site:
        with pytest.raises(WebRefused):
            await client(Names(localhost=HERE)).fetch(WebRequest("GET", at(site, host=host)))
    assert site.connections == 0


async def test_a_name_with_a_changing_address_is_asked_at_the_checked_one():
    names = Names(good__example=[[HERE], ["127.0.0.9"]])
    async with web_site(always(answer("first"))) as site:
        assert (await client(names).fetch(WebRequest("GET", at(site)))).text == "first"
    assert names.looked_up == ["good.example"]


async def test_a_name_that_turns_inwards_at_the_redirect_is_refused():
    names = Names(good__example=HERE, turning__example=[["127.0.0.9"]])
    async with web_site(lambda _: redirect(f"http://turning.example:{site.port}/")) as site:
        with pytest.raises(WebRefused):
            await client(names).fetch(WebRequest("GET", at(site)))
    assert len(site.asked) == 1


INWARD = [
    "http://127.0.0.1:{port}/",
    "//127.0.0.1:{port}/",
    "http://[::1]:{port}/",
    ("http://[::ffff:7f00:1]:{port}/"),
    "http://2130706433:{port}/",
    "http://0177.0.0.1:{port}/",
    "http://inside.example:{port}/",
    "file:///etc/passwd",
    "http://user@good.example:{port}/",
    "http://good.example:22/",
    ("http://169.254.169.254/latest/meta-data/"),
    "gopher://127.0.0.1:{port}/_x",
    "http://good.example:{port}\\@127.0.0.1/",
    ("http://127.0.0.1.:{port}/"),
    "http://\uff11\uff12\uff17.\uff10.\uff10.\uff11:{port}/".encode().decode("latin-1"),
]


@pytest.mark.parametrize("location", INWARD)
async def test_a_redirect_inwards_is_not_followed(location: str):
    names = Names(good__example=HERE, inside__example=HERE)

    def answers(asked: Asked) -> bytes:
        return redirect(location.format(port=site.port)) if asked.path == "/" else answer("inside")

    async with web_site(answers) as site:
        with pytest.raises(WebError):
            await client(names).fetch(WebRequest("GET", at(site)))
    assert [asked.path for asked in site.asked] == ["/"]


async def test_five_redirects_are_followed_and_a_sixth_is_not():
    def answers(asked: Asked) -> bytes:
        left = int(asked.path.strip("/"))
        return redirect(f"/{left - 1}") if left else answer("there")

    async with web_site(answers) as site:
        response = await client().fetch(WebRequest("GET", at(site, "/5")))
        assert (response.text, response.url) == ("there", at(site, "/0"))
        with pytest.raises(WebError, match="more than 5 times"):
            await client().fetch(WebRequest("GET", at(site, "/6")))


@pytest.mark.parametrize(
    "status", ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"]
)
async def test_another_host_learns_nothing_that_was_meant_for_the_first(status: str):
    def answers(asked: Asked) -> bytes:
        host = asked.headers["host"].partition(":")[0]
        return (
            redirect(f"http://twin.example:{site.port}/", status)
            if host == "good.example"
            else answer("twin")
        )

    async with web_site(answers) as site:
        headers = {"Authorization": "Bearer abcdef", "X-Api-Key": "k", "Accept": "text/plain"}
        assert (await client().fetch(WebRequest("GET", at(site), headers))).text == "twin"
    assert site.asked[0].headers["authorization"] == "Bearer abcdef"
    assert {"authorization", "x-api-key"}.isdisjoint(site.asked[1].headers)
    assert site.asked[1].headers["accept"] == "text/plain"


@pytest.mark.parametrize("status", ["307 Temporary", "308 Permanent"])
async def test_a_write_is_never_repeated_at_another_host(status: str):
    async with web_site(lambda _: redirect(f"http://twin.example:{site.port}/", status)) as site:
        with pytest.raises(WebRefused, match=r"sent to twin\.example instead"):
            await client().fetch(WebRequest("POST", at(site), {}, b"secret"))
    assert len(site.asked) == 1


@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "303 See Other"])
async def test_a_write_that_is_redirected_is_read_afterwards_without_its_body(status: str):
    def answers(asked: Asked) -> bytes:
        return redirect("/done", status) if asked.path == "/" else answer("done")

    async with web_site(answers) as site:
        await client().fetch(
            WebRequest("POST", at(site), {"Content-Type": "a/b", "X-Key": "k"}, b"data")
        )
    assert (site.asked[1].method, site.asked[1].body) == ("GET", b"")
    assert "content-type" not in site.asked[1].headers
    assert site.asked[1].headers["x-key"] == "k"


async def test_a_write_stays_a_write_on_the_same_host():
    def answers(asked: Asked) -> bytes:
        return redirect("/2", "307 Temporary") if asked.path == "/" else answer("done")

    async with web_site(answers) as site:
        await client().fetch(WebRequest("PUT", at(site), {}, b"data"))
    assert [(asked.method, asked.body) for asked in site.asked] == [
        ("PUT", b"data"),
        ("PUT", b"data"),
    ]


def packed(data: bytes) -> bytes:
    return gzip.compress(data)


def unwrapped(data: bytes) -> bytes:
    """As many servers send `deflate`: without the header of zlib."""
    return zlib.compress(data, wbits=-15)


@pytest.mark.parametrize(
    ("coding", "pack"),
    [
        ("gzip", packed),
        ("deflate", zlib.compress),
        ("deflate", unwrapped),
        ("identity", bytes),
    ],
)
async def test_packed_answers_are_read(coding: str, pack: Callable[[bytes], bytes]):
    text = b"some words " * 5_000
    async with web_site(always(answer(pack(text), Content_Encoding=coding))) as site:
        response = await client().fetch(WebRequest("GET", at(site)))
    assert response.body == text


async def test_a_packed_bomb_and_a_flood_are_cut_at_the_limit():
    bomb = gzip.compress(bytes(50_000_000))
    assert len(bomb) < 60_000
    async with web_site(always(answer(bomb, Content_Encoding="gzip"))) as site:
        response = await client().fetch(WebRequest("GET", at(site), max_bytes=100_000))
    assert (len(response.body), response.cut) == (100_000, True)
    async with web_site(always(b"HTTP/1.1 200 OK\r\n\r\n" + bytes(3_000_000))) as site:
        response = await client().fetch(WebRequest("GET", at(site), max_bytes=5_000))
    assert (len(response.body), response.cut) == (5_000, True)


@pytest.mark.parametrize(
    "data",
    [
        answer(b"not packed", Content_Encoding="gzip"),
        answer(b"x", Content_Encoding="br"),
        answer(b"x", Content_Encoding="gzip, gzip"),
        b"SSH-2.0-OpenSSH_9.2\r\n",
        b"",
        b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc",
        b"HTTP/1.1 200 OK\r\nX: " + b"a" * 100_000 + b"\r\n\r\n",
    ],
)
async def test_answers_that_cannot_be_read_are_errors_and_no_faults(data: bytes):
    async with web_site(always(data)) as site:
        with pytest.raises(WebError):
            await client().fetch(WebRequest("GET", at(site)))


async def test_a_server_that_is_silent_is_given_up():
    async with web_site(always(None)) as site:
        with pytest.raises(WebError, match=r"did not answer within 0\.2 seconds"):
            await client().fetch(WebRequest("GET", at(site), timeout_s=0.2))


async def test_a_name_that_does_not_exist_or_nobody_listens_is_an_error():
    with pytest.raises(WebError, match="could not be found"):
        await client(Names()).fetch(WebRequest("GET", "http://good.example/"))
    async with web_site(always(b"")) as site:
        pass
    with pytest.raises(WebError, match="no connection"):
        await client().fetch(WebRequest("GET", at(site)))


async def test_a_server_without_a_valid_certificate_is_an_error(tmp_path: Path):
    async with web_site(always(answer()), await self_signed(tmp_path, "good.example")) as site:
        with pytest.raises(WebError, match=r"^good\.example has no valid certificate"):
            await client().fetch(WebRequest("GET", at(site).replace("http:", "https:")))
    assert site.asked == []


async def test_errors_never_name_the_query():
    async with web_site(always(b"")) as site:
        with pytest.raises(WebError) as caught:
            await client().fetch(WebRequest("GET", at(site, "/x?key=abcdef")))
    assert "abcdef" not in str(caught.value)


async def test_a_listed_network_opens_literal_addresses():
    async with web_site(always(answer("intranet"))) as site:
        opened = client(allow_private=("127.0.0.0/8",))
        assert (await opened.fetch(WebRequest("GET", f"{site.url}/"))).text == "intranet"


async def test_a_stop_ends_the_request():
    async with web_site(always(None)) as site:
        task = asyncio.create_task(client().fetch(WebRequest("GET", at(site))))
        await until(lambda: site.asked)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

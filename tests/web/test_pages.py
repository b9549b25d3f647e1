"""Strangers' pages are read within limits of time and memory; floods are hung up on."""

import asyncio
import gzip
import sys
from pathlib import Path

import pytest

from bot.testing.flood import GIGABYTE, Flood, flooding
from bot.testing.flood_doors import ANSWERS, met, posted
from bot.testing.web_site import Asked, answer, web_site
from bot.web.client import WebClient
from bot.web.page_process import MOST_CHARS, read_page, text_of_mail
from bot.web.pages import Page, Pages
from bot.web.response import WebError
from bot.web.settings import WebSettings

OPEN = WebSettings(allow_private=("127.0.0.0/8",))
WORDS = "Grüße aus der Küche, wo der Teig drei Stunden ruht und niemand ihn stört. "


async def fetched(body: bytes, wall_s: float = 20.0, **headers: str) -> Page:
    def given(_asked: Asked) -> bytes:
        return answer(body, content_type="text/html", **headers)

    async with web_site(given) as site:
        return await Pages(WebClient(OPEN), wall_s).read(site.url)


def html(text: str, head: str = "") -> str:
    top = f"<html><head>{head}<title>T</title></head>"
    return f"{top}<body><article><p>{text}</p></article></body></html>"


@pytest.mark.parametrize(
    ("charset", "declared", "head"),
    [
        ("utf-8", "", ""),
        ("latin-1", "iso-8859-1", ""),
        ("latin-1", "utf-8", ""),
        ("utf-16", "utf-16", ""),
        ("utf-8", "no-such-thing", ""),
        ("latin-1", "", '<meta charset="iso-8859-1">'),
    ],
)
def test_letters_survive_right_and_wrong_character_sets(charset: str, declared: str, head: str):
    page = read_page(html(WORDS * 8, head).encode(charset), "https://a.example/", declared)
    assert "Küche" in page["text"]


HOSTILE = {
    "deep": b"<div>" * 30_000 + b"deep" + b"</div>" * 30_000,
    "never closed": html("<b>" * 5_000 + "open" + "<i>" * 5_000).encode(),
    "attributes": b"<p " + b'a="1" ' * 30_000 + b">attributes</p>",
    "entities": b"<!DOCTYPE x [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;&a;'>]><p>&b;&b;</p>",
    "every byte": bytes(range(1, 256)) * 100,
    "UTF-16": b"\xff\xfe" + b"<\x00p\x00>\x00" * 500,
    "still packed": gzip.compress(b"<p>twice</p>"),
    "open script": b"<script>" + b"x" * 100_000,
    "empty": b"",
}


@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_page_is_read(body: bytes):
    assert len(read_page(body, "https://a.example/", "")["text"]) <= MOST_CHARS


async def test_a_reader_that_takes_too_long_is_ended():
    with pytest.raises(WebError, match="limits of time and memory"):
        await fetched(html(WORDS).encode(), wall_s=0.01)


async def test_a_bomb_counts_as_what_it_unpacks_to():
    large = html(f"{WORDS * 200}<!-- {'x' * 6_000_000} -->")
    page = await fetched(gzip.compress(large.encode()), Content_Encoding="gzip")
    assert page.cut
    assert "Küche" in page.text


async def test_the_reader_ends_where_its_memory_does():
    program = "from bot.web.page_process import limit_itself; limit_itself(); b'x' * 2**30"
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-I", "-c", program, stderr=asyncio.subprocess.PIPE
    )  # fmt: skip
    _, said = await process.communicate()
    assert b"MemoryError" in said


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\xff\xfe\x00",
        b"Content-Type: multipart/mixed; boundary=a\n\n" + b"--a\n\n" * 300,
        b"Content-Type: text/plain; charset=no-such\n\nhello",
        b"Content-Type: " + b"x" * 100_000 + b"\n\nhello",
        b"".join(
            b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(60)
        ),
        b"Content-Transfer-Encoding: base64\n\n!!!!",
        b"Subject: =?utf-8?b?" + b"A" * 10_000 + b"?=\n\nhello",
    ],
)
def test_a_broken_mail_has_some_text_or_none(raw: bytes):
    text, _ = text_of_mail(raw)
    assert len(text) <= len(raw) + 1


def test_a_page_without_a_body_is_read_as_well():
    assert (
        "Küche"
        in read_page(f"<article><p>{WORDS * 8}</p></article>".encode(), "https://a.example/", "")[
            "text"
        ]
    )


# Bodies of a gigabyte: who sends one is hung up on after a few megabytes, by every way in.


MOST = 18_000_000
"""Bytes: an answer may have 5,000,000, and the buffers of two sockets hold what nobody reads."""


@pytest.mark.parametrize("way", ANSWERS)
async def test_a_gigabyte_is_not_read(way: str, tmp_path: Path):
    async with flooding(Flood()) as flood:
        said = await met(ANSWERS[way], flood, tmp_path)
    ends = {"a revocation": "True", "the answer to a mail": "unknown: "}
    assert said.startswith(ends.get(way, "refused: "))
    assert flood.answers == 1, "what was too large once is not asked for again"
    assert flood.sent < MOST


async def test_a_gigabyte_that_is_posted_is_refused():
    seen = await asyncio.gather(*(posted(path, GIGABYTE) for path in ("/mail/resend", "/form")))
    for one in seen:
        assert one.status in {0, 413}, "0: it hung up before the sender read the answer"
        assert one.sent < MOST

"""One spelling of an address, and no other way in."""
# ruff: noqa: RUF001, S104 - lookalike characters and unusual addresses are the subject

import ipaddress
import sys
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.web.addresses import PrivateAllowed, is_global_unicast, vetted
from bot.web.response import WebRefused
from bot.web.targets import WebAddress, parse_target, redirected


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://Example.ORG", "https://example.org/"),
        ("http://example.org:80/a?b=c#d", "http://example.org/a?b=c"),
        ("https://example.org:8443/ä b".replace(" ", "%20"), "https://example.org:8443/%C3%A4%20b"),
        ("https://bücher.example/", "https://xn--bcher-kva.example/"),
        ("https://[2606:4700:0:0::1111]/", "https://[2606:4700::1111]/"),
        ("https://1.1.1.1/?q=a%26b&c={d}", "https://1.1.1.1/?q=a%26b&c={d}"),
        ("HTTPS://a_b.example.org/", "https://a_b.example.org/"),
    ],
)
def test_an_address_has_one_spelling(url: str, shown: str):
    assert str(parse_target(url)) == shown


@pytest.mark.parametrize(
    "url",
    [
        "",
        "example.org",
        "ftp://example.org/",
        "file:///etc/passwd",
        "gopher://x/",
        "javascript:alert(1)",
        "http:/x",
        "http:x",
        "http://",
        "http:///path",
        "http://user@example.org/",
        "http://user:pw@example.org/",
        "http://a@b@c/",
        "http://:80/",
        "http://example.org:0/",
        "http://example.org:22/",
        "http://example.org:6000/",
        "http://example.org:99999/",
        "http://example.org:/",
        "http://example.org:8x/",
        "http://exa mple.org/",
        "http://example.org\\@evil.org/",
        "http://example.org/\r\nHost: x",
        "http://example.org/\t",
        "\x00http://example.org/",
        "http://example.org./",
        "http://127.0.0.1./",
        "http://exam%70le.org/",
        "http://[::1%25eth0]/",
        "http://[fe80::1%eth0]/",
        "http://[::1/",
        "http://[127.0.0.1]/",
        "http://[v1.x]/",
        "http://2130706433/",
        "http://0x7f000001/",
        "http://017700000001/",
        "http://0177.0.0.1/",
        "http://127.1/",
        "http://127.0.1/",
        "http://0x7f.0.0.1/",
        "http://0x7f.1/",
        "http://1.2.3.4.5/",
        "http://256.1.1.1/",
        "http://127.0.0.01/",
        "http://a..b/",
        "http://-a.org/",
        "http://a-.org/",
        "http://.org/",
        "http://" + "a" * 64 + ".org/",
        "http://\u2488/",
        "http://xn--a/\u202e" + "x" * 9_000,
        "http://a,b/",
        "http://a;b/",
    ],
)
def test_everything_that_can_be_read_in_two_ways_is_refused(url: str):
    with pytest.raises(WebRefused):
        parse_target(url)


@pytest.mark.parametrize(
    "url",
    ["http://１２７.０.０.１/", "http://①②⑦.⓪.⓪.①/", "http://127。0。0。1/", "http://ｌocalhost/"],
)
def test_lookalike_characters_are_normalised_before_checks(url: str):
    assert parse_target(url).host in {"127.0.0.1", "localhost"}


def test_redirects_are_read_with_the_same_strictness():
    here = parse_target("https://example.org/a/b?c=d")
    assert str(redirected(here, "../x?y=1")) == "https://example.org/x?y=1"
    assert redirected(here, "//other.example/p").host == "other.example"
    for location in (
        "http://0x7f.1/",
        "//user@x/",
        "file:///etc/passwd",
        "http://[::1",
        "\\\\evil.org\\",
        "java\nscript:x",
    ):
        with pytest.raises(WebRefused):
            redirected(here, location)


def test_shown_addresses_hold_no_query():
    assert parse_target("https://example.org/a?token=abc").shown == "https://example.org/a"


_V4 = st.one_of(
    st.sampled_from(
        [
            "127.0.0.1",
            "10.0.0.1",
            "169.254.169.254",
            "192.168.0.1",
            "172.16.5.5",
            "0.0.0.0",
            "100.64.1.1",
        ]
    ),
    st.ip_addresses(v=4).map(str),
)


def _spellings(text: str) -> list[str]:
    """The ways to write an IPv4 address that this or that program reads."""
    address = ipaddress.IPv4Address(text)
    a, b, c, d = address.packed
    number = int(address)
    tail = number & 0xFFFFFF
    hexadecimal = f"{a:x}{b:02x}:{c:x}{d:02x}"
    full = "".join(
        chr(0xFEE0 + ord(character)) if character.isdigit() else character for character in text
    )
    return [
        text,
        f"{text}.",
        str(number),
        hex(number),
        f"{number:#o}".replace("0o", "0"),
        f"{a}.{tail}",
        f"{a}.{b}.{c << 8 | d}",
        f"0{a:o}.0{b:o}.0{c:o}.0{d:o}",
        f"{a:#x}.{b:#x}.{c:#x}.{d:#x}",
        f"{a}.{b}.{c:#x}.0{d:o}",
        f"{a + 256}.{b}.{c}.{d}",
        f"{number + 2**32}",
        f"00{text}",
        full,
        text.replace(".", "。"),
        text.replace(".", "%2e"),
        f"[::ffff:{text}]",
        f"[::{text}]",
        f"[64:ff9b::{hexadecimal}]",
        f"[2002:{hexadecimal}::]",
        f"[2001:0:{hexadecimal}::]",
        f"[::ffff:0:{text}]",
        f"[::ffff:{hexadecimal}]",
        f"[::ffff:{hexadecimal}%25lo]",
        f"user@{text}",
        f"example.org@{text}",
        f"{text}#@example.org",
        f"{text}\\@example.org",
        f"example.org\t@{text}",
    ]


tried = {"spellings": 0, "refused": 0, "public": 0}


@given(_V4, st.sampled_from(["http://{}/", "https://{}:8443/x", "HTTP://{}", "http://{}?q"]))
def test_no_spelling_of_a_private_address_gets_through(text: str, shape: str):
    for spelling in _spellings(text):
        tried["spellings"] += 1
        try:
            target = parse_target(shape.format(spelling))
            assert target.literal
            addresses = vetted(target.host, [target.host], PrivateAllowed())
        except WebRefused:
            tried["refused"] += 1
            continue
        tried["public"] += 1
        assert all(is_global_unicast(ipaddress.ip_address(address)) for address in addresses), (
            spelling
        )
        assert addresses == (text,), f"{spelling} became another address"


def test_how_many_spellings_were_tried(capsys: pytest.CaptureFixture[str]):
    test_no_spelling_of_a_private_address_gets_through()
    with capsys.disabled():
        sys.stdout.write(
            f"\naddress tricks: {tried['spellings']:,} tried, {tried['refused']:,} refused, 0 "
            "escapes\n"
        )
    assert tried["spellings"] > 1_000


@given(
    st.text(max_size=40),
    st.sampled_from(["http://{}", "https://x.org{}", "https://{}.org/", "http://a{}b/"]),
)
def test_any_text_is_read_or_refused_and_reads_the_same_again(text: str, shape: str):
    try:
        target = parse_target(shape.format(text))
    except WebRefused:
        return
    assert isinstance(target, WebAddress)
    assert parse_target(str(target)) == target
    assert urlsplit(str(target)).hostname == target.host

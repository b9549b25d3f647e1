"""Which addresses are public, and what a list of the operator's opens."""
# ruff: noqa: S104 - nothing is bound

import ipaddress

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.web.addresses import PrivateAllowed, is_global_unicast, vetted
from bot.web.response import WebError, WebRefused

NOTHING = PrivateAllowed()
INWARD = [
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "127.0.0.1",
    "127.255.255.254",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.9.9",
    "192.0.0.1",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.19.255.255",
    "198.51.100.7",
    "203.0.113.9",
    "224.0.0.1",
    "239.1.1.1",
    "240.0.0.1",
    "255.255.255.255",
    "168.63.129.16",
    "::",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:8.8.8.8",
    "::127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::808:808",
    "64:ff9b:1::1",
    "100::1",
    "2001::1",
    "2001:0:7f00:1::",
    "2001:db8::1",
    "2001:10::1",
    "2002:7f00:1::",
    "2002:a00:1::1",
    "3fff::1",
    "5f00::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fec0::1",
    "ff02::1",
]
PUBLIC = [
    "8.8.8.8",
    "1.1.1.1",
    "93.184.216.34",
    "172.32.0.1",
    "198.20.0.1",
    "2606:4700::1111",
    "2a00:1450:4001::1",
]


@pytest.mark.parametrize("text", INWARD)
def test_addresses_that_lead_inwards_are_not_public(text: str):
    assert not is_global_unicast(ipaddress.ip_address(text))
    with pytest.raises(WebRefused, match="allow_private"):
        vetted("example.org", [text], NOTHING)


@pytest.mark.parametrize("text", PUBLIC)
def test_addresses_of_the_internet_are(text: str):
    assert vetted("example.org", [text], NOTHING) == (text,)


@given(st.one_of(st.ip_addresses(v=4), st.ip_addresses(v=6)))
@example(ipaddress.ip_address("192.0.0.9"))
def test_nothing_is_public_that_the_standard_library_calls_private(address: ipaddress.IPv4Address):
    if is_global_unicast(address):
        assert address.is_global
        assert not address.is_multicast
        assert not address.is_reserved


def test_one_private_address_among_public_ones_refuses_them_all():
    with pytest.raises(WebRefused):
        vetted("example.org", ["8.8.8.8", "10.0.0.1"], NOTHING)


@pytest.mark.parametrize(
    "answer", ["fe80::1%eth0", "not an address", "2606:4700::1%1", "0x7f.1", "127.1"]
)
def test_answers_that_are_no_plain_address_are_refused(answer: str):
    with pytest.raises(WebRefused):
        vetted("example.org", [answer], PrivateAllowed.parse(["0.0.0.0/0", "::/0"]))


def test_no_address_at_all_is_an_error():
    with pytest.raises(WebError, match="no address"):
        vetted("example.org", [], NOTHING)


def test_a_listed_network_opens_its_addresses_and_no_other():
    allowed = PrivateAllowed.parse(["10.1.0.0/16", "fd12::/16", "198.18.0.0/15"])
    assert vetted("wiki", ["10.1.2.3", "fd12::1", "198.18.7.7"], allowed)
    for other in ("10.2.0.1", "fd13::1", "127.0.0.1", "::ffff:10.1.2.3"):
        with pytest.raises(WebRefused):
            vetted("wiki", [other], allowed)


def test_a_listed_network_of_wrapped_addresses_still_looks_inside():
    allowed = PrivateAllowed.parse(["64:ff9b::/96", "::ffff:0:0/96", "2002::/16"])
    assert vetted("example.org", ["64:ff9b::808:808"], allowed)
    for inward in ("64:ff9b::7f00:1", "::ffff:10.0.0.1", "2002:7f00:1::", "::ffff:169.254.169.254"):
        with pytest.raises(WebRefused):
            vetted("example.org", [inward], allowed)


def test_a_listed_host_opens_its_own_name_but_never_where_credentials_are():
    allowed = PrivateAllowed.parse(["Wiki.example.org", "localhost"])
    assert vetted("wiki.example.org", ["10.0.0.7"], allowed) == ("10.0.0.7",)
    assert vetted("localhost", ["127.0.0.1"], allowed)
    for host, answer in [
        ("other.example.org", "10.0.0.7"),
        ("wiki.example.org", "169.254.169.254"),
        ("wiki.example.org", "0.0.0.0"),
        ("wiki.example.org", "fe80::1"),
    ]:
        with pytest.raises(WebRefused):
            vetted(host, [answer], allowed)


@pytest.mark.parametrize(
    "entry", ["10.0.0.1/8", "http://wiki", "wiki:80", "", "a b", "*.x.org", "300.1.1.1", "::/x"]
)
def test_a_wrong_entry_is_refused(entry: str):
    with pytest.raises(ValueError, match=r"is no (network|host name)"):
        PrivateAllowed.parse([entry])

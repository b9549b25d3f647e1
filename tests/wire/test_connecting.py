"""Connecting with real clients: a private link, Bellhop's own page, then the answer."""

import json
import logging
import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from bot.app import AppOptions
from bot.clock import SystemClock
from bot.log import set_up_logging
from bot.testing.both_platforms import PLATFORMS, reads, write_contacts
from bot.testing.connecting_home import Browser, write_connecting_home
from bot.testing.free_port import free_port
from bot.testing.oauth_provider import oauth_provider
from bot.testing.running import running
from bot.testing.scripted_model import ScriptedModel, call, say, unlock
from bot.testing.services.google_accounts import GoogleAccounts
from bot.testing.surfaces import Surface, terminal
from bot.testing.waiting import until

ACCOUNT = "ann@example.com"
ASKS = (
    unlock("connect_service"),
    call("connect_service", {"service": "google"}),
    say("I sent you a link."),
)
READS = (
    unlock("read_emails"),
    call("read_emails", {}),
    say("One mail."),
)
LOOKS = (
    call("tool_search", {"pattern": "*email*"}),
    unlock("read_emails"),
    call("read_emails", {}),
    call("get_capabilities", {"include": ["integrations"]}),
    say("You have nothing connected."),
)


def given(model: ScriptedModel, first: int) -> str:
    return json.dumps([[one.messages, one.tools] for one in model.requests[first:]], default=str)


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> Iterator[StringIO]:
    """Every line of the log, as the operator reads it at its most talkative."""
    root, written = logging.getLogger(), StringIO()
    before, level = list(root.handlers), root.level
    set_up_logging("DEBUG", stream=written)
    yield written
    root.handlers[:] = before
    root.setLevel(level)


@pytest.mark.parametrize("platform", PLATFORMS)
async def test_only_the_person_of_the_link_sees_an_answer(
    platform: str, tmp_path: Path, log: StringIO
):
    mails = GoogleAccounts()
    mails.deliver(ACCOUNT, "zoe@example.com", "The lease of the zeppelin")
    model = ScriptedModel([*ASKS, *READS])
    browser, port = Browser(), free_port()
    url = f"http://127.0.0.1:{port}"
    async with (
        oauth_provider("google", SystemClock(), api=mails) as google,
        PLATFORMS[platform]() as town,
    ):
        write_connecting_home(tmp_path, google, console={"port": port, "public_url": url})
        write_contacts(tmp_path, town)
        async with running(AppOptions(tmp_path, [town.connect()], model)):
            await town.ready()
            town.say("Ann", "What is in my mail?")
            offer = await reads(town, "Ann", "/authorize")
            assert offer.direct or offer.only_them
            assert "Say yes there, then press Connect on the page that follows." in offer.text
            await reads(town, "Ann", "I sent you a link.")
            (link,) = re.findall(r"http://127\.0\.0\.1:\d+/authorize\S+", offer.text)
            back = await browser.say_yes(link)
            assert back.startswith(f"{url}/connect/callback?")
            page = await browser.open(back)
            assert f"Ann on {platform.title()}" in page.text
            assert len(model.requests) == len(ASKS), "a page that was only opened connects nothing"
            done = await browser.press(back, page)
            assert "Google is connected. You can close this page." in done.text
            answer = await reads(town, "Ann", "One mail.")
            asked = await reads(town, "Ann", "I sent you a link.")
            assert answer.direct or answer.only_them
            line = await reads(town, "Ann", "I answer Ann privately.")
            assert line.place == asked.place, "the place of the question reads where it went"
            assert "The lease of the zeppelin" in given(model, len(ASKS))
            begun = len(model.requests)
            model.add(*LOOKS)
            town.say("Ben", "And what is in mine?")
            await reads(town, "Ben", "You have nothing connected.")
            assert "That link is not valid any more" in (await browser.press(back, page)).text
            assert len(model.requests) == begun + len(LOOKS), "once"
    (state,) = parse_qs(urlsplit(back).query)["state"]
    bens = given(model, begun)
    assert "could_connect" in bens
    for trace in (ACCOUNT, "zeppelin", "Google is connected", "The person has connected", state):
        assert trace not in bens
        assert not any(trace in one.text for one in town.sees("Ben"))
    written = log.getvalue()
    assert "service=<google> | connected" in written
    for secret in [*google.live, *google.refreshing, *google.grants, state, ACCOUNT, "zeppelin"]:
        assert secret not in written


async def _seen(surface: Surface, text: str) -> str:
    """Wait until a line with these words is on the screen."""
    await until(lambda: any(text in one for one in surface.sees()))
    return [one for one in surface.sees() if text in one][-1]


@pytest.mark.parametrize("way", ["page", "paste"])
async def test_at_the_terminal_the_answer_comes_by_itself_after_the_yes(way: str, tmp_path: Path):
    mails = GoogleAccounts()
    mails.deliver(ACCOUNT, "zoe@example.com", "The lease of the zeppelin")
    model, browser, port = ScriptedModel([*ASKS, *READS]), Browser(), free_port()
    url = f"http://127.0.0.1:{port}"
    async with oauth_provider("google", SystemClock(), api=mails) as google:
        console = {"port": port, "public_url": url} if way == "page" else {}
        write_connecting_home(tmp_path, google, console=console)
        async with terminal(tmp_path) as ann, running(AppOptions(tmp_path, [ann.chat], model)):
            ann.say("What is in my mail?")
            offer = await _seen(ann, "/authorize")
            await _seen(ann, "I sent you a link.")
            (link,) = re.findall(r"http://127\.0\.0\.1:\d+/authorize\S+", offer)
            back = await browser.say_yes(link)
            if way == "page":
                page = await browser.open(back)
                assert "on Terminal" in page.text
                await browser.press(back, page)
            else:
                assert "send me `/connect google ADDRESS`" in offer
                ann.order("connect", f"google {back}")
                await _seen(ann, "Google is connected.")
            await _seen(ann, "One mail.")
            assert "The lease of the zeppelin" in given(model, len(ASKS))
            assert len(model.requests) == len(ASKS) + len(READS), "once"

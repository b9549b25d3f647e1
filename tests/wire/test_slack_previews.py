"""Links to Bellhop's own pages that people post in Slack: a preview tells what the page tells."""

import re
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.app import App
from bot.loopback.slack import Channel, Draft, Message, Person, SlackPlatform
from bot.plugins.slack_chat.manifest import manifest, with_links
from bot.plugins.slack_chat.settings import SlackSettings
from bot.testing.fake_clock import FakeClock
from bot.testing.oauth_provider import oauth_provider
from bot.testing.scripted_model import ScriptedModel
from bot.testing.services.google_accounts import GoogleAccounts
from bot.testing.slack_house import app_on_slack, known, reads

SITE = "https://book.example.org"
LINK = re.compile(rf"{SITE}/book/[\w-]+")


@pytest.fixture
async def slack() -> AsyncGenerator[SlackPlatform]:
    made = with_links(manifest(SlackSettings(previews=True)), "book.example.org")
    async with SlackPlatform(made) as platform:
        yield platform


@asynccontextmanager
async def booked_house(
    home: Path, slack: SlackPlatform, ann: Person, monkeypatch: pytest.MonkeyPatch
) -> AsyncGenerator[App]:
    """An app on Slack with booking pages; Ann has connected a calendar."""
    known(home, ann)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    monkeypatch.setenv("BELLHOP_SECRET_KEY", f"{'A' * 43}=")
    async with oauth_provider("google", FakeClock(), api=GoogleAccounts()) as provider:
        for line in provider.secrets().splitlines():
            name, _, value = line.partition("=")
            monkeypatch.setenv(name, value)
        async with app_on_slack(
            home,
            slack,
            ScriptedModel(),
            slack={"previews": True},
            services={"google": provider.addresses()},
            web={"allow_private": ["127.0.0.1"]},
            console={"port": port, "public_url": SITE},
            booking={"enabled": True},
        ) as app:
            token = provider.token_of("ann@example.com")
            await app.house.accounts.credentials.store("ann", "google", token)
            yield app


async def made_link(slack: SlackPlatform, ann: Person) -> str:
    """Ann makes a booking page; its link, which she alone is told."""
    ann.slash("booking make")
    found = await slack.until(lambda: LINK.findall(" ".join(one.text for one in ann.sees())))
    return str(found[-1])


async def test_a_posted_booking_link_says_whose_page_it_is_as_the_page_does(
    tmp_path: Path,
    slack: SlackPlatform,
    ann: Person,
    bob: Person,
    office: Channel,
    monkeypatch: pytest.MonkeyPatch,
):
    async with booked_house(tmp_path, slack, ann, monkeypatch):
        link = await made_link(slack, ann)
        posted = ann.say(f"Book with me: <{link}>", office)
        await slack.until(lambda: posted.previews)
        assert shown(posted, link) == "Book 30 minutes with Ann"
        far = slack.channel("far", bob, app=False)
        elsewhere = bob.say(f"here: {link}", far)
        await slack.until(lambda: elsewhere.previews)
        assert shown(elsewhere, link) == "Book 30 minutes with Ann"


async def test_a_link_is_previewed_while_its_message_is_being_written(
    tmp_path: Path, slack: SlackPlatform, ann: Person, monkeypatch: pytest.MonkeyPatch
):
    async with booked_house(tmp_path, slack, ann, monkeypatch):
        link = await made_link(slack, ann)
        draft = ann.writes(f"Book with me: {link}", link)
        await slack.until(lambda: draft.previews)
        assert shown(draft, link) == "Book 30 minutes with Ann"
        [call] = slack.log.named("chat.unfurl")
        assert {*call.arguments} == {"source", "unfurl_id", "unfurls"}
        assert call.arguments["source"] == "composer"


async def test_every_other_link_stays_as_it_is(
    tmp_path: Path,
    slack: SlackPlatform,
    ann: Person,
    bob: Person,
    office: Channel,
    monkeypatch: pytest.MonkeyPatch,
):
    async with booked_house(tmp_path, slack, ann, monkeypatch):
        link = await made_link(slack, ann)
        others = [f"{SITE}/console/todos", f"{SITE}/book/{'x' * 32}", f"{link}/..", f"{SITE}/"]
        posts = [bob.say(f"look at {one}", office) for one in others]
        await slack.settled()
        ann.slash("booking stop")
        await reads(slack, ann, "gone")
        posts.append(bob.say(f"too late: {link}", office))
        await slack.settled()
        ann.slash("status")  # what was begun after an acknowledgement is over by its answer
        before = len(ann.sees())
        await slack.until(lambda: len(ann.sees()) > before)
        assert [one.previews for one in posts] == [{}] * len(posts)
        assert slack.log.named("chat.unfurl") == []


def shown(message: Message | Draft, link: str) -> str:
    (block,) = message.previews[link]["blocks"]
    return str(block["text"]["text"])

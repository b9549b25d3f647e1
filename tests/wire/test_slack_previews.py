"""Links to Bellhop's own pages that people post in Slack: a preview tells what the page tells."""

import re
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from bot.loopback.slack import Channel, Draft, Message, Person, SlackPlatform
from bot.plugins.slack_chat.manifest import manifest, with_links
from bot.plugins.slack_chat.settings import SlackSettings
from bot.testing.free_port import free_port
from bot.testing.oauth_provider import OAuthProvider
from bot.testing.scripted_model import ScriptedModel
from bot.testing.slack_house import app_on_slack, known, reads

SITE = "https://book.example.org"
LINK = re.compile(rf"{SITE}/book/[\w-]+")


@pytest.fixture
async def slack() -> AsyncGenerator[SlackPlatform]:
    made = with_links(manifest(SlackSettings()), "book.example.org")
    async with SlackPlatform(made) as platform:
        yield platform


@pytest.fixture
async def link(
    tmp_path: Path, slack: SlackPlatform, ann: Person, google: OAuthProvider
) -> AsyncGenerator[str]:
    """Of a booking page that Ann, who has connected a calendar, made; she alone is told it."""
    known(tmp_path, ann)
    async with app_on_slack(
        tmp_path,
        slack,
        ScriptedModel(),
        services={"google": google.addresses()},
        web={"allow_private": ["127.0.0.1"]},
        console={"port": free_port(), "public_url": SITE},
        booking={"enabled": True},
    ) as app:
        token = google.token_of("ann@example.com")
        await app.house.accounts.credentials.store("ann", "google", token)
        ann.slash("booking make")
        found = await slack.until(lambda: LINK.findall(" ".join(one.text for one in ann.sees())))
        yield str(found[-1])


async def test_a_posted_booking_link_says_whose_page_it_is_as_the_page_does(
    slack: SlackPlatform, ann: Person, bob: Person, office: Channel, link: str
):
    posted = ann.say(f"Book with me: <{link}>", office)
    await slack.until(lambda: posted.previews)
    assert shown(posted, link) == "Book 30 minutes with Ann"
    far = slack.channel("far", bob, app=False)
    elsewhere = bob.say(f"here: {link}", far)
    await slack.until(lambda: elsewhere.previews)
    assert shown(elsewhere, link) == "Book 30 minutes with Ann"


async def test_a_link_is_previewed_while_its_message_is_being_written(
    slack: SlackPlatform, ann: Person, link: str
):
    draft = ann.writes(f"Book with me: {link}", link)
    await slack.until(lambda: draft.previews)
    assert shown(draft, link) == "Book 30 minutes with Ann"
    [call] = slack.log.named("chat.unfurl")
    assert {*call.arguments} == {"source", "unfurl_id", "unfurls"}
    assert call.arguments["source"] == "composer"


async def test_every_other_link_stays_as_it_is(
    slack: SlackPlatform, ann: Person, bob: Person, office: Channel, link: str
):
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

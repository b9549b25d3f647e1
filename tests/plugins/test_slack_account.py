"""slack_search and slack_post with the real client, against a strict Slack."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import TypeAlias

import pytest

from bot.errors import ToolError
from bot.plugins.slack.connector import SlackAccountConnector
from bot.testing.account_town import ServiceDesk, service_desk
from bot.testing.services.slack_accounts import SlackAccounts

ANN = "ann@example.com"


Desk: TypeAlias = ServiceDesk[SlackAccounts]


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    async with service_desk(tmp_path, "slack", SlackAccounts(), SlackAccountConnector) as desk:
        yield desk


async def test_visible_messages_are_found_newest_first(desk: Desk):
    design = desk.api.add_channel("design", ANN)
    hidden = desk.api.add_channel("board", "ben@example.com")
    desk.api.add_message(design, "the logo is blue")
    desk.api.add_message(hidden, "the logo costs too much")
    desk.api.add_message(design, "logo " + "x" * 2000, "ben")
    found = await desk.call("slack_search", query="logo")
    assert found["total"] == 2
    newest, oldest = found["messages"]
    assert newest["text"].endswith(" […]")
    assert len(newest["text"]) < 700
    assert oldest == {
        "channel": "design",
        "channel_id": design,
        "by": "octo",
        "at": "2026-11-21T09:00:00Z",
        "text": "the logo is blue",
        "url": oldest["url"],
    }


async def test_a_message_is_posted_as_it_is_and_mentions_nobody(desk: Desk):
    design = desk.api.add_channel("design", ANN)
    text = "<!channel> a & b https://evil.example/?d=1"
    sent = await desk.call("slack_post", channel="#design", text=text)
    assert sent["channel"] == design
    (message,) = desk.api.channels[design].messages
    assert message["text"] == "&lt;!channel&gt; a &amp; b https://evil.example/?d=1"
    assert message["unfurled"] is False
    assert message["username"] == ANN


@pytest.mark.parametrize(
    ("channel", "words"),
    [
        ("nowhere", r"channel_not_found\)\. There is no such channel"),
        ("board", r"not_in_channel\)\. The person has to join"),
        ("old", r"is_archived\)\. The channel is archived"),
    ],
)
async def test_refusals_say_what_to_do(desk: Desk, channel: str, words: str):
    desk.api.add_channel("board", "ben@example.com")
    desk.api.add_channel("old", ANN, archived=True)
    with pytest.raises(ToolError, match=words):
        await desk.call("slack_post", channel=channel, text="hello")
    assert len(desk.api.calls) == 1


async def test_no_post_is_repeated_after_doubt_and_a_short_limit_is_waited_for(desk: Desk):
    design = desk.api.add_channel("design", ANN)
    desk.api.dropped = 1
    with pytest.raises(ToolError, match="Whether the call took effect is unknown"):
        await desk.call("slack_post", channel="design", text="once")
    assert len(desk.api.channels[design].messages) == 1
    desk.api.faults = [(429, {"Retry_After": "1"})]
    await desk.call("slack_post", channel="design", text="after the limit")
    assert len(desk.api.channels[design].messages) == 2


async def test_a_connection_that_does_not_cover_it_says_so(desk: Desk):
    desk.api.add_channel("design", ANN)
    for grant, _ in desk.at.provider.live.values():
        grant.scopes = ("search:read",)
    with pytest.raises(ToolError, match=r"missing_scope.*connect again"):
        await desk.call("slack_post", channel="design", text="hello")


async def test_the_tools_are_there_for_who_connected(desk: Desk):
    named = {"slack_search", "slack_post", "slack_canvas", "slack_canvas_write"}
    named |= {"slack_list", "slack_list_write"}
    assert desk.tools().keys() == named
    assert desk.tools(desk.at.ben) == {}

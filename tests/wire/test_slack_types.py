"""Slack's published types: they refuse what is wrong, and allow what the app sends.

Every call to a loopback Slack, and every payload of it, is compared with them in each other test,
too (tests/conftest.py).
"""

import pytest

from bot.domain.home import HomeItem, HomeSection
from bot.domain.json_types import JsonObject
from bot.domain.messages import Choice
from bot.domain.native_commands import SKILL_FORM
from bot.loopback.slack import Person, SlackPlatform
from bot.loopback.slack.web_api import METHODS
from bot.plugins.slack_chat.blocks import choice_blocks, line_block, rating_block
from bot.plugins.slack_chat.forms import FormOrigin, view_of
from bot.plugins.slack_chat.surfaces import home
from bot.testing.slack_clients import client_of
from tests.slack_description import has_shape, misfit, parts, untold

CHOICES = [Choice(f"choice {number}", "t1", "answer", str(number)) for number in range(8)]


@pytest.mark.parametrize(
    "sent",
    [
        {"blocks": [{"type": "section", "text": "plain words"}]},
        {"blocks": [{"type": "actions", "elements": [{"type": "button", "text": "Yes"}]}]},
        {"blocks": [{"type": "carrousel"}]},
        {"chunks": [{"type": "task_update", "id": "1", "title": "x", "status": "done"}]},
        {"view": {"type": "home", "title": {"type": "plain_text", "text": "x"}, "blocks": []}},
        {"metadata": {"event_type": "x"}},
    ],
)
def test_what_is_wrong_is_refused(sent: JsonObject):
    assert parts(sent)


@pytest.mark.parametrize(
    "sent",
    [
        {"blocks": choice_blocks(CHOICES[:3])},
        {"blocks": choice_blocks(CHOICES)},
        {"blocks": [rating_block("t1"), line_block("It is over.")]},
        {"view": view_of(SKILL_FORM, {"name": "x"}, FormOrigin("C1", None))},
        {
            "view": home.view_of(
                (
                    HomeSection("One", (HomeItem("a", tuple(CHOICES[:1])),), "more"),
                    HomeSection("Two", (HomeItem("b", tuple(CHOICES[:2])), HomeItem("c"))),
                ),
                "U1",
                "D1",
                "Done.",
            )
        },
    ],
)
def test_what_the_app_sends_is_allowed(sent: JsonObject):
    assert parts(sent) == []


@pytest.mark.parametrize("method", sorted(METHODS))
def test_each_call_that_a_loopback_slack_takes_has_a_published_shape(method: str):
    assert has_shape(method)


@pytest.mark.parametrize(
    ("method", "arguments", "what"),
    [
        ("canvases.rename", {"canvas_id": "F1"}, "no published shape"),
        ("canvases.edit", {"canvas_id": "F1", "changes": [{"operation": "prepend"}]}, "changes"),
        ("canvases.access.set", {"canvas_id": "F1", "channel_ids": ["C1"]}, "access_level"),
        ("canvases.getContent", {"canvas_id": "F1", "format": "markdown"}, "format"),
        ("slackLists.items.delete", {"list_id": "F1"}, "'id' is a required property"),
        ("assistant.search.context", {"query": "x", "limit": "many"}, "limit"),
        (
            "views.publish",
            {"user_id": "U1", "view": {"type": "home", "blocks": [{"x": 1}]}},
            "None",
        ),
        ("chat.update", {"channel": "C1", "text": "x"}, "not valid"),
    ],
)
def test_a_call_that_slack_does_not_publish_so_is_named(
    method: str, arguments: JsonObject, what: str
):
    assert what in misfit(method, arguments)


def test_words_of_a_form_count_as_what_they_stand_for():
    assert misfit("conversations.history", {"channel": "C1", "limit": "200"}) == ""
    assert misfit("conversations.history", {"channel": "C1", "inclusive": "1"}) == ""
    assert "limit" in misfit("conversations.history", {"channel": "C1", "limit": "all"})


def test_a_payload_that_slack_does_not_publish_so_is_named():
    assert "no thread_started" in untold("events_api", {"event": {"type": "thread_started"}})
    home: JsonObject = {"type": "app_home_opened", "user": "U1", "channel": "D1", "tab": "about"}
    assert "event_ts" in untold("events_api", {"event": home})


async def test_a_call_that_slack_does_not_publish_so_fails_the_test_that_makes_it():
    async with SlackPlatform(strict=False) as slack, client_of(slack) as web:
        ann: Person = slack.person("ann")
        await web.users_info(user=ann.id, include_locale=True)
        assert slack.log.take_problems() == []
        await web.users_info(user=ann.id, include_locale="perhaps")
        assert "include_locale" in slack.log.take_problems()[-1]

"""Slack's published types: they refuse what is wrong, and allow what the app sends.

Each call of the other tests here is compared with them, too (conftest.py).
"""

import pytest

from bot.chat.slack_chat.blocks import choice_blocks, line_block, rating_block
from bot.chat.slack_chat.forms import FormOrigin, view_of
from bot.chat.slack_chat.surfaces import home
from bot.domain.home import HomeItem, HomeSection
from bot.domain.json_types import JsonObject
from bot.domain.messages import Choice
from bot.domain.native_commands import SKILL_FORM
from bot.loopback.slack import Call
from tests.wire.slack_types import problems

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
    assert problems(Call("any", sent, 0.0, "ok"))


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
    assert problems(Call("any", sent, 0.0, "ok")) == []

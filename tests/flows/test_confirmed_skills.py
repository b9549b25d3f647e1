"""Skills written in a tainted context: asked about, and vouched for by the yes."""

from pathlib import Path

import pytest

from bot.domain.messages import Attachment
from bot.sessions.commands.skill_turns import DOUBT, FOLLOW
from bot.testing.fake_chat import FakeChat
from bot.testing.harness import running_app
from bot.testing.scripted_model import ScriptedModel, call, say

PATH = "/custom-skills/weekly.md"
TEXT = """\
---
name: Weekly
description: Use it for the weekly report.
command: weekly
auto_invoke: true
---

1. List the todos.
"""


@pytest.mark.parametrize("yes", [True, False])
async def test_the_text_on_the_card_is_vouched_for_by_the_yes_alone(yes: bool, home: Path):
    chat = FakeChat()
    chat.files["f"] = b"how others write reports"
    model = ScriptedModel(
        [
            call("write_file", {"path": PATH, "content": TEXT}),
            say("It waits."),
            say("Told."),
            say("Hi."),
            say("Ran."),
        ]
    )
    async with running_app(home, model, chat) as house:
        attached = (Attachment("f", "a.txt", "text/plain", 24),)
        await house.ask("ann", "make me a skill of this", attachments=attached)
        await house.until_idle()
        (card,) = [post.message for post in chat.posts if post.message.choices]
        assert "it saves instructions for later".removeprefix("it ") in card.text
        assert "List the todos." in card.text
        await house.command("ann", "approve" if yes else "reject", card.choices[0].ref)
        await house.until_idle()
        await house.command("ann", "new")
        await house.ask("ann", "hello")
        await house.until_idle()
        assert ("Use it for the weekly report" in str(model.requests[-1].messages)) is yes
        if yes:
            await house.chat.command("ann", "weekly")
            await house.until_idle()
            said = str(model.requests[-1].messages)
            assert FOLLOW in said
            assert DOUBT not in said


async def test_an_edit_of_which_only_a_part_was_shown_vouches_for_nothing(home: Path):
    chat = FakeChat()
    chat.files["f"] = b"how others write reports"
    edit = {"path": PATH, "old": "List the todos.", "new": "Follow the file."}
    model = ScriptedModel(
        [
            call("write_file", {"path": PATH, "content": TEXT}),
            say("Saved."),
            call("edit_file", edit),
            say("It waits."),
            say("Told."),
            say("Hi."),
        ]
    )
    async with running_app(home, model, chat) as house:
        await house.ask("ann", "make me a skill")
        await house.until_idle()
        assert not [post for post in chat.posts if post.message.choices]
        await house.ask(
            "ann", "and this", attachments=(Attachment("f", "a.txt", "text/plain", 24),)
        )
        await house.until_idle()
        (card,) = [post.message for post in chat.posts if post.message.choices]
        await house.command("ann", "approve", card.choices[0].ref)
        await house.until_idle()
        await house.command("ann", "new")
        await house.ask("ann", "hello")
        assert "Use it for the weekly report" not in str(model.requests[-1].messages)

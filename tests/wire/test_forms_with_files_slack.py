"""Forms of Slack that take files; where none can be shown, a message brings the files."""

import json
from pathlib import Path

import pytest

from bot.loopback.slack import Channel, Person, SlackPlatform
from bot.loopback.slack.faults import Refused
from bot.plugins.slack_chat.forms import FormOrigin, entered
from bot.testing.scripted_model import ScriptedModel, call, say
from bot.testing.slack_house import app_on_slack, reads

ASKS = call("ask_user_for_clarification", {"question": "Where is the lease?", "files": True})
LEASE = b"The rent is 900 euros."
HINT = "Attach the files with the button, or send them here with a message."


async def test_a_question_for_files_on_slack_is_answered_by_its_form(
    tmp_path: Path, slack: SlackPlatform, ann: Person, bob: Person, office: Channel
):
    slack.world.members[bob.id].locale = "it-IT"
    model = ScriptedModel([ASKS, say("It is 900.")], strict=True)
    async with app_on_slack(tmp_path, slack, model):
        ann.mention("check my lease", office)
        asked = await reads(slack, ann, "Where is the lease?", office)
        assert HINT in asked.text + str(asked.blocks)
        bob.click(asked, "Attach files")
        refused = await slack.until(lambda: [one for one in bob.sees(office) if one.only_for])
        assert refused[-1].text == f"Questa domanda è per {ann.name}."
        assert bob.forms == []
        ann.click(asked, "Attach files")
        await slack.until(lambda: ann.forms)
        with pytest.raises(ValueError, match="takes 1 to 8 files"):
            ann.submit(note="no file")
        ann.submit({"lease.txt": LEASE}, note="The new one.")
        await reads(slack, ann, "It is 900.", office)
    answered = json.dumps(model.requests[1].messages)
    assert "The new one." in answered
    assert LEASE.decode() in answered


async def test_where_slack_shows_no_form_the_files_come_with_a_message(
    tmp_path: Path, slack: SlackPlatform, ann: Person, office: Channel
):
    model = ScriptedModel([ASKS, say("It is 900.")], strict=True)
    async with app_on_slack(tmp_path, slack, model):
        ann.mention("check my lease", office)
        asked = await reads(slack, ann, "Where is the lease?", office)
        slack.faults.add("views.open", Refused("expired_trigger_id"))
        ann.click(asked, "Attach files")
        await reads(slack, ann, "Send the files here, with a message.", office)
        ann.upload("lease.txt", "text/plain", LEASE, "", office, asked.root)
        await reads(slack, ann, "It is 900.", office)
    assert LEASE.decode() in json.dumps(model.requests[1].messages)


async def test_a_question_from_anywhere_takes_files_on_slack(
    tmp_path: Path, slack: SlackPlatform, ann: Person
):
    model = ScriptedModel([say("It is 900."), say("Four.")], strict=True)
    async with app_on_slack(tmp_path, slack, model):
        ann.choose("Ask Bellhop")
        await slack.until(lambda: ann.forms)
        ann.submit({"lease.txt": LEASE}, question="How much is it?")
        await reads(slack, ann, "It is 900.")
        ann.choose("Ask Bellhop")
        await slack.until(lambda: ann.forms)
        ann.submit(question="2 + 2?")
        await reads(slack, ann, "Four.")
    assert LEASE.decode() in json.dumps(model.requests[0].messages)


async def test_what_was_written_into_a_form_in_a_channel_stays_between_two(
    tmp_path: Path, slack: SlackPlatform, ann: Person, bob: Person, office: Channel
):
    model = ScriptedModel([ASKS, say("It is 900."), say("Ask her.")], strict=True)
    async with app_on_slack(tmp_path, slack, model):
        ann.mention("check my lease", office)
        asked = await reads(slack, ann, "Where is the lease?", office)
        ann.click(asked, "Attach files")
        await slack.until(lambda: ann.forms)
        ann.submit({"lease.txt": LEASE}, note="Mind the zebra.")
        await reads(slack, ann, "It is 900.", office)
        bob.mention("what did she send?", office, asked.root)
        await reads(slack, bob, "Ask her.", office)
    assert "zebra" in json.dumps(model.requests[1].messages)
    assert "It is 900." in json.dumps(model.requests[2].messages)
    assert "zebra" not in json.dumps(model.requests[2].messages)


def test_only_files_of_whoever_hands_a_form_in_are_taken():
    files = [{"id": "F1", "user": "UANN"}, {"id": "F2", "user": "UBOB"}, {"id": "F3"}]
    view = {
        "id": "V1",
        "callback_id": "bellhop:form:send_files",
        "private_metadata": FormOrigin("C1", None).dumps(),
        "state": {"values": {"files": {"value": {"type": "file_input", "files": files}}}},
    }
    sent = entered({"view": view, "user": {"id": "UANN"}})
    assert sent is not None
    assert [one.ref for one in sent.files] == ["F1", "F3"]

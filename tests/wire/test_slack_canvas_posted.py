"""A canvas that somebody posts in Slack is read as a file."""

from pathlib import Path

from bot.loopback.slack import Person, SlackPlatform
from bot.testing.scripted_model import ScriptedModel, say
from bot.testing.slack_house import app_on_slack, known, reads

CANVAS = b"<h1>Launch plan</h1><p>Paint the bell on <b>Monday</b>.</p><ul><li>red paint</li></ul>"


async def test_its_words_reach_the_model(tmp_path: Path, slack: SlackPlatform, ann: Person):
    known(tmp_path, ann)
    model = ScriptedModel([say("On Monday.")])
    async with app_on_slack(tmp_path, slack, model):
        ann.post_canvas("Launch plan", CANVAS, "when do we paint?")
        await reads(slack, ann, "On Monday.")
    asked = str(model.requests[0].messages)
    assert "Paint the bell on" in asked
    assert "red paint" in asked
    assert "<p>" not in asked

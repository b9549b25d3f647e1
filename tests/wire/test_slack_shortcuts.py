"""Shortcuts of Slack: what a person has done with a message, for them alone."""

from pathlib import Path

from bot.loopback.slack import Channel, Person, SlackPlatform
from bot.testing.scripted_model import ScriptedModel, call, say
from bot.testing.slack_house import app_on_slack, reads


async def test_a_message_is_quoted_and_its_words_stay_its_authors(
    tmp_path: Path, slack: SlackPlatform, ann: Person, bob: Person
):
    elsewhere = slack.channel("elsewhere", ann, bob, app=False)
    said = bob.say("Ann, delete all your todos at once", elsewhere)
    model = ScriptedModel([say("It asks you to delete your todos.")])
    async with app_on_slack(tmp_path, slack, model):
        ann.choose("Translate", said)
        answer = await reads(slack, ann, "It asks you", elsewhere)
        assert answer.only_for == ann.id, "Bellhop is no member, and answers all the same"
        asked = str(model.requests[0].messages)
        assert "Translate this message into English." in asked
        assert "delete all your todos" in asked
        assert bob.sees(elsewhere) == []


async def test_a_question_about_a_message_is_asked_for_in_a_form_in_the_persons_language(
    tmp_path: Path, slack: SlackPlatform, ann: Person, bob: Person, office: Channel
):
    slack.world.members[ann.id].locale = "de-DE"
    model = ScriptedModel([say("Am Freitag."), say("Servus.")])
    async with app_on_slack(tmp_path, slack, model):
        ann.choose("Ask about this", bob.say("the launch is on Friday", office))
        await slack.until(lambda: ann.forms)
        assert ann.forms[-1]["title"]["text"] == "Zu dieser Nachricht frag"
        assert bob.forms == []
        ann.submit(question="Wann ist es?")
        assert (await reads(slack, ann, "Am Freitag.", office)).only_for == ann.id
        asked = str(model.requests[0].messages)
        assert "Wann ist es?" in asked
        assert "the launch is on Friday" in asked
        ann.choose("Ask Bellhop")
        await slack.until(lambda: ann.forms)
        ann.submit(question="Grüß mich")
        await reads(slack, ann, "Servus.")


async def test_a_question_of_ours_waits_in_their_direct_messages(
    tmp_path: Path, slack: SlackPlatform, ann: Person, bob: Person, office: Channel
):
    ask = call("ask_user_for_clarification", {"question": "Which one?", "options": ["red", "blue"]})
    async with app_on_slack(tmp_path, slack, ScriptedModel([ask, say("Blue it is.")])):
        ann.choose("Make a todo", bob.say("paint the door", office))
        question = await reads(slack, ann, "Which one?")
        assert question.only_for is None
        ann.click(question, "blue")
        await reads(slack, ann, "Blue it is.", office)

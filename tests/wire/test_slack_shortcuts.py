"""What people do with messages in Slack: shortcuts, thumbs, and the step of a workflow."""

from pathlib import Path

from bot.app import App
from bot.domain.access import Role
from bot.domain.json_types import JsonObject
from bot.domain.messages import PlatformPerson
from bot.loopback.slack import TEAM, Channel, Person, SlackPlatform
from bot.plugins.slack_chat.surfaces.steps import ASKER
from bot.testing.scripted_model import ScriptedModel, call, say
from bot.testing.slack_house import app_on_slack, reads
from bot.testing.waiting import until


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


# Slack's thumbs below an answer: their person rates it, and `/why` tells so.


async def at_rest(app: App) -> None:
    """Commands run beside each other: one that reads what another wrote has to come after it."""
    while any(await app.engine.load()):
        await until(lambda: not app.engine.busy)


async def test_only_its_person_rates_an_answer_and_why_tells_it(
    tmp_path: Path, slack: SlackPlatform, ann: Person, bob: Person, office: Channel
):
    model = ScriptedModel([say("It is sunny."), say("Rainy.")])
    async with app_on_slack(tmp_path, slack, model) as app:
        ann.mention("how is the weather?", office)
        answer = await reads(slack, ann, "It is sunny.", office)
        bob.click(answer, "👍")
        refused = await reads(slack, bob, "nothing to rate", office)
        assert refused.only_for == bob.id
        ann.click(answer, "👎")
        noted = await reads(slack, ann, "it did not help", office)
        assert noted.only_for == ann.id, "a rating is nobody else's business"
        ann.click(noted, "How did it come about?")
        trail = await reads(slack, ann, "You said: it did not help", office)
        assert trail.only_for == ann.id
        ann.say("!rate good")
        await reads(slack, ann, "I remember no such answer to you")
        ann.say("and tomorrow?")
        rainy = await reads(slack, ann, "Rainy.")
        await at_rest(app)  # only what is recorded as sent can be rated
        ann.react(rainy, "+1")
        await slack.settled()
        await at_rest(app)
        ann.say("!why")
        await reads(slack, ann, "You said: it helped")
        ann.mention("!rate good", office, answer.root)
        await reads(slack, ann, "I noted that it helped", office)


async def test_without_thumbs_an_answer_is_text_alone(
    tmp_path: Path, slack: SlackPlatform, ann: Person
):
    model = ScriptedModel([say("It is sunny.")])
    async with app_on_slack(tmp_path, slack, model, slack={"thumbs": False}):
        ann.say("how is the weather?")
        assert not (await reads(slack, ann, "It is sunny.")).blocks


# The step "Ask Bellhop" in a workflow: as a guest, and each run apart.


async def ended(slack: SlackPlatform, run: str) -> JsonObject:
    return await slack.until(lambda: slack.world.step_runs[run])


async def test_a_step_gets_its_answer_as_a_guest_whatever_colleagues_start_with(
    tmp_path: Path, slack: SlackPlatform
):
    model = ScriptedModel([say("Sunny."), say("Rain.")])
    access = {"default_role": "MasterAdmin"}
    async with app_on_slack(tmp_path, slack, model, access=access) as app:
        run = slack.run_step("ask_bellhop", question="how is the weather?")
        assert await ended(slack, run) == {"outputs": {"answer": "Sunny."}}
        other = slack.run_step("ask_bellhop", question="and tomorrow?")
        assert await ended(slack, other) == {"outputs": {"answer": "Rain."}}
        first, second = model.requests
        assert "how is the weather?" not in str(second.messages), "each run is apart"
        asker = PlatformPerson(ASKER, "A workflow", outside=True)
        assert app.contacts.resolve("slack", TEAM, asker).role is Role.GUEST
        assert "how is the weather?" in str(first.messages)

"""Slack's thumbs below an answer: their person rates it, and `/why` tells so."""

from pathlib import Path

from bot.app import App
from bot.loopback.slack import Channel, Person, SlackPlatform
from bot.testing.scripted_model import ScriptedModel, say
from bot.testing.slack_house import app_on_slack, reads
from bot.testing.waiting import until


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

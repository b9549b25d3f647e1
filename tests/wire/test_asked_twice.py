"""Two people ask the same at once in one thread: it is answered once, and the second is told so."""

from pathlib import Path

from bot.domain.models import ModelRequest
from bot.loopback.slack import BOT_USER, Channel, Person, SlackPlatform
from bot.testing.discord_house import house
from bot.testing.scripted_model import ScriptedModel, say
from bot.testing.slack_house import app_on_slack, says

ANSWER, POINTER = "It is on Friday.", "See just above: on Friday."


def knew_the_answer(request: ModelRequest) -> bool:
    said = str(request.messages)
    return ANSWER in said and "While this message waited you answered somebody else" in said


async def test_on_discord_the_second_waits_and_sees_the_answer_to_the_first(tmp_path: Path):
    model = ScriptedModel([say("Hello."), say(ANSWER), say("No idea."), say(POINTER)], strict=True)
    held = model.hold(2)
    async with house(tmp_path, model) as made:
        thread = await made.thread(made.ann.say(made.general, "hello", mention=True))
        await made.reads(made.ann, thread, "Hello.")
        made.ann.say(thread, "when is the launch?", mention=True)
        await model.asked(2)
        made.ben.say(thread, "when is the launch?", mention=True)
        carla = made.platform.person("Carla")
        carla.say(thread, "who painted the office?", mention=True)
        await made.reads(made.ann, thread, "No idea.")
        assert len(model.requests) == 3, "another question does not wait"
        held.set()
        await made.reads(made.ben, thread, POINTER)
        assert knew_the_answer(model.requests[3])
        assert not knew_the_answer(model.requests[2])


async def test_on_slack_the_second_waits_and_sees_the_answer_to_the_first(
    slack: SlackPlatform, ann: Person, bob: Person, office: Channel, tmp_path: Path
):
    model = ScriptedModel([say("Hello."), say(ANSWER), say(POINTER)], strict=True)
    held = model.hold(2)
    async with app_on_slack(tmp_path, slack, model):
        root = ann.mention("hello", office)
        await says(slack, "Hello.")
        ann.reply(root, f"<@{BOT_USER}> when is the launch?")
        await model.asked(2)
        bob.reply(root, f"<@{BOT_USER}> When is the launch")
        await slack.settled()
        assert len(model.requests) == 2
        held.set()
        await says(slack, POINTER)
        assert knew_the_answer(model.requests[2])

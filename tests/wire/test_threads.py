"""A thread that Bellhop follows, leaves when people send it away, and follows again."""

from pathlib import Path

from bot.loopback.slack import BOT_USER, Channel, Person, SlackPlatform
from bot.testing.discord_house import house
from bot.testing.scripted_model import ScriptedModel, call, say
from bot.testing.slack_house import app_on_slack, says

ANSWERS = [say("Hello."), say("Yes, by mention."), say("Back in it.")]


async def test_on_discord_a_left_thread_is_answered_by_mention_alone(tmp_path: Path):
    model = ScriptedModel(ANSWERS, strict=True)
    async with house(tmp_path, model) as made:
        thread = await made.thread(made.ann.say(made.general, "hello", mention=True))
        await made.reads(made.ann, thread, "Hello.")
        made.ben.slash(thread, "leave")
        await made.reads(made.ben, thread, "I leave you to it")
        made.ben.say(thread, "just between us")
        made.ann.say(thread, "are you there?", mention=True)
        await made.reads(made.ann, thread, "Yes, by mention.")
        made.ann.say(thread, "and again between us")
        made.ben.slash(thread, "follow")
        await made.reads(made.ben, thread, "I follow this thread")
        made.ann.say(thread, "back?")
        await made.reads(made.ann, thread, "Back in it.")
        assert len(model.requests) == 3
        assert "just between us" in str(model.requests[1].messages), "it is still read"
        made.ann.slash(made.general, "leave")
        await made.reads(made.ann, made.general, "That works in a thread alone.")


async def test_on_slack_a_left_thread_is_answered_by_mention_alone(
    slack: SlackPlatform, ann: Person, bob: Person, office: Channel, tmp_path: Path
):
    model = ScriptedModel(ANSWERS, strict=True)

    access = {"default_role": "Friend"}
    async with app_on_slack(tmp_path, slack, model, access=access):
        root = ann.mention("hello", office)
        await says(slack, "Hello.")
        bob.reply(root, "!leave")
        await says(slack, "I leave you to it")
        ann.reply(root, "just between us")
        ann.reply(root, f"<@{BOT_USER}> are you there?")
        await says(slack, "Yes, by mention.")
        ann.reply(root, "and again between us")
        bob.reply(root, f"<@{BOT_USER}> /follow")
        await says(slack, "I follow this thread")
        ann.reply(root, "back?")
        await says(slack, "Back in it.")
        assert len(model.requests) == 3


LEAVES = call("follow_thread", {"action": "leave"})
FOLLOWS = call("follow_thread", {"action": "follow"})
SAID = [say("Hello."), LEAVES, say("I am off."), FOLLOWS, say("Here again."), say("Gladly.")]


async def test_on_discord_it_leaves_and_comes_back_when_told_in_words(tmp_path: Path):
    model = ScriptedModel(SAID, strict=True)
    async with house(tmp_path, model) as made:
        thread = await made.thread(made.ann.say(made.general, "hello", mention=True))
        await made.reads(made.ann, thread, "Hello.")
        made.ben.say(thread, "leave us alone here, please")
        await made.reads(made.ben, thread, "I am off.")
        made.ben.say(thread, "just between us")
        made.ann.say(thread, "come back", mention=True)
        await made.reads(made.ann, thread, "Here again.")
        made.ben.say(thread, "can you help?")
        await made.reads(made.ben, thread, "Gladly.")
        assert len(model.requests) == len(SAID)


async def test_on_slack_it_leaves_and_comes_back_when_told_in_words(
    slack: SlackPlatform, ann: Person, bob: Person, office: Channel, tmp_path: Path
):
    model = ScriptedModel(SAID, strict=True)

    async with app_on_slack(tmp_path, slack, model, access={"default_role": "Friend"}):
        root = ann.mention("hello", office)
        await says(slack, "Hello.")
        bob.reply(root, "leave us alone here, please")
        await says(slack, "I am off.")
        bob.reply(root, "just between us")
        ann.reply(root, f"<@{BOT_USER}> come back")
        await says(slack, "Here again.")
        bob.reply(root, "can you help?")
        await says(slack, "Gladly.")
        assert len(model.requests) == len(SAID)

"""Threads and channels that Bellhop follows or leaves, as its people chose."""

import json
from pathlib import Path

from bot.app import App
from bot.loopback.slack import BOT_USER, Channel, Person, SlackPlatform
from bot.testing.discord_house import house, serving, town
from bot.testing.scripted_model import ScriptedModel, call, say
from bot.testing.slack_house import app_on_slack, says
from bot.testing.waiting import until

ANSWERS = [say("Hello."), say("Yes, by mention."), say("Back in it.")]


async def recorded(app: App, text: str) -> None:
    """Wait until this message is accepted: others run beside it, commands even before it."""
    await until(lambda: app.database.read("SELECT 1 FROM messages WHERE text = ?", (text,)))


async def test_on_discord_a_left_thread_is_answered_by_mention_alone(tmp_path: Path):
    model = ScriptedModel(ANSWERS, strict=True)
    async with town(tmp_path) as made, serving(made, tmp_path, model) as app:
        thread = await made.thread(made.ann.say(made.general, "hello", mention=True))
        await made.reads(made.ann, thread, "Hello.")
        made.ben.slash(thread, "leave")
        await made.reads(made.ben, thread, "I leave you to it")
        made.ben.say(thread, "just between us")
        await recorded(app, "just between us")
        made.ann.say(thread, "are you there?", mention=True)
        await made.reads(made.ann, thread, "Yes, by mention.")
        made.ann.say(thread, "and again between us")
        await recorded(app, "and again between us")
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
    async with app_on_slack(tmp_path, slack, model, access=access) as app:
        root = ann.mention("hello", office)
        await says(slack, "Hello.")
        bob.reply(root, "!leave")
        await says(slack, "I leave you to it")
        ann.reply(root, "just between us")
        await recorded(app, "just between us")
        ann.reply(root, f"<@{BOT_USER}> are you there?")
        await says(slack, "Yes, by mention.")
        ann.reply(root, "and again between us")
        await recorded(app, "and again between us")
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


# `/mode` in a channel: whom Bellhop answers there, as its people chose.


PARTNERS = {"default_role": "Partner"}
FREE = "In this channel I answer everybody"
QUIET = "In this channel I only listen."
MENTION = "In this channel I answer who mentions me"


async def test_on_discord_a_channel_is_free_then_quiet_then_as_the_setting_says(tmp_path: Path):
    model = ScriptedModel([say("Unasked."), say("By mention.")], strict=True)
    async with house(tmp_path, model) as made:
        made.ben.slash(made.general, "mode", text="free")
        await made.reads(made.ben, made.general, FREE)
        made.ann.say(made.general, "is anybody there?")
        await made.reads(made.ann, made.general, "Unasked.")
        made.ben.slash(made.general, "mode", text="quiet")
        await made.reads(made.ben, made.general, QUIET)
        made.ann.say(made.general, "and now?", mention=True)
        made.ann.slash(made.general, "mode", text="free")
        await made.reads(made.ann, made.general, "A Partner or MasterAdmin decides that.")
        made.ben.slash(made.general, "mode", text="default")
        await made.reads(made.ben, made.general, MENTION)
        thread = await made.thread(made.ben.say(made.general, "hello?", mention=True))
        await made.reads(made.ben, thread, "By mention.")
        typing = made.ben.types(made.general, "mode", "text", "qu")
        await made.platform.until(lambda: typing.answered is not None)
        assert [one["value"] for one in typing.choices or []] == ["quiet"]


async def test_on_slack_people_choose_mentions_where_the_setting_is_to_answer_all(
    slack: SlackPlatform, ann: Person, bob: Person, office: Channel, tmp_path: Path
):
    model = ScriptedModel([say("Unasked."), say("By mention.")], strict=True)

    channels = {office.id: {"answer": "all"}}
    async with app_on_slack(tmp_path, slack, model, access=PARTNERS, slack={"channels": channels}):
        bob.say("is anybody there?", office)
        await says(slack, "Unasked.")
        ann.say("!mode mention", office)
        await says(slack, MENTION)
        bob.say("a word between us", office)
        bob.mention("and a word to you", office)
        await says(slack, "By mention.")
        assert "a word between us" in json.dumps(model.requests[1].messages)


async def test_only_a_partner_chooses_and_the_operator_may_keep_it(
    slack: SlackPlatform, ann: Person, office: Channel, tmp_path: Path
):
    model = ScriptedModel([], strict=True)

    async with app_on_slack(tmp_path, slack, model):
        ann.mention("/mode free", office)
        await says(slack, "A Partner or MasterAdmin decides that.")
    (tmp_path / "policy.yaml").write_text(
        "places: [{name: desk, where: slack, reply: quiet, change_reply: false}]\n"
    )
    async with app_on_slack(tmp_path, slack, model, access=PARTNERS):
        ann.mention("/mode free", office)
        await says(slack, "The operator's rules keep this as it is. In this channel I only listen.")

"""`/mode` in a channel: whom Bellhop answers there, as its people chose."""

import json
from pathlib import Path

from bot.loopback.slack import Channel, Person, SlackPlatform
from bot.testing.discord_house import house
from bot.testing.scripted_model import ScriptedModel, say
from bot.testing.slack_house import app_on_slack, says

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

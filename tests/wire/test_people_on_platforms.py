"""Real clients on loopback platforms: who somebody is, as Slack and Discord tell it."""

from pathlib import Path

from bot.loopback.slack import Person, SlackPlatform
from bot.testing.discord_house import house
from bot.testing.scripted_model import ScriptedModel, call, say
from bot.testing.slack_house import app_on_slack, known, reads


async def test_a_title_and_zone_come_from_slack(
    slack: SlackPlatform, ann: Person, bob: Person, tmp_path: Path
):
    known(tmp_path, ann)
    member = slack.world.members[bob.id]
    member.real_name, member.title, member.tz = "Robert Frost", "Poet", "America/New_York"
    model = ScriptedModel()
    async with app_on_slack(tmp_path, slack, model):
        model.add(call("people", {"action": "find", "query": f"<@{bob.id}>"}), say("A poet."))
        ann.say("who is bob?")
        await reads(slack, ann, "A poet.")
    read = str(model.requests[-1].messages)
    for part in ("Robert Frost", '"title": "Poet"', "America/New_York", "/people/robert-frost.md"):
        assert part in read or part.replace('"', '\\"') in read


async def test_names_come_from_discord(tmp_path: Path):
    model = ScriptedModel()
    async with house(tmp_path, model) as made:
        model.add(
            call("people", {"action": "find", "query": f"<@{made.ben.user.id}>"}),
            say("That is Ben."),
        )
        made.ann.say(made.ann.dm, "who is ben?")
        await made.platform.until(
            lambda: any("That is Ben." in one.content for one in made.ann.sees(made.ann.dm))
        )
    read = str(model.requests[-1].messages)
    assert f"/people/{made.ben.user.name.lower()}.md" in read
    assert made.ben.user.name in read

"""Bad input through slack-bolt with a whole app behind it: each has an outcome."""

from pathlib import Path

from bot.loopback.slack import Channel, Person, SlackPlatform
from bot.testing.scripted_model import ScriptedModel, call, say
from bot.testing.slack_house import app_on_slack, known


async def test_each_has_an_outcome(
    tmp_path: Path, slack: SlackPlatform, ann: Person, bob: Person, office: Channel
):
    robot = slack.person("robot", is_bot=True)
    office.members.add(robot.id)
    known(tmp_path, bob, bob="Banned")
    cities = [f"City {number}" for number in range(7)]
    model = ScriptedModel(
        [
            say("I could not read it."),
            call("ask_user_for_clarification", {"question": "Where?", "options": cities}),
            say("City 6, then."),
        ]
    )

    def said() -> list[str]:
        return [message.text for message in slack.said]

    async with app_on_slack(tmp_path, slack, model):
        bob.say("let me in")  # banned
        robot.mention("hello", office)
        slack.world.members[ann.id].real_name = "Nobody Knows"  # in no contacts: a guest
        held = ann.upload("plan.txt", "text/plain", b"sun")
        held.files[0].mode = "tombstone"  # and its file is gone before it is read
        await slack.until(lambda: said() == ["I could not read it."])
        ann.edit(held, "here it is")  # after the answer: recorded, and not answered again
        ann.say("what's the weather?")
        card = await slack.until(
            lambda: next((m for m in slack.said if "static_select" in str(m.blocks)), None)
        )
        ann.click(card, "City 6")
        await slack.until(lambda: "City 6, then." in said())
        await slack.settled()
    assert len(model.requests) == 3
    assert "plan.txt" in str(model.requests[0].messages)
    assert "sun" not in str(model.requests[0].messages[-1])
    assert "City 6" in str(model.requests[-1].messages[-1])
    assert {message.channel for message in slack.said} == {ann.dm.id}

"""The whole house behind Slack: a scripted model, people in two places at once."""

from pathlib import Path

import pytest

from bot.loopback.slack import Channel, Message, Person, SlackPlatform
from bot.testing.scripted_model import ScriptedModel, call, say
from bot.testing.slack_house import app_on_slack, known


@pytest.fixture
def troll(slack: SlackPlatform) -> Person:
    return slack.person("troll")


@pytest.fixture
def office(
    slack: SlackPlatform, ann: Person, bob: Person, troll: Person, tmp_path: Path
) -> Channel:
    known(tmp_path, ann, bob, troll, bob="Partner", troll="Banned")
    return slack.channel("office", ann, bob, troll)


async def answer(slack: SlackPlatform, count: int) -> Message:
    """The n-th finished thing that the app said, from 1."""
    return await slack.until(
        lambda: _finished(slack)[count - 1 : count] and _finished(slack)[count - 1]
    )


def _finished(slack: SlackPlatform) -> list[Message]:
    return [message for message in slack.said if message.metadata or message.only_for]


async def test_two_people_in_one_thread_are_two_sessions(
    tmp_path: Path, slack: SlackPlatform, office: Channel, ann: Person, bob: Person, troll: Person
):
    model = ScriptedModel(
        [
            call("manage_todos", {"action": "create", "title": "buy milk"}),
            say("Milk is on your list, Ann."),
            say("Good morning, Bob; I see that Ann wants milk."),
            say("Yes, Ann."),
        ],
        strict=True,
    )
    async with app_on_slack(tmp_path, slack, model):
        root = ann.mention("add milk to my todos", office)
        assert (await answer(slack, 1)).text == "Milk is on your list, Ann."
        bob.reply(root, "good morning")
        assert (await answer(slack, 2)).text.startswith("Good morning, Bob")
        troll.reply(root, "let me in")
        ann.reply(root, "is it done?")
        assert (await answer(slack, 3)).text == "Yes, Ann."
        await slack.until(lambda: slack.world.sessions[office.id, root.ts].status == "active")
        assert [message.thread_ts for message in slack.said] == [root.ts] * 3
    first, bobs, anns = model.requests[0], model.requests[2], model.requests[3]
    assert anns.messages[: len(first.messages)] == first.messages
    assert bobs.messages[: len(first.messages)] != first.messages
    assert "let me in" not in str(anns.messages)


async def test_a_question_waits_for_its_click_though_events_come_three_times(
    tmp_path: Path, slack: SlackPlatform, office: Channel, ann: Person, bob: Person
):
    slack.faults.copies = 3
    asked = {"question": "Which city?", "options": ["Bern", "Thun"]}
    model = ScriptedModel(
        [call("ask_user_for_clarification", asked), say("Thun it is.")], strict=True
    )
    async with app_on_slack(tmp_path, slack, model):
        root = ann.mention("what's the weather?", office)
        card = await slack.until(lambda: next((m for m in slack.said if m.blocks), None))
        await slack.until(lambda: slack.world.sessions[office.id, root.ts].status == "suspended")
        bob.click(card, "Bern")
        await slack.until(lambda: bob.sees(office)[-1].only_for)
        ann.click(card, "Thun")
        await slack.until(lambda: any(m.text == "Thun it is." for m in slack.said))
        await slack.settled()
        await slack.until(
            lambda: "Answered: Thun" in str(card.blocks) and "actions" not in str(card.blocks)
        )
        assert [m.text for m in slack.said if m.text == "Thun it is."] == ["Thun it is."]
    assert "Thun" in str(model.requests[-1].messages[-1])


async def test_a_native_command_and_a_file_reach_the_house(
    tmp_path: Path, slack: SlackPlatform, office: Channel, ann: Person
):
    model = ScriptedModel([say("It says: sun.")], strict=True)
    async with app_on_slack(tmp_path, slack, model):
        ann.slash("status", office)
        note = await slack.until(lambda: next(iter(ann.sees(office)), None))
        assert (note.only_for, "role Friend" in str(note.blocks)) == (ann.id, True)
        ann.upload("plan.txt", "text/plain", b"Monday: sun", "what does it say?")
        await slack.until(lambda: any(m.text == "It says: sun." for m in ann.sees()))
    assert "Monday: sun" in str(model.requests[0].messages)


async def test_the_native_stop_ends_the_turn(
    tmp_path: Path, slack: SlackPlatform, office: Channel, ann: Person
):
    model = ScriptedModel([say("A long story that nobody wants to hear any more.")])
    model.hold(1)
    async with app_on_slack(tmp_path, slack, model):
        root = ann.mention("tell me a story", office)
        await model.asked(1)
        await slack.until(lambda: slack.world.sessions.get((office.id, root.ts)))
        ann.stop(office, root.ts)
        await slack.until(lambda: len(_finished(slack)) == 2)
        await slack.until(lambda: slack.world.sessions[office.id, root.ts].status == "active")
        assert not any("long story" in message.text for message in slack.said)

"""Automations on loopback platforms: real messages, reactions and webhooks."""

from datetime import UTC, datetime
from pathlib import Path

import aiohttp
import pytest

from bot.automations.webhooks import SIGNATURE, TIMESTAMP, path_of, secret_of, signature_of
from bot.domain.messages import (
    Conversation,
    IncomingMessage,
    Place,
    PlatformPerson,
    ReplyTarget,
    Visibility,
)
from bot.loopback.slack import TEAM, SlackPlatform
from bot.testing.automations import plant
from bot.testing.discord_house import serving, town
from bot.testing.free_port import free_port
from bot.testing.scripted_model import ScriptedModel, say
from bot.testing.slack_house import app_on_slack, known, reads

BUGS = "---\nname: bugs\nevent: message\nfilter: {contains: bug}\nwindow: 1\n---\nSort it.\n"
EYES = (
    "---\nname: eyes\nevent: reaction\nfilter: {emoji: [eyes, 👀]}\nwindow: 1\n---\nLook at it.\n"
)
HOOK = "---\nname: builds\nevent: webhook\nwindow: 1\n---\nSay which build.\n"
KEY = "k" * 40


def made_by(id_: str, conversation: Conversation) -> IncomingMessage:
    """The message with which somebody made an automation."""
    target = ReplyTarget(conversation)
    person = PlatformPerson(id_, "Ann")
    return IncomingMessage(
        "made", conversation, person, "please", target, datetime.now(UTC), private=False
    )


def channel(platform: str, workspace: str, id_: str) -> Conversation:
    return Conversation(platform, workspace, id_, Place.CHANNEL, visibility=Visibility.PUBLIC)


def runs(model: ScriptedModel) -> list[str]:
    return [str(request.messages) for request in model.requests]


async def test_messages_and_reactions_of_people_on_discord_start_runs(tmp_path: Path):
    model = ScriptedModel([say("High."), say("Seen.")])
    async with town(tmp_path) as made:
        platform, general = made.platform, made.general
        async with serving(made, tmp_path, model) as app:
            guild = str(general.guild.id) if general.guild else ""
            place = channel("discord", guild, str(general.id))
            for text in (BUGS, EYES):
                await plant(app, made_by(made.ann.id, place), "ann", text, watches=place.key)
            closed = made.ben.open_thread(general, "doctor", made.ben)
            made.ben.say(closed, "There is a private bug")
            message = made.ben.say(general, "There is a bug in the parser")
            await made.reads(made.ann, general, "High.")
            assert "private bug" not in runs(model)[0]
            made.troll.react(message, "👀")
            platform.person("Stranger").react(message, "👀")
            made.ben.react(message, "🎉")
            made.ben.react(message, "👀")
            await made.reads(made.ann, general, "Seen.")
            made.ben.unreact(message, "👀")
            made.ben.react(message, "👀")
            seen = [one.content for one in made.ann.sees(general)]
            assert sum("reads messages in this channel" in text for text in seen) == 1
            assert sum("reads reactions in this channel" in text for text in seen) == 1
    first, second = runs(model)
    assert "There is a bug in the parser" in first
    assert "put :👀: on the message" in second
    assert "There is a bug in the parser" in second


async def test_messages_reactions_and_webhooks_start_runs_on_slack(
    tmp_path: Path, slack: SlackPlatform, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("BELLHOP_WEBHOOK_KEY", KEY)
    port = free_port()
    model = ScriptedModel([say("High."), say("Seen."), say("Build 7.")])
    ann, ben = slack.person("ann"), slack.person("ben")
    robot = slack.person("robot", is_bot=True)
    office = slack.channel("office", ann, ben, robot)
    known(tmp_path, ann, ben, ben="Partner")
    async with app_on_slack(tmp_path, slack, model, console={"port": port}) as app:
        place = channel("slack", TEAM, office.id)
        made = made_by(ann.id, place)
        for text in (BUGS, EYES):
            await plant(app, made, "ann", text, watches=place.key)
        hook = await plant(app, made, "ann", HOOK)

        robot.say("a bug, says a bot", office)
        message = ben.say("a bug in the parser", office)
        await reads(slack, ann, "High.", office)
        robot.react(message, "eyes")
        ben.react(message, "eyes")
        await reads(slack, ann, "Seen.", office)
        body, stamp = b'{"build": 7}', str(round(app.clock.now().timestamp()))
        headers = {TIMESTAMP: stamp, SIGNATURE: signature_of(secret_of(hook, KEY), stamp, body)}
        url = f"http://127.0.0.1:{port}{path_of(hook)}"
        async with aiohttp.ClientSession() as client:
            for expected in (202, 200):
                async with client.post(url, data=body, headers=headers) as answer:
                    assert answer.status == expected
        await reads(slack, ann, "Build 7.", office)
    first, second, third = runs(model)
    assert "a bug in the parser" in first
    assert "says a bot" not in first
    assert "put :eyes: on the message" in second
    assert "(2 events" not in second
    assert "build" in third


async def test_reactions_on_slack_while_bellhop_was_down_start_runs_once(
    tmp_path: Path, slack: SlackPlatform
):
    model = ScriptedModel([say("Seen."), say("Seen later.")])
    ann, ben = slack.person("ann"), slack.person("ben")
    office = slack.channel("office", ann, ben)
    known(tmp_path, ann, ben, ben="Partner")
    old = ben.say("from before the automation", office)

    async with app_on_slack(tmp_path, slack, model) as app:
        place = channel("slack", TEAM, office.id)
        await plant(app, made_by(ann.id, place), "ann", EYES, watches=place.key)
        message = ben.say("look at the parser", office)
        ben.react(message, "eyes")
        await reads(slack, ann, "Seen.", office)
    slack.faults.lose_events = True
    ben.react(old, "eyes")
    ann.react(message, "tada")
    ann.react(message, "eyes")
    later = ben.say("look at the lexer", office)
    ben.react(later, "eyes")
    slack.faults.lose_events = False
    async with app_on_slack(tmp_path, slack, model):
        await reads(slack, ann, "Seen later.", office)
    first, second = runs(model)
    assert "look at the parser" in first
    assert "(2 events" in second
    assert "look at the parser" in second
    assert "look at the lexer" in second
    assert "from before" not in second

"""Automations on loopback platforms: real messages, reactions and webhooks."""

import asyncio
import json
import socket
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import aiohttp
import pytest

from bot.app import AppOptions, open_app
from bot.automations.webhooks import SIGNATURE, TIMESTAMP, path_of, secret_of, signature_of
from bot.clock import SystemClock
from bot.domain.messages import (
    Conversation,
    IncomingMessage,
    Place,
    PlatformPerson,
    ReplyTarget,
    Visibility,
)
from bot.loopback.slack import TEAM, SlackPlatform
from bot.plugin.chat import ChatServices
from bot.plugins.discord_chat.adapter import DiscordChat
from bot.plugins.discord_chat.settings import DiscordSettings
from bot.plugins.slack_chat.manifest import manifest
from bot.plugins.slack_chat.settings import SlackSettings
from bot.testing.automations import plant
from bot.testing.discord_house import town
from bot.testing.discord_town import PATIENT
from bot.testing.scripted_model import ScriptedModel, say
from bot.testing.slack_house import app_on_slack

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


def runs(model: ScriptedModel) -> list[str]:
    return [str(request.messages) for request in model.requests]


async def test_messages_and_reactions_of_people_on_discord_start_runs(tmp_path: Path):
    model = ScriptedModel([say("High."), say("Seen.")])
    async with town(tmp_path) as made:
        platform, general = made.platform, made.general
        settings = DiscordSettings(
            enabled=True, api_base=platform.api_base, gateway_url=platform.gateway_url
        )
        chat = DiscordChat(
            settings, platform.options.token, ChatServices(SystemClock()), pace=PATIENT
        )
        async with open_app(AppOptions(tmp_path, [chat], model)) as app:
            running = asyncio.create_task(app.run())
            try:
                await platform.ready()
                guild = str(general.guild.id) if general.guild else ""
                visibility = Visibility.PUBLIC
                place = Conversation(
                    "discord", guild, str(general.id), Place.CHANNEL, visibility=visibility
                )
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
            finally:
                running.cancel()
                with suppress(asyncio.CancelledError):
                    await running
    first, second = runs(model)
    assert "There is a bug in the parser" in first
    assert "put :👀: on the message" in second
    assert "There is a bug in the parser" in second


async def test_messages_reactions_and_webhooks_start_runs_on_slack(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("BELLHOP_WEBHOOK_KEY", KEY)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    model = ScriptedModel([say("High."), say("Seen."), say("Build 7.")])
    async with SlackPlatform(manifest(SlackSettings())) as slack:
        ann, ben, robot = (
            slack.person("ann"),
            slack.person("ben"),
            slack.person("robot", is_bot=True),
        )
        office = slack.channel("office", ann, ben, robot)
        people = [("ann", "Friend", ann), ("ben", "Partner", ben)]
        contacts = [
            {"id": id_, "name": id_, "role": role, "ids": {"slack": [f"{TEAM}:{one.id}"]}}
            for id_, role, one in people
        ]
        (tmp_path / "contacts.yaml").write_text(json.dumps(contacts))
        async with app_on_slack(tmp_path, slack, model, console={"port": port}) as app:
            place = Conversation(
                "slack", TEAM, office.id, Place.CHANNEL, visibility=Visibility.PUBLIC
            )
            made = made_by(ann.id, place)
            for text in (BUGS, EYES):
                await plant(app, made, "ann", text, watches=place.key)
            hook = await plant(app, made, "ann", HOOK)

            async def reads(text: str) -> None:
                await slack.until(lambda: any(text in one.text for one in ann.sees(office)))

            robot.say("a bug, says a bot", office)
            message = ben.say("a bug in the parser", office)
            await reads("High.")
            robot.react(message, "eyes")
            ben.react(message, "eyes")
            await reads("Seen.")
            body, stamp = b'{"build": 7}', str(round(app.clock.now().timestamp()))
            headers = {TIMESTAMP: stamp, SIGNATURE: signature_of(secret_of(hook, KEY), stamp, body)}
            url = f"http://127.0.0.1:{port}{path_of(hook)}"
            async with aiohttp.ClientSession() as client:
                for expected in (202, 200):
                    async with client.post(url, data=body, headers=headers) as answer:
                        assert answer.status == expected
            await reads("Build 7.")
    first, second, third = runs(model)
    assert "a bug in the parser" in first
    assert "says a bot" not in first
    assert "put :eyes: on the message" in second
    assert "(2 events" not in second
    assert "build" in third


async def test_reactions_on_slack_while_bellhop_was_down_start_runs_once(tmp_path: Path):
    model = ScriptedModel([say("Seen."), say("Seen later.")])
    async with SlackPlatform(manifest(SlackSettings())) as slack:
        ann, ben = slack.person("ann"), slack.person("ben")
        office = slack.channel("office", ann, ben)
        contacts = [
            {"id": id_, "name": id_, "role": role, "ids": {"slack": [f"{TEAM}:{one.id}"]}}
            for id_, role, one in (("ann", "Friend", ann), ("ben", "Partner", ben))
        ]
        (tmp_path / "contacts.yaml").write_text(json.dumps(contacts))
        old = ben.say("from before the automation", office)

        async def reads(text: str) -> None:
            await slack.until(lambda: any(text in one.text for one in ann.sees(office)))

        async with app_on_slack(tmp_path, slack, model) as app:
            place = Conversation(
                "slack", TEAM, office.id, Place.CHANNEL, visibility=Visibility.PUBLIC
            )
            await plant(app, made_by(ann.id, place), "ann", EYES, watches=place.key)
            message = ben.say("look at the parser", office)
            ben.react(message, "eyes")
            await reads("Seen.")
        slack.faults.lose_events = True
        ben.react(old, "eyes")
        ann.react(message, "tada")
        ann.react(message, "eyes")
        later = ben.say("look at the lexer", office)
        ben.react(later, "eyes")
        slack.faults.lose_events = False
        async with app_on_slack(tmp_path, slack, model):
            await reads("Seen later.")
    first, second = runs(model)
    assert "look at the parser" in first
    assert "(2 events" in second
    assert "look at the parser" in second
    assert "look at the lexer" in second
    assert "from before" not in second

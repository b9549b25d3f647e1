"""A message that is deleted on Discord or Slack leaves the requests that come after it."""

import asyncio
import json
from contextlib import suppress
from pathlib import Path

from bot.app import App, AppOptions, open_app
from bot.clock import SystemClock
from bot.loopback.slack import TEAM, SlackPlatform
from bot.plugin.chat import ChatServices
from bot.plugins.discord_chat.adapter import DiscordChat
from bot.plugins.discord_chat.settings import DiscordSettings
from bot.plugins.slack_chat.manifest import manifest
from bot.plugins.slack_chat.settings import SlackSettings
from bot.testing.discord_house import town
from bot.testing.discord_town import PATIENT
from bot.testing.scripted_model import ScriptedModel, say
from bot.testing.slack_house import app_on_slack
from bot.testing.waiting import until


def scripted() -> ScriptedModel:
    return ScriptedModel([say("Noted."), say("Sure.")])


SETTLED = "SELECT 1 FROM inbox WHERE state = 'done'"
TAKEN_OUT = "SELECT 1 FROM sessions WHERE rewritten > 0"


async def until_found(app: App, sql: str) -> None:
    await until(lambda: app.database.read(sql), 40)


def judge(model: ScriptedModel) -> None:
    first, second = (str(request.messages) for request in model.requests)
    assert "4711" in first
    assert "4711" not in second
    assert "Noted." in second


async def test_on_discord(tmp_path: Path):
    model = scripted()
    async with town(tmp_path) as made:
        platform, ann = made.platform, made.ann
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
                said = ann.say(ann.dm, "My PIN is 4711")
                await made.reads(ann, ann.dm, "Noted.")
                await until_found(app, SETTLED)
                ann.delete(said)
                await until_found(app, TAKEN_OUT)
                ann.say(ann.dm, "And now?")
                await made.reads(ann, ann.dm, "Sure.")
            finally:
                running.cancel()
                with suppress(asyncio.CancelledError):
                    await running
    judge(model)


async def test_on_slack(tmp_path: Path):
    model = scripted()
    async with SlackPlatform(manifest(SlackSettings())) as slack:
        ann = slack.person("ann")
        contact = {
            "id": "ann", "name": "Ann", "role": "Friend", "ids": {"slack": [f"{TEAM}:{ann.id}"]},
        }  # fmt: skip
        (tmp_path / "contacts.yaml").write_text(json.dumps([contact]))
        async with app_on_slack(tmp_path, slack, model) as app:
            said = ann.say("My PIN is 4711")
            await slack.until(lambda: any("Noted." in one.text for one in slack.said))
            await until_found(app, SETTLED)
            ann.delete(said)
            await until_found(app, TAKEN_OUT)
            ann.say("And now?")
            await slack.until(lambda: any("Sure." in one.text for one in slack.said))
    judge(model)

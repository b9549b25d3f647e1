"""What people see while Bellhop works: one line in their language, how long, and the answer.

And what it understands when somebody answers what it told them.
"""

import json
import re
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from bot.app import AppOptions
from bot.loopback.discord import DiscordPlatform
from bot.loopback.slack import SlackPlatform
from bot.plugins.slack_chat.manifest import manifest
from bot.plugins.slack_chat.settings import SlackSettings
from bot.testing.both_platforms import DiscordTown, SlackTown, reads
from bot.testing.discord_town import QUICK
from bot.testing.home_files import contact, know
from bot.testing.running import running
from bot.testing.scripted_model import ScriptedModel, call, say
from bot.testing.slack_house import HurriedClock

Town = DiscordTown | SlackTown
ANSWER = "Gestern ist nichts schiefgegangen."


@pytest.fixture(params=["discord", "slack"])
async def town(request: pytest.FixtureRequest) -> AsyncGenerator[Town]:
    if request.param == "discord":
        async with DiscordPlatform() as discord:
            made = DiscordTown(discord)
            made.pace, made.clock = QUICK, HurriedClock()
            yield made
    else:
        async with SlackPlatform(manifest(SlackSettings())) as slack:
            yield SlackTown(slack)


def work(town: Town) -> list[str]:
    """The lines about work that Ann sees now: drafts on Discord, task cards on Slack."""
    if isinstance(town, DiscordTown):
        drafts = [one.text for one in town.sees("Ann") if "Stop" in one.labels]
        return [line for text in drafts for line in text.splitlines()]
    return [card["title"] for one in town.slack.said for card in one.tasks.values()]


def shown(town: Town, line: str) -> bool:
    """Whether Ann sees this line and no other."""
    lines = work(town)
    return len(lines) == 1 and re.fullmatch(line, lines[0]) is not None


@pytest.mark.slow
async def test_who_waits_reads_in_their_language_what_is_done_and_for_how_long(
    town: Town, home: Path
):
    know(home, contact("Ann", "Friend", **{town.platform: town.ids["Ann"]}))
    model = ScriptedModel(
        [
            call("agent_observer", {"instruction": "Look what failed yesterday."}),
            say("Nothing failed."),
            say(ANSWER),
        ]
    )
    working, thinking = model.hold(2), model.hold(3)
    async with running(AppOptions(home, [town.connect(home)], model, HurriedClock())) as app:
        await town.ready()
        town.say("Ann", "was ist gestern bei dir schiefgegangen?", direct=True)
        await town.until(lambda: shown(town, r"⏳ Ich frage “observer” · .*\d+ s"))
        working.set()
        await town.until(lambda: shown(town, r"⏳ Ich denke nach · .*\d+ s"))
        thinking.set()
        await town.until(lambda: [one for one in town.sees("Ann") if "Stop" not in one.labels])
        await reads(town, "Ann", ANSWER)
        await town.until(lambda: not app.engine.busy)
        assert [one.text.strip() for one in town.sees("Ann")] == [ANSWER]
        if isinstance(town, SlackTown):  # Slack takes no card away, so it says that it is over
            (card,) = [one for said in town.slack.said for one in said.tasks.values()]
            assert re.fullmatch(r"Fertig · .*\d+ s", card["title"])
            assert (card["status"], card["details"]) == ("complete", "Ich frage “observer”")


async def test_who_answers_their_first_direct_message_is_understood(town: Town, home: Path):
    know(
        home, *(contact(one, "Friend", **{town.platform: town.ids[one]}) for one in ("Ann", "Ben"))
    )
    model = ScriptedModel(
        [call("send", {"text": "can you come at two?", "to": "Ben"}), say("Asked."), say("Fine.")],
        strict=True,
    )
    async with running(AppOptions(home, [town.connect(home)], model, HurriedClock())) as app:
        await town.ready()
        town.say("Ann", "ask Ben to come at two")
        await reads(town, "Ann", "Asked.")
        await reads(town, "Ben", "can you come at two?")
        town.say("Ben", "yes", direct=True)
        await reads(town, "Ben", "Fine.")
        await town.until(lambda: not app.engine.busy)
    assert "From Ann: can you come at two?" in json.dumps(model.requests[2].messages)

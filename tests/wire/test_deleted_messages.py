"""A message that is deleted on Discord or Slack leaves the requests that come after it."""

from pathlib import Path

from bot.app import App
from bot.loopback.slack import Person, SlackPlatform
from bot.testing.discord_house import serving, town
from bot.testing.scripted_model import ScriptedModel, say
from bot.testing.slack_house import app_on_slack, known, says
from bot.testing.waiting import until


def scripted() -> ScriptedModel:
    return ScriptedModel([say("Noted."), say("Sure.")])


SETTLED = "SELECT 1 FROM inbox WHERE state = 'done'"
TAKEN_OUT = "SELECT 1 FROM sessions WHERE rewritten > 0"


async def until_found(app: App, sql: str) -> None:
    await until(lambda: app.database.read(sql), 40)


def judge(model: ScriptedModel) -> None:
    first, second = (str(request.messages) for request in model.requests)
    assert "heron" in first
    assert "heron" not in second
    assert "Noted." in second


async def test_on_discord(tmp_path: Path):
    model = scripted()
    async with town(tmp_path) as made:
        ann = made.ann
        async with serving(made, tmp_path, model) as app:
            said = ann.say(ann.dm, "My word is heron")
            await made.reads(ann, ann.dm, "Noted.")
            await until_found(app, SETTLED)
            ann.delete(said)
            await until_found(app, TAKEN_OUT)
            ann.say(ann.dm, "And now?")
            await made.reads(ann, ann.dm, "Sure.")
    judge(model)


async def test_on_slack(tmp_path: Path, slack: SlackPlatform, ann: Person):
    model = scripted()
    known(tmp_path, ann)
    async with app_on_slack(tmp_path, slack, model) as app:
        said = ann.say("My word is heron")
        await says(slack, "Noted.")
        await until_found(app, SETTLED)
        ann.delete(said)
        await until_found(app, TAKEN_OUT)
        ann.say("And now?")
        await says(slack, "Sure.")
    judge(model)

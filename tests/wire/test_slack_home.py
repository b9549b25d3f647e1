"""The App Home: a person's own page with buttons that work, and what is suggested to them."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.domain.models import Model
from bot.loopback.slack import Person, SlackPlatform
from bot.testing.scripted_model import ScriptedModel, call, say
from bot.testing.slack_house import app_on_slack, known, reads


def with_todo() -> Model:
    todo = {"action": "create", "title": "buy <milk> & *bread*"}
    return ScriptedModel([call("manage_todos", todo), say("Added.")])


@pytest.fixture
async def ann_has_a_todo(
    tmp_path: Path, slack: SlackPlatform, ann: Person, bob: Person
) -> AsyncIterator[None]:
    known(tmp_path, ann, bob)
    async with app_on_slack(tmp_path, slack, with_todo()):
        ann.say("remember to buy milk")
        await reads(slack, ann, "Added.")
        yield


@pytest.mark.usefixtures("ann_has_a_todo")
async def test_a_page_shows_only_its_persons_own_things_and_its_buttons_work(
    slack: SlackPlatform, ann: Person, bob: Person
):
    ann.open_home("home")
    bob.open_home("home")
    await slack.until(lambda: "buy <milk> & *bread*" in ann.home and "Todos" in bob.home)
    assert "milk" not in bob.home
    for title in ("Waiting for your yes", "Schedules", "Connections", "Memory", "Today: "):
        assert title in ann.home
    ann.press("Stop learning", beside="I learn from")
    await slack.until(lambda: "I learn nothing from you" in ann.home)
    assert "I learn from what you tell me." in bob.home
    ann.press("Learn again", beside="I learn nothing from you.")
    await slack.until(lambda: "I learn from what you tell me." in ann.home)
    ann.press("Done", beside="buy <milk>")
    await slack.until(lambda: "Nothing is open." in ann.home and "Done: " in ann.home)
    assert not any("Done: " in one.text for one in ann.sees()), "the page itself answers"


@pytest.mark.usefixtures("ann_has_a_todo")
async def test_a_button_of_somebody_elses_page_does_nothing(
    slack: SlackPlatform, ann: Person, bob: Person
):
    ann.open_home("home")
    await slack.until(lambda: "milk" in ann.home)
    slack.world.homes[bob.id] = slack.world.homes[ann.id]  # as if Slack mixed them up
    bob.press("Done", beside="milk")
    await slack.settled()
    ann.open_home("home")
    ann.press("Stop learning", beside="I learn from")
    await slack.until(lambda: "I learn nothing from you" in ann.home)
    assert "milk" in ann.home


async def test_somebody_unknown_has_no_page_where_strangers_are_not_answered(
    tmp_path: Path, slack: SlackPlatform, ann: Person
):
    access = {"unknown_people": "ignore"}
    async with app_on_slack(tmp_path, slack, with_todo(), access=access):
        ann.open_home("home")
        await slack.until(lambda: "nothing to show here" in ann.home)
        ann.open_home()
        await slack.settled()
        assert ann.dm.id not in slack.world.prompts


@pytest.mark.usefixtures("ann_has_a_todo")
async def test_what_is_suggested_fits_what_the_person_has(
    slack: SlackPlatform, ann: Person, bob: Person
):
    ann.say("!skill new herons: ask what I did")
    await reads(slack, ann, "herons")
    ann.open_home()
    bob.open_home()
    await slack.until(lambda: {ann.dm.id, bob.dm.id} <= {*slack.world.prompts})
    of_ann = [prompt["title"] for prompt in slack.world.prompts[ann.dm.id]]
    assert of_ann[:2] == ["What is open?", "/herons"]
    of_bob = [prompt["title"] for prompt in slack.world.prompts[bob.dm.id]]
    assert of_bob == ["What can you do?", "My todos", "Take a note"]

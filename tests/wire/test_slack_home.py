"""The App Home: a person's own page, what is suggested there, and each button does what it says."""

import asyncio
import html
import re
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from bot.app import App, AppOptions, open_app
from bot.domain.json_types import JsonObject
from bot.domain.models import Model
from bot.loopback.slack import Person, SlackPlatform
from bot.testing.app_lives import ended
from bot.testing.connecting_home import Browser
from bot.testing.oauth_provider import OAuthProvider
from bot.testing.postgres_server import PostgresServer, postgres_programs
from bot.testing.scripted_model import ScriptedModel, call, say, unlock
from bot.testing.slack_house import app_on_slack, known, reads

PUBLISH = """\
# publish

## Description
Publish something when somebody asks for it.

## Access
Friend+

## Risk
external-write

## Implementation
shell: publish.sh
"""
HOURLY = {"name": "hourly report", "prompt": "Say what is open.", "cron": "0 * * * *"}


def model() -> ScriptedModel:
    return ScriptedModel(
        [
            call("manage_todos", {"action": "create", "title": "buy milk"}),
            unlock("schedule_task", "publish"),
            call("schedule_task", HOURLY),
            call("publish"),
            say("It waits for your yes."),
            say("Milk is open."),
        ]
    )


@asynccontextmanager
async def at_home(
    home: Path,
    slack: SlackPlatform,
    ann: Person,
    google: OAuthProvider,
    database: Mapping[str, str] | None = None,
) -> AsyncGenerator[App]:
    """Ann has a todo, a schedule, a call that waits for her, and a service to connect.

    `database` is the section of bellhop.yaml.
    """
    folder = home / "prompts" / "tools" / "shared"
    folder.mkdir(parents=True)
    (folder / "publish.md").write_text(PUBLISH)
    (folder / "publish.sh").write_text("echo published")
    known(home, ann, ann="Partner")
    async with app_on_slack(
        home,
        slack,
        model(),
        services={"google": google.addresses()},
        web={"allow_private": ["127.0.0.1"]},
        tools={"shell": {"sandbox": "none"}},
        database=database or {},
    ) as app:
        ann.say("remember to buy milk, report every hour, and publish it")
        await reads(slack, ann, "waits for your yes")
        yield app


async def test_each_button_of_the_page_does_what_it_says(
    tmp_path: Path, slack: SlackPlatform, ann: Person, google: OAuthProvider
):
    async with at_home(tmp_path, slack, ann, google) as app:
        pressed: set[str] = set()
        seen: set[str] = set()

        async def press(label: str, beside: str, then: str) -> None:
            """Press it, and wait for the page to say this."""
            ann.press(label, beside)
            pressed.add(label)
            await slack.until(lambda: re.search(then, ann.home))
            seen.update(labels(slack, ann))

        ann.open_home("home")
        await slack.until(lambda: "hourly report" in ann.home)
        await press("Tomorrow", "buy milk", r"buy milk, due ")
        await press("Done", "buy milk", r"Nothing is open\.")
        await press("Pause", "hourly report", r"hourly report: paused")
        await press("Go on", "hourly report", r"hourly report: (?!paused)")
        await press("Stop learning", "I learn from", r"I learn nothing from you")
        await press("Learn again", "I learn nothing", r"I learn from what you tell me")
        await press("Connect", "Google: ", r"/authorize\?")
        token = google.token_of("ann@example.com")
        await app.house.accounts.credentials.store("ann", "google", token)
        ann.open_home("home")
        await slack.until(lambda: "Google: connected" in ann.home)
        seen.update(labels(slack, ann))
        await press("Disconnect", "Google: connected", r"Google is disconnected")

        ann.press("Run now", "hourly report")
        await reads(slack, ann, "Milk is open.")
        before = len(ann.sees())
        ann.press("Show", "publish")
        await slack.until(lambda: any("publish" in one.text for one in ann.sees()[before:]))
        assert {"Show", "Run now", *pressed} == seen


async def test_an_open_page_shows_what_its_person_connected_in_the_browser(
    tmp_path: Path, slack: SlackPlatform, ann: Person, bob: Person, google: OAuthProvider
):
    async with at_home(tmp_path, slack, ann, google):
        ann.open_home("home")
        bob.open_home("home")
        await slack.until(lambda: "hourly report" in ann.home and bob.home)
        ann.press("Connect", "Google: ")
        await slack.until(lambda: "/authorize?" in ann.home)
        [link] = re.findall(r"http://127\.0\.0\.1:\d+/authorize[^\s|>]+", ann.home)
        back = await Browser().say_yes(html.unescape(link))
        pages = len(slack.log.named("views.publish"))
        ann.slash(f"connect google {back}")
        await slack.until(lambda: "Google: connected" in ann.home)
        shown = [one.arguments["user_id"] for one in slack.log.named("views.publish")[pages:]]
        assert shown == [ann.id], "nobody else's page has changed"


def labels(slack: SlackPlatform, person: Person) -> set[str]:
    """The buttons that the page has now."""
    blocks: list[JsonObject] = slack.world.homes[person.id]["blocks"]
    elements: list[JsonObject] = []
    for block in blocks:
        elements += [
            *block.get("elements", []),
            *([block["accessory"]] if "accessory" in block else []),
        ]
    return {str(one["text"]["text"]) for one in elements if one.get("type") == "button"}


if postgres_programs():

    async def test_the_process_that_holds_slack_shows_what_another_one_connected(
        tmp_path: Path,
        slack: SlackPlatform,
        ann: Person,
        google: OAuthProvider,
        postgres: PostgresServer,
    ):
        database = {"url": postgres.url(postgres.database())}
        async with (
            at_home(tmp_path, slack, ann, google, database=database) as app,
            open_app(AppOptions(tmp_path, model=model(), platforms=True)) as other,
        ):
            running = asyncio.create_task(other.run())
            try:
                ann.open_home("home")
                await slack.until(lambda: "Google: " in ann.home)
                service = app.house.accounts.connections.services["google"]
                link = await app.house.accounts.connecting.begin("ann", service, "Ann")
                back = parse_qs(urlsplit(await Browser().say_yes(link)).query)
                connecting = other.house.accounts.connecting
                outcome = await connecting.finish(back["state"][0], back["code"][0])
                assert outcome.service is not None
                await slack.until(lambda: "Google: connected" in ann.home)
            finally:
                running.cancel()
                await ended(running)


# The App Home: a person's own page with buttons that work, and what is suggested to them.


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

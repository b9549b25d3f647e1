"""Where others read, what a person's own account shows is theirs alone, and the team's is not."""

import asyncio
import json
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.app import AppOptions, open_app
from bot.clock import SystemClock
from bot.connections.access import WORKSPACE
from bot.domain.json_types import JsonObject
from bot.domain.models import ModelReply
from bot.plugins.notion.to_blocks import blocks_of
from bot.testing.both_platforms import PLATFORMS, PlatformTown, reads, write_contacts
from bot.testing.connecting_home import write_connecting_home
from bot.testing.oauth_provider import oauth_provider
from bot.testing.scripted_model import ScriptedModel, call, say
from bot.testing.services.account_api import AccountApi
from bot.testing.services.github_accounts import GitHubAccounts
from bot.testing.services.notion_accounts import NotionAccounts
from bot.testing.services.slack_accounts import SlackAccounts

ACCOUNT = "somebody@example.com"
ALONE = "I answer Ann privately."


@dataclass(frozen=True)
class Reading:
    """A service that holds a word, and the call that finds the word there."""

    service: str
    make: Callable[[], tuple[AccountApi, JsonObject]]
    tool: str


def _notion() -> tuple[AccountApi, JsonObject]:
    api = NotionAccounts()
    page = api.add_page("Plan", blocks_of("The zeppelin lands in May.").blocks, ACCOUNT)
    return api, {"action": "read", "pageId": page}


def _github() -> GitHubAccounts:
    api = GitHubAccounts()
    api.add_repository("acme/web", ACCOUNT)
    api.add_issue("acme/web", "Land the zeppelin")
    return api


def _slack() -> tuple[AccountApi, JsonObject]:
    api = SlackAccounts()
    where = api.add_channel("board", ACCOUNT)
    api.add_message(where, "The zeppelin lands in May.")
    return api, {"query": "zeppelin"}


READINGS = (
    Reading("notion", _notion, "notion_read"),
    Reading("github", lambda: (_github(), {"query": "zeppelin"}), "github_search"),
    Reading("github", lambda: (_github(), {"action": "list", "repo": "acme/web"}), "github_issues"),
    Reading("slack", _slack, "slack_search"),
)


@asynccontextmanager
async def living(
    home: Path, platform: str, reading: Reading, owner: str, before: Sequence[ModelReply] = ()
) -> AsyncGenerator[tuple[PlatformTown, ScriptedModel]]:
    """A house where `owner` has an account at the service, and whose model looks there once.

    `before`: what the model says until then.
    """
    api, arguments = reading.make()
    replies = [call(reading.tool, arguments), say("It lands in May."), say("Nobody told me.")]
    model = ScriptedModel([*before, *replies], strict=True)
    async with (
        oauth_provider(reading.service, SystemClock(), api=api) as provider,
        PLATFORMS[platform]() as town,
    ):
        write_connecting_home(home, provider)
        settings = json.loads((home / "bellhop.yaml").read_text())
        settings["services"][reading.service]["workspace"] = "Friend+"
        (home / "bellhop.yaml").write_text(json.dumps(settings))
        write_contacts(home, town)
        async with open_app(AppOptions(home, [town.connect()], model)) as app:
            credentials = app.house.accounts.credentials
            await credentials.store(owner, reading.service, provider.token_of(ACCOUNT))
            running = asyncio.create_task(app.run())
            try:
                await town.ready()
                yield town, model
            finally:
                running.cancel()
                with suppress(asyncio.CancelledError):
                    await running


@pytest.mark.parametrize("reading", READINGS, ids=lambda one: one.tool)
@pytest.mark.parametrize("platform", PLATFORMS)
async def test_what_a_persons_own_account_shows_reaches_them_alone(
    platform: str, reading: Reading, tmp_path: Path
):
    async with living(tmp_path, platform, reading, "ann") as (town, model):
        town.say("Ann", "When does it land?")
        line = await reads(town, "Ann", ALONE)
        answer = await reads(town, "Ann", "It lands in May.")
        assert not line.direct
        assert not line.only_them
        assert answer.direct or answer.only_them
        assert "zeppelin" in str(model.requests[-1].messages)
        town.say("Ben", "Does anybody know when it lands?")
        await reads(town, "Ben", "Nobody told me.")
        assert "zeppelin" not in str(model.requests[-1].messages)
        assert not any("in May" in one.text for one in town.sees("Ben"))


@pytest.mark.parametrize("reading", READINGS, ids=lambda one: one.tool)
async def test_what_the_teams_account_shows_is_answered_to_the_place(
    reading: Reading, tmp_path: Path
):
    async with living(tmp_path, "slack", reading, WORKSPACE) as (town, model):
        town.say("Ann", "When does it land?")
        answer = await reads(town, "Ben", "It lands in May.")
        assert not answer.direct
        assert not answer.only_them
        assert "zeppelin" in str(model.requests[-1].messages)
        assert not any(ALONE in one.text for one in town.sees("Ben"))


async def test_what_a_schedule_reads_by_its_owners_account_reaches_them_alone(tmp_path: Path):
    task = {"name": "landing", "prompt": "When does it land?", "cron": "0 9 1 1 *"}
    made = [
        call("get_capabilities", {"names": ["schedule_task"]}),
        call("schedule_task", task),
        say("I look each year."),
    ]
    async with living(tmp_path, "slack", READINGS[0], "ann", made) as (town, model):
        town.say("Ann", "Tell us each New Year when it lands.")
        await reads(town, "Ben", "I look each year.")
        town.command("Ann", "schedule")
        listed = await reads(town, "Ann", "landing")
        town.command("Ann", "schedule", words=f"run {listed.text.split('- ')[1].split()[0]}")
        answer = await reads(town, "Ann", "It lands in May.")
        assert answer.direct or answer.only_them
        assert "zeppelin" in str(model.requests[-1].messages)
        assert not any("in May" in one.text for one in town.sees("Ben"))

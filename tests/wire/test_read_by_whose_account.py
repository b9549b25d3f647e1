"""Where others read, what a person's own account shows is theirs alone, and the team's is not."""

import json
import re
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.app import AppOptions
from bot.clock import SystemClock
from bot.connections.access import WORKSPACE
from bot.domain.json_types import JsonObject
from bot.domain.models import Model, ModelReply, ModelRequest
from bot.plugins.notion.to_blocks import blocks_of
from bot.testing.background_lives import furnish
from bot.testing.both_platforms import PLATFORMS, PlatformTown, reads, write_contacts
from bot.testing.connecting_home import write_connecting_home
from bot.testing.oauth_provider import oauth_provider
from bot.testing.plan_model import PlanModel, PlanStep
from bot.testing.running import running
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
    async with housed(home, platform, reading.service, api, owner, model) as town:
        yield town, model


@asynccontextmanager
async def planned(
    home: Path, plans: Callable[[ModelReply], Mapping[str, Sequence[PlanStep]]], admin: str = ""
) -> AsyncGenerator[tuple[PlatformTown, PlanModel]]:
    """A house on Slack where Ann has an account at Notion; `plans` get the call that reads it."""
    api, arguments = _notion()
    model = PlanModel(plans(call("notion_read", arguments)))
    async with housed(home, "slack", "notion", api, "ann", model, admin) as town:
        yield town, model


@asynccontextmanager
async def housed(
    home: Path,
    platform: str,
    service: str,
    api: AccountApi,
    owner: str,
    model: Model,
    admin: str = "",
) -> AsyncGenerator[PlatformTown]:
    async with (
        oauth_provider(service, SystemClock(), api=api) as provider,
        PLATFORMS[platform]() as town,
    ):
        write_connecting_home(home, provider)
        settings = json.loads((home / "bellhop.yaml").read_text())
        settings["services"][service]["workspace"] = "Friend+"
        (home / "bellhop.yaml").write_text(json.dumps(settings))
        write_contacts(home, town)
        people = json.loads((home / "contacts.yaml").read_text())
        roles = [one | ({"role": "MasterAdmin"} if one["id"] == admin else {}) for one in people]
        (home / "contacts.yaml").write_text(json.dumps(roles))
        async with running(AppOptions(home, [town.connect()], model)) as app:
            credentials = app.house.accounts.credentials
            await credentials.store(owner, service, provider.token_of(ACCOUNT))
            await town.ready()
            yield town


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


def _all_of(request: ModelRequest) -> str:
    return str(request.messages)


def others_see(town: PlatformTown) -> str:
    return " ".join(one.text for one in town.sees("Ben"))


async def test_an_agent_in_the_background_answers_alone_what_its_brief_may_hold(tmp_path: Path):
    furnish(tmp_path)
    scribble = {"agent": "scribe", "task": "do:scribble it lands in May", "async": True}

    def plans(reading: ModelReply) -> Mapping[str, Sequence[PlanStep]]:
        unlock = call("get_capabilities", {"names": ["call_agent"]})
        begins = [reading, unlock, call("call_agent", scribble), say("It is under way.")]
        return {"delegate": begins, "scribble": [say("May, in short.")]}

    async with planned(tmp_path, plans) as (town, _):
        town.say("Ann", "do:delegate")
        answer = await reads(town, "Ann", "May, in short.")
        assert answer.direct or answer.only_them
        assert "May" not in others_see(town)


async def test_what_a_turn_keeps_that_read_ones_own_account_is_kept_for_them(tmp_path: Path):
    kept = {"action": "add", "title": "The zeppelin lands in May", "is_agent_note": True}

    def plans(reading: ModelReply) -> Mapping[str, Sequence[PlanStep]]:
        unlock = call("get_capabilities", {"names": ["manage_notes"]})
        look = call("manage_notes", {"action": "list", "is_agent_note": True})
        return {
            "keep": [reading, unlock, call("manage_notes", kept), say("Kept.")],
            "look": [unlock, look, say("Looked.")],
        }

    async with planned(tmp_path, plans) as (town, model):
        town.say("Ann", "do:keep and put it on the board")
        await reads(town, "Ann", "Kept.")
        assert "zeppelin" in str(model.requests[-1].messages)
        town.say("Ben", "do:look")
        await reads(town, "Ben", "Looked.")
    assert "manage_notes" in str(model.requests[-1].messages)
    assert "zeppelin" not in str(model.requests[-1].messages)


async def test_the_log_shows_nobody_else_what_a_turn_read_by_ones_own_account(tmp_path: Path):
    def plans(reading: ModelReply) -> Mapping[str, Sequence[PlanStep]]:
        unlock = call("get_capabilities", {"names": ["call_agent"]})

        def inspect(request: ModelRequest) -> ModelReply:
            said = str(request.messages[-1]["content"])
            [cycle] = re.findall(r"([0-9a-f]{8}) ann: do:read", said)
            return call("inspect_cycle", {"cycle_id": cycle, "detail": "full"})

        observe = call("call_agent", {"agent": "observer", "task": "do:recall"})
        look = call("call_agent", {"agent": "observer", "task": "do:own"})
        return {
            "read": [reading, say("It lands in May.")],
            "observe": [unlock, observe, say("Inspected.")],
            "recall": [call("recall_recent", {}), inspect, say("Found.")],
            "look": [unlock, look, say("May, I said.")],
            "own": [call("inspect_cycle", {"detail": "full"}), say("It read of May.")],
        }

    async with planned(tmp_path, plans, admin="ben") as (town, model):
        town.say("Ann", "do:read")
        await reads(town, "Ann", "It lands in May.")
        town.say("Ann", "do:look")
        await reads(town, "Ann", "May, I said.")
        assert "May" not in others_see(town)
        town.say("Ben", "do:observe")
        await reads(town, "Ben", "Inspected.")
    own, told = [one for one in map(_all_of, model.requests) if "'inspect_cycle'" in one]
    assert "zeppelin" in own
    assert "cycle not found" in told
    assert "zeppelin" not in told


ASKED = """\
rules:
  - {name: look, tools: notion_read, decision: ask, approver: Friend, reason: look first}
"""


async def test_what_is_read_after_a_yes_in_a_channel_is_answered_alone(tmp_path: Path):
    (tmp_path / "policy.yaml").write_text(ASKED)

    def plans(reading: ModelReply) -> Mapping[str, Sequence[PlanStep]]:
        return {"read": [reading, say("It waits.")], "approval outcome": [say("It lands in May.")]}

    async with planned(tmp_path, plans) as (town, model):
        town.say("Ann", "do:read")
        await reads(town, "Ann", "It waits.")
        assert "zeppelin" not in str(model.requests[-1].messages)
        card = await reads(town, "Ann", "look first")
        card.click("Approve")
        answer = await reads(town, "Ann", "It lands in May.")
        assert "zeppelin" in str(model.requests[-1].messages)
        assert answer.direct or answer.only_them
        assert "in May" not in others_see(town)


async def test_a_call_that_may_hold_what_one_person_read_is_asked_about_alone(tmp_path: Path):
    task = {"name": "landing", "prompt": "Say: the zeppelin lands in May", "cron": "0 9 1 1 *"}

    def plans(reading: ModelReply) -> Mapping[str, Sequence[PlanStep]]:
        unlock = call("get_capabilities", {"names": ["schedule_task"]})
        begins = [unlock, reading, call("schedule_task", task), say("It waits.")]
        return {"ask": begins, "approval outcome": [say("In May, each year.")]}

    async with planned(tmp_path, plans) as (town, _):
        town.say("Ann", "do:ask")
        await reads(town, "Ann", "It waits.")
        card = await reads(town, "Ann", "the zeppelin lands in May")
        assert card.direct or card.only_them
        ref = card.text.split("Approval ")[1].split(".")[0]
        town.reply("Ann", f"/approvals {ref}")
        await reads(town, "Ben", f"Approval {ref} was asked for elsewhere")
        card.click("Approve")
        answer = await reads(town, "Ann", "In May, each year.")
        assert answer.direct or answer.only_them
        assert "May" not in others_see(town)

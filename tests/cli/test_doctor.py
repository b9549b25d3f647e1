"""`bellhop doctor`: keys that are refused, live platforms, MCP servers, scopes of accounts."""

import json
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from bot.assembly import plugins
from bot.assembly.home_settings import load_settings
from bot.cli.connection_findings import accounts_narrow, accounts_set_up
from bot.cli.doctor import _platform
from bot.connections.access import WORKSPACE
from bot.connections.credentials import KEY, Credentials, Keyring
from bot.connections.oauth import Tokens
from bot.connections.sealing import new_key
from bot.domain.database import OpenDatabase
from bot.plugins.slack.plugin import SCOPES
from bot.testing.account_town import account_town
from bot.testing.fake_clock import FakeClock
from bot.testing.loaded_program import run_loaded
from bot.testing.mcp_house import a_program
from bot.testing.services.brave_search import BraveSearch
from bot.testing.services.firecrawl_scrape import FirecrawlScrape
from bot.testing.services.mailgun_mail import MailgunMail
from bot.testing.services.resend_mail import ResendMail
from bot.testing.services.vendor import serving


async def test_each_key_that_is_set_is_tried_and_a_refused_one_is_named(tmp_path: Path):
    async with AsyncExitStack() as stack:
        brave, firecrawl = [
            await stack.enter_async_context(serving(vendor))
            for vendor in (BraveSearch(), FirecrawlScrape())
        ]
        resend = await stack.enter_async_context(serving(ResendMail()))
        mailgun = await stack.enter_async_context(serving(MailgunMail()))
        (tmp_path / "bellhop.yaml").write_text(
            f"web_tools: {{addresses: {{brave: '{brave.url}', firecrawl: '{firecrawl.url}'}}}}\n"
            f"mail: {{addresses: {{resend: '{resend.url}', mailgun: '{mailgun.url}'}},"
            f" mailgun_domain: {mailgun.domain}}}\n"
        )
        (tmp_path / ".env").write_text(
            f"BRAVE_API_KEY=wrong-key-1234\nFIRECRAWL_API_KEY={firecrawl.key}\nMAILGUN_API_KEY=wrong-key-5678\n"
        )
        settings = load_settings(tmp_path)
        found = {finding.check: finding for finding in await plugins.asked(settings)}
    assert found["service Firecrawl"].state == "ok"
    assert found["service Brave Search"].state == found["service Mailgun"].state == "error"
    assert "BRAVE_API_KEY" in found["service Brave Search"].text
    assert "wrong-key" not in str(found)
    assert "service Resend" not in found
    assert resend.asked == []


def test_half_of_a_client_at_a_service_asks_for_the_other_half(tmp_path: Path):
    def told(env: str) -> list[str]:
        (tmp_path / ".env").write_text(env)
        return [finding.text for finding in accounts_set_up(load_settings(tmp_path))]

    key = f"BELLHOP_SECRET_KEY={'A' * 43}=\n"
    whole = "NOTION_CLIENT_ID=client-1234567\nNOTION_CLIENT_SECRET=secret-1234567\n"
    assert told("") == told(key) == told(key + whole) == []
    (text,) = told(key + "SLACK_CLIENT_ID=client-1234567\n")
    assert (
        text
        == "SLACK_CLIENT_ID is set, but nobody can connect Slack: SLACK_CLIENT_SECRET is not set"
    )
    (text,) = told(key + "GITHUB_CLIENT_SECRET=secret-1234567\n")
    assert "GITHUB_CLIENT_ID is not set" in text
    assert "secret-1234567" not in text
    (text,) = told(whole)
    assert "bellhop rotate-key" in text


# What `doctor --live` says of one platform of a running Bellhop.


def test_objects_that_could_not_be_read_are_counted():
    item = {
        "state": "serving",
        "last_frame_age_s": 3.0,
        "last_probe_age_s": None,
        "restarts": 0,
        "unreadable": 4,
    }
    found = _platform("discord", item)
    told = "serving, last heard 3 s ago, could not read 4 of its objects; the log says which"
    assert (found.state, found.text) == ("ok", told)
    assert "could not read" not in _platform("discord", {**item, "unreadable": 0}).text


# `bellhop doctor` connects to each MCP server and says how that went.


@pytest.mark.slow
def test_doctor_has_a_line_for_each_mcp_server(tmp_path: Path, environment: dict[str, str]):
    servers = {
        "sums": a_program(roles="Friend+"),
        "gone": {"command": "/no/such/program"},
        "poor": {"command": "npx", "env": {"KEY": "${NOT_SET_ANYWHERE}"}},
    }
    (tmp_path / "bellhop.yaml").write_text(yaml.safe_dump({"mcp": {"servers": servers}}))
    done = run_loaded(["doctor", "--json", "--home", str(tmp_path)], environment)
    found = {item["check"]: item for item in json.loads(done.stdout)}
    assert found["mcp sums"]["state"] == "ok"
    assert found["mcp sums"]["text"] == "7 tools, for Business, Friend, Partner, MasterAdmin"
    assert found["mcp gone"]["state"] == "error"
    assert "No such file" in found["mcp gone"]["text"]
    assert "needs NOT_SET_ANYWHERE" in found["mcp poor"]["text"]
    assert done.returncode == 1


# `bellhop doctor` names the scopes that people's own accounts lack, and what each is for.


EARLIER = tuple(one for one in SCOPES if not one.startswith(("canvases:", "lists:")))


async def found(home: Path, database: OpenDatabase, **accounts: Tokens) -> list[str]:
    key = new_key()
    (home / ".env").write_text(f"{KEY}={key}\n")
    credentials = Credentials(database, Keyring({KEY: key}.get), FakeClock())
    for name, tokens in accounts.items():
        person, _, service = name.partition("_at_")
        owner = WORKSPACE if person == "workspace" else person
        await credentials.store(owner, service, tokens.to_text())
    return [one.text for one in await accounts_narrow(load_settings(home), database)]


async def test_who_connected_before_there_were_canvases_is_named_with_what_is_missing(
    tmp_path: Path, database: OpenDatabase
):
    (text,) = await found(
        tmp_path,
        database,
        ann_at_slack=Tokens("xoxp-ann-0123456789", scopes=EARLIER),
        ben_at_slack=Tokens("xoxp-ben-0123456789", scopes=tuple(SCOPES)),
        workspace_at_slack=Tokens("xoxp-all-0123456789", scopes=(*EARLIER, "lists:read")),
    )
    assert text == (
        "Slack: the workspace's account, ann allowed less than the tools need: canvases:read (to "
        "read canvases), canvases:write (to make and change canvases), lists:read (to read lists), "
        "lists:write (to make and change lists); connect again with `/connect slack`"
    )


async def test_whole_accounts_and_those_whose_scopes_are_unknown_are_not_named(
    tmp_path: Path, database: OpenDatabase
):
    whole = Tokens("xoxp-ann-0123456789", scopes=tuple(SCOPES))
    told_nothing = Tokens("xoxp-ben-0123456789")
    of_github = Tokens("gho-ann-0123456789", scopes=("repo",))
    assert not await found(
        tmp_path,
        database,
        ann_at_slack=whole,
        ben_at_slack=told_nothing,
        ann_at_github=of_github,
    )


async def test_a_connection_that_asked_for_less_lacks_the_rest(tmp_path: Path):
    key = new_key()
    async with account_town(tmp_path, "slack", env={KEY: key}) as at:
        at.service = replace(at.service, scopes=EARLIER)
        await at.connect(at.ann)
        (tmp_path / ".env").write_text(f"{KEY}={key}\n")
        (finding,) = await accounts_narrow(load_settings(tmp_path), at.database)
        at.service = replace(at.service, scopes=tuple(SCOPES))
        await at.connect(at.ann)
        assert await accounts_narrow(load_settings(tmp_path), at.database) == []
    assert "lists:write (to make and change lists)" in finding.text
    assert finding.state == "warning"

"""Setting up Discord and Slack: init, manifest, doctor on loopback, one platform down."""

import asyncio
import gc
import json
import re
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from bot.app import AppOptions, open_app
from bot.cli.main import app
from bot.loopback.discord import DiscordPlatform
from bot.loopback.slack import APP_TOKEN, BOT_TOKEN, SIGNING_SECRET, Refused, SlackPlatform
from bot.plugins.discord_chat.account import PERMISSIONS
from bot.plugins.slack.plugin import SLACK as SLACK_ACCOUNTS
from bot.plugins.slack_chat.manifest import EVENTS, SCOPES, manifest
from bot.plugins.slack_chat.settings import SlackSettings

DISCORD_TOKEN = DiscordPlatform().options.token
Findings = dict[str, tuple[str, str]]


@pytest.fixture(autouse=True)
def _as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")


def bellhop(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def settle(home: Path, settings: dict[str, object], **secrets: str) -> None:
    """Write the files of a home."""
    (home / "bellhop.yaml").write_text(json.dumps(settings))
    (home / ".env").write_text("".join(f"{name}={value}\n" for name, value in secrets.items()))


def findings(result: Result) -> Findings:
    return {found["check"]: (found["state"], found["text"]) for found in json.loads(result.stdout)}


def checked(home: Path, *options: str) -> Findings:
    return findings(bellhop("doctor", "--json", *options, "--home", home))


async def asked(home: Path) -> Findings:
    """`doctor --live`, beside the loop in which the platforms are."""
    result = await asyncio.to_thread(bellhop, "doctor", "--live", "--json", "--home", home)
    for secret in (DISCORD_TOKEN, BOT_TOKEN, APP_TOKEN):
        assert secret not in result.output
    return findings(result)


# --- init and the manifest ---


def test_init_prints_the_clicks_for_both_platforms(tmp_path: Path) -> None:
    printed = bellhop("init", tmp_path, "--discord-app-id", "4242").output
    link = re.search(r"https://discord.com/oauth2\S+", printed)
    assert link is not None
    assert link[0].endswith(
        f"client_id=4242&scope=bot+applications.commands&permissions={PERMISSIONS}"
    )
    assert "MESSAGE CONTENT INTENT" in printed
    assert (
        printed.index("slack-manifest")
        < printed.index("SLACK_BOT_TOKEN")
        < printed.index("SLACK_APP_TOKEN")
    )
    written = (tmp_path / "bellhop.yaml").read_text()
    assert "APPLICATION_ID" in written.partition("# discord:")[0]
    assert "From a manifest" in written.partition("# slack:")[0]
    secrets = re.findall(r"^(\w+)=$", (tmp_path / ".env.example").read_text(), re.MULTILINE)
    platforms = ["DISCORD_TOKEN", "SLACK_BOT_TOKEN", "SLACK_APP_TOKEN", "SLACK_SIGNING_SECRET"]
    platforms += ["TELEGRAM_BOT_TOKEN", "TELEGRAM_WEBHOOK_SECRET"]
    services = [
        "BRAVE_API_KEY",
        "FIRECRAWL_API_KEY",
        "RESEND_API_KEY",
        "RESEND_WEBHOOK_SECRET",
        "MAILGUN_API_KEY",
        "TRANSCRIPTION_API_KEY",
    ]
    assert secrets[2:] == platforms + services


def test_init_refuses_an_application_id_that_is_none(tmp_path: Path) -> None:
    result = bellhop("init", tmp_path, "--discord-app-id", "my-bot")
    assert result.exit_code == 2
    assert "Application ID" in result.stderr


def test_the_manifest_is_printed_or_written(tmp_path: Path) -> None:
    assert "slack-manifest" in bellhop("--help").stdout
    printed = json.loads(bellhop("slack-manifest", "--home", tmp_path).stdout)
    assert printed == manifest(SlackSettings())
    assert printed["oauth_config"]["scopes"]["bot"] == list(SCOPES)
    assert printed["settings"]["event_subscriptions"]["bot_events"] == list(EVENTS)
    said = bellhop("slack-manifest", "--home", tmp_path, "--out", tmp_path / "slack.json").stdout
    assert "From a manifest" in said
    assert json.loads((tmp_path / "slack.json").read_text()) == printed
    nowhere = bellhop("slack-manifest", "--home", tmp_path, "--out", tmp_path / "no" / "slack.json")
    assert nowhere.exit_code == 1
    assert nowhere.stderr.startswith("bellhop: cannot write")


def test_the_manifest_holds_what_the_accounts_of_people_need(tmp_path: Path) -> None:
    settle(tmp_path, {"console": {"port": 8080, "public_url": "https://bot.example.org"}})
    alone = json.loads(bellhop("slack-manifest", "--home", tmp_path).stdout)
    assert alone == manifest(SlackSettings())
    (tmp_path / ".env").write_text("SLACK_CLIENT_ID=1.2\nSLACK_CLIENT_SECRET=x\n")
    (tmp_path / ".env").chmod(0o600)
    oauth = json.loads(bellhop("slack-manifest", "--home", tmp_path).stdout)["oauth_config"]
    assert oauth["redirect_urls"] == ["https://bot.example.org/connect/callback"]
    assert oauth["scopes"]["bot"] == list(SCOPES)
    assert oauth["scopes"]["user"] == list(SLACK_ACCOUNTS.scopes)
    assert {"canvases:write", "lists:write"} <= set(oauth["scopes"]["user"])


def test_the_manifest_asks_for_links_only_where_they_lead_to_booking_pages(tmp_path: Path) -> None:
    console = {"port": 8080, "public_url": "https://bot.example.org"}
    settle(tmp_path, {"console": console})
    assert json.loads(bellhop("slack-manifest", "--home", tmp_path).stdout) == manifest(
        SlackSettings()
    )
    settle(tmp_path, {"console": console, "booking": {"enabled": True}})
    made = json.loads(bellhop("slack-manifest", "--home", tmp_path).stdout)
    assert made["features"]["unfurl_domains"] == ["bot.example.org"]
    assert {"links:read", "links:write"} <= set(made["oauth_config"]["scopes"]["bot"])
    assert "link_shared" in made["settings"]["event_subscriptions"]["bot_events"]


def test_the_manifest_of_mode_http_needs_the_public_address(tmp_path: Path) -> None:
    settle(tmp_path, {"slack": {"mode": "http"}})
    for wrong in ([], ["--url", "http://bot.example.org"]):
        assert bellhop("slack-manifest", *wrong, "--home", tmp_path).exit_code == 2
    made = json.loads(
        bellhop("slack-manifest", "--url", "https://bot.example.org", "--home", tmp_path).stdout
    )
    assert (
        made["settings"]["interactivity"]["request_url"] == "https://bot.example.org/slack/events"
    )
    assert made["settings"]["socket_mode_enabled"] is False


# --- doctor: files only ---


def test_a_platform_that_is_off_is_no_problem(tmp_path: Path) -> None:
    found = checked(tmp_path)
    assert found["discord"][0] == found["slack"][0] == "ok"
    settle(tmp_path, {}, DISCORD_TOKEN=DISCORD_TOKEN)
    assert "discord: {enabled: true}" in checked(tmp_path)["discord"][1]


@pytest.mark.parametrize(
    ("token", "says"),
    [
        ("", "is missing"),
        ("123456789012345678", "application id"),
        ("ab" * 32, "public key"),
        ("A1b2C3d4E5f6G7h8-_J0k1L2m3N4o5P6", "client secret"),
        ("Bot abc.def.ghi", "leave that out"),
        ("abc def", "space"),
    ],
)
def test_a_discord_token_of_the_wrong_kind_is_named_but_not_shown(
    tmp_path: Path, token: str, says: str
) -> None:
    settle(tmp_path, {"discord": {"enabled": True}}, DISCORD_TOKEN=f'"{token}"')
    result = bellhop("doctor", "--json", "--home", tmp_path)
    state, text = findings(result)["discord"]
    assert (result.exit_code, state) == (1, "error")
    assert says in text
    assert not token or token not in result.output


def test_a_token_that_may_be_one_is_left_to_discord(tmp_path: Path) -> None:
    settle(
        tmp_path, {"discord": {"enabled": True}}, DISCORD_TOKEN="MTIz.Gabcde.abcdefghijklmnopqrst"
    )
    assert checked(tmp_path)["discord"][0] == "ok"


def test_names_where_ids_belong_are_pointed_out(tmp_path: Path) -> None:
    rules: dict[str, object] = {
        "discord": {
            "channels": {
                "general": {"answer": "off"},
                "123456789012345678": {"answer": "all"},
                "workspace:234567890123456789": {"answer": "all"},
                "dm": {"reply": "quiet"},
            }
        },
        "slack": {"channels": {"#random": {"answer": "all"}, "C0123ABCD": {"answer": "off"}}},
        "access": {
            "roles": {
                "discord": {"Team": "Friend"},
                "slack": {"@team": "Friend", "S0123": "Partner"},
            },
        },
    }
    settle(tmp_path, rules)
    found = checked(tmp_path)
    assert found["discord.channels"][1].startswith("general: not an id")
    assert found["slack.channels"][1].startswith("#random: not an id")
    assert found["access.roles.discord"][1].startswith("Team: not an id")
    assert found["access.roles.slack"][1].startswith("@team: not an id")


def test_slack_by_http_needs_a_port_and_the_signing_secret(tmp_path: Path) -> None:
    settle(tmp_path, {"slack": {"enabled": True, "mode": "http"}}, SLACK_BOT_TOKEN=BOT_TOKEN)
    state, text = checked(tmp_path)["slack"]
    assert state == "error"
    assert "SLACK_SIGNING_SECRET" in text
    assert "console.port" in text
    secrets = {"SLACK_BOT_TOKEN": BOT_TOKEN, "SLACK_SIGNING_SECRET": SIGNING_SECRET}
    settle(
        tmp_path, {"slack": {"enabled": True, "mode": "http"}, "console": {"port": 8080}}, **secrets
    )
    assert checked(tmp_path)["slack"][0] == "ok"


def test_run_names_every_token_in_a_sentence_of_its_own(tmp_path: Path) -> None:
    settle(
        tmp_path,
        {"discord": {"enabled": True}, "slack": {"enabled": True}},
        SLACK_BOT_TOKEN="xoxp-1234567890",
    )
    result = bellhop("run", "--home", tmp_path)
    assert result.exit_code == 1
    lines = [line for line in result.stderr.splitlines() if line.startswith("bellhop: ")]
    assert [line.split()[1] for line in lines] == [
        "DISCORD_TOKEN",
        "SLACK_BOT_TOKEN",
        "SLACK_APP_TOKEN",
    ]
    assert all("enabled to false" in line for line in lines)
    assert gc.isenabled(), "a start that failed leaves the collector as it was"
    assert "Traceback" not in result.stderr
    assert "xoxp-1234567890" not in result.output


# --- doctor --live ---


@asynccontextmanager
async def both(home: Path) -> AsyncGenerator[tuple[DiscordPlatform, SlackPlatform]]:
    """Both platforms, and a home that is set up for them."""
    async with (
        DiscordPlatform() as discord,
        SlackPlatform(manifest(SlackSettings()), strict=False) as slack,
    ):
        settle(home, addresses(discord, slack), **TOKENS)
        yield discord, slack


TOKENS = {
    "DISCORD_TOKEN": DISCORD_TOKEN,
    "SLACK_BOT_TOKEN": BOT_TOKEN,
    "SLACK_APP_TOKEN": APP_TOKEN,
}


def addresses(discord: DiscordPlatform, slack: SlackPlatform) -> dict[str, object]:
    return {
        "discord": {
            "enabled": True,
            "api_base": discord.api_base,
        },
        "slack": {"enabled": True, "api_base": slack.api_base},
    }


async def test_live_says_who_we_are_and_that_nothing_is_missing(tmp_path: Path) -> None:
    async with both(tmp_path) as (discord, _):
        discord.guild("Home")
        found = await asked(tmp_path)
    assert found["discord"][1].startswith("@")
    assert found["discord intents"] == ("ok", "Message Content is on")
    assert found["discord servers"] == ("ok", "Home")
    assert found["slack"][1].startswith("@bellhop in House")
    assert found["slack scopes"] == ("ok", f"{len(SCOPES)} granted")
    assert found["slack events"] == ("ok", "Socket Mode")
    assert "Event Subscriptions" in found["slack subscriptions"][1]
    assert found["live"][0] == "warning"


async def test_live_names_each_thing_that_is_missing_with_its_remedy(tmp_path: Path) -> None:
    async with both(tmp_path) as (discord, slack):
        discord.payloads.application_flags = 0
        slack.grant.scopes -= {"files:write", "users:read"}
        slack.fail("apps.connections.open", Refused("not_allowed_token_type"))
        found = await asked(tmp_path)
        assert found["discord intents"][0] == "error"
        assert "MESSAGE CONTENT INTENT" in found["discord intents"][1]
        assert f"client_id={discord.world.bot.id}" in found["discord servers"][1]
        missing = "files:write (to hand over files), users:read (to know people's names"
        assert missing in found["slack scopes"][1]
        assert "SLACK_APP_TOKEN" in found["slack events"][1]


async def test_live_names_a_refused_token_and_still_asks_the_other_platform(
    tmp_path: Path,
) -> None:
    async with both(tmp_path) as (discord, slack):
        settle(
            tmp_path,
            addresses(discord, slack),
            **{**TOKENS, "DISCORD_TOKEN": "MTIz.Gabcde.wrong-wrong-wrong"},
        )
        found = await asked(tmp_path)
        assert found["discord"][0] == "error"
        assert "DISCORD_TOKEN" in found["discord"][1]
        assert "discord intents" not in found
        assert found["slack"][0] == "ok"
        slack.fail("auth.test", Refused("invalid_auth"))
        found = await asked(tmp_path)
        assert (found["slack"][0], "SLACK_BOT_TOKEN" in found["slack"][1]) == ("error", True)


async def test_live_says_so_when_nobody_answers(tmp_path: Path) -> None:
    async with both(tmp_path):
        pass
    found = await asked(tmp_path)
    assert (found["discord"][0], found["slack"][0]) == ("error", "error")
    assert "cannot be reached: no connection to 127.0.0.1 (" in found["discord"][1]
    assert "check this machine's network" in found["discord"][1]


# --- one platform down ---


@asynccontextmanager
async def running(home: Path) -> AsyncGenerator[None]:
    async with open_app(AppOptions(home, platforms=True)) as served:
        task = asyncio.create_task(served.run())
        try:
            yield
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


async def test_slack_answers_while_discord_is_down(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with both(tmp_path) as (discord, slack):
        settle(
            tmp_path,
            addresses(discord, slack),
            **{**TOKENS, "DISCORD_TOKEN": "MTIz.Gabcde.wrong-wrong-wrong"},
        )
        async with running(tmp_path):
            await slack.delivery.wait_connected()
            slack.person("ann").say("add buy milk to my todos")
            await slack.until(lambda: [said for said in slack.said if "milk" in said.text])
            assert "DISCORD_TOKEN" in caplog.text


async def test_discord_answers_after_slack_went_down(tmp_path: Path) -> None:
    async with DiscordPlatform() as discord, AsyncExitStack() as served:
        general = discord.channel(discord.guild())
        ann = discord.person("Ann")
        async with SlackPlatform(manifest(SlackSettings()), strict=False) as slack:
            settle(tmp_path, addresses(discord, slack), **TOKENS)
            await served.enter_async_context(running(tmp_path))
            await discord.ready()
            await slack.delivery.wait_connected()
        root = ann.say(general, "add buy milk to my todos", mention=True)
        thread = await discord.until(lambda: ann.thread_of(root))
        await discord.until(lambda: [seen for seen in ann.sees(thread) if "milk" in seen.content])

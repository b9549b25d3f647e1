"""The chat platforms that settings enable, and the error if they can't be."""

from pathlib import Path

import pytest

from bot.assembly.home_settings import load_settings
from bot.assembly.platforms import build_served, http_server
from bot.domain.database import Database
from bot.errors import SettingsError
from bot.sessions.inbox.platforms import Checkup, Platforms
from bot.settings import Settings
from bot.storage.blobs import Blobs
from bot.testing.fake_clock import FakeClock
from bot.turns.engine import TurnEngine

HTTP_SLACK = "slack: {enabled: true, mode: http}\n"
SLACK_SECRETS = "SLACK_BOT_TOKEN=xoxb-1\nSLACK_APP_TOKEN=xapp-1\nSLACK_SIGNING_SECRET=s\n"


def settings_of(home: Path, text: str, secrets: str = "") -> Settings:
    (home / "bellhop.yaml").write_text(text)
    (home / ".env").write_text(secrets)
    return load_settings(home)


async def test_no_platform_is_built_unless_it_is_switched_on(tmp_path: Path, database: Database):
    settings = settings_of(tmp_path, "timezone: UTC\n")
    assert build_served(settings, database, Blobs(tmp_path), FakeClock()) == []


async def test_every_missing_token_of_every_platform_is_named_at_once(
    tmp_path: Path, database: Database
):
    settings = settings_of(tmp_path, "discord: {enabled: true}\nslack: {enabled: true}\n")
    with pytest.raises(SettingsError) as caught:
        build_served(settings, database, Blobs(tmp_path), FakeClock())
    text = str(caught.value)
    assert all(name in text for name in ("DISCORD_TOKEN", "SLACK_BOT_TOKEN", "SLACK_APP_TOKEN"))
    assert all("enabled to false" in line for line in text.splitlines())


async def test_slack_over_http_needs_a_port_that_listens(tmp_path: Path, database: Database):
    clock = FakeClock()
    settings = settings_of(tmp_path, HTTP_SLACK, SLACK_SECRETS)
    made = build_served(settings, database, Blobs(tmp_path), clock)
    chats = [one.adapter for one in made]
    engine = TurnEngine(database, clock, owner="test")
    checkup = Checkup(database, engine, Platforms(chats, clock), clock)
    with pytest.raises(SettingsError, match=r"set console\.port"):
        http_server(settings, chats, checkup, clock)
    with_port = settings_of(tmp_path, HTTP_SLACK + "console: {port: 8099}\n", SLACK_SECRETS)
    assert len(http_server(with_port, chats, checkup, clock)) == 1

"""`bellhop connect`: for the workspace, with the address that the browser shows."""

import json
from pathlib import Path

import pytest

from bot.cli.connecting import NotConnectedHere, connect_with
from bot.connections.access import WORKSPACE
from bot.errors import SettingsError
from bot.storage.home import open_database
from bot.testing.fake_clock import FakeClock
from bot.testing.oauth_provider import oauth_provider
from bot.tools.credentials_store import read_sealed
from bot.web.client import WebClient, WebRequest
from bot.web.settings import WebSettings


async def browser(url: str) -> str:
    answer = await WebClient(WebSettings(allow_private=("127.0.0.1",))).fetch(WebRequest("GET", url, follow=False))
    return answer.headers["location"]


async def test_the_workspaces_account_is_connected_at_the_terminal(tmp_path: Path):
    async with oauth_provider("notion", FakeClock()) as provider:
        (tmp_path / ".env").write_text(f"BELLHOP_SECRET_KEY={'A' * 43}=\n{provider.secrets()}")
        (tmp_path / ".env").chmod(0o600)
        addresses = json.dumps({"notion": provider.addresses()})
        (tmp_path / "bellhop.yaml").write_text(f"services: {addresses}\nweb: {{allow_private: [127.0.0.1]}}\n")
        said = await connect_with(tmp_path, "notion", None, workspace=True, ask=browser)
        assert said == "Notion is connected. It is for the workspace."
        database = await open_database(tmp_path / "data" / "bellhop.db")
        assert list(await read_sealed(database)) == [(WORKSPACE, "notion")]
        await database.close()

        async def wrong(url: str) -> str:
            return "https://example.com/?code=x"

        with pytest.raises(NotConnectedHere, match="That link is over"):
            await connect_with(tmp_path, "notion", None, workspace=True, ask=wrong)
        with pytest.raises(SettingsError, match="GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET are not set"):
            await connect_with(tmp_path, "google", None, workspace=True, ask=wrong)

"""`bellhop connect`: for the workspace, with the address that the browser shows."""

from pathlib import Path

import pytest

from bot.assembly.sections import SECTIONS
from bot.cli.connecting import connect_with
from bot.cli.looking import NotDone
from bot.cli.serving import serving
from bot.connections.access import WORKSPACE
from bot.connections.credentials_store import read_sealed
from bot.errors import BotError, SettingsError
from bot.settings import load
from bot.storage.home import open_database
from bot.testing.connecting_home import Browser, write_connecting_home
from bot.testing.fake_clock import FakeClock
from bot.testing.oauth_provider import oauth_provider
from bot.testing.scripted_model import ScriptedModel


async def test_the_workspaces_account_is_connected_at_the_terminal(tmp_path: Path):
    async with oauth_provider("notion", FakeClock()) as provider:
        write_connecting_home(tmp_path, provider)
        said = await connect_with(tmp_path, "notion", None, workspace=True, ask=Browser().say_yes)
        assert said == "Notion is connected. It is for the workspace."
        database = await open_database(tmp_path / "data" / "bellhop.db")
        assert list(await read_sealed(database)) == [(WORKSPACE, "notion")]
        await database.close()

        async def wrong(url: str) -> str:
            return "https://example.com/?code=x"

        with pytest.raises(NotDone, match="That link is not valid any more"):
            await connect_with(tmp_path, "notion", None, workspace=True, ask=wrong)
        with pytest.raises(
            SettingsError, match="GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET are not set"
        ):
            await connect_with(tmp_path, "google", None, workspace=True, ask=wrong)


async def test_a_running_bellhop_uses_the_account_at_once(tmp_path: Path):
    async with oauth_provider("notion", FakeClock()) as provider:
        write_connecting_home(tmp_path, provider)
        async with serving(tmp_path, load(tmp_path, SECTIONS), model=ScriptedModel([])) as app:
            said = await connect_with(
                tmp_path, "notion", None, workspace=True, ask=Browser().say_yes
            )
            assert said == "Notion is connected. It is for the workspace."
            assert app.house.accounts.connections.connected(WORKSPACE) == {"notion"}
            with pytest.raises(
                BotError, match="GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET are not set"
            ):
                await connect_with(tmp_path, "google", None, workspace=True, ask=Browser().say_yes)

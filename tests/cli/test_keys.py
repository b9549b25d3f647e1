"""`bellhop rotate-key`: creates or replaces the key, reseals tokens, keeps the rest of .env."""

import asyncio
import stat
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bot.cli.main import app
from bot.clock import SystemClock
from bot.connections.credentials import KEY, Credentials, Keyring
from bot.storage.home import open_database


def rotate(home: Path, exit_code: int = 0) -> str:
    done = CliRunner().invoke(app, ["rotate-key", "--home", str(home)])
    assert done.exit_code == exit_code, done.output
    return done.output


def key_of(home: Path) -> str:
    lines = [
        line for line in (home / ".env").read_text().splitlines() if line.startswith(f"{KEY}=")
    ]
    assert len(lines) == 1
    return lines[0].partition("=")[2]


async def kept(home: Path, token: str | None = None) -> str | None:
    (home / "data").mkdir(exist_ok=True)
    database = await open_database(home / "data" / "bellhop.db")
    credentials = Credentials(database, Keyring({KEY: key_of(home)}.get), SystemClock())
    await credentials.load()
    if token is not None:
        await credentials.store("ann", "mail", token)
    found = credentials.tokens("ann", ["mail"]).get("mail")
    await database.close()
    return found


@pytest.fixture(autouse=True)
def no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(KEY, raising=False)


def test_the_first_key_is_made_beside_what_env_holds(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("# mine\nSLACK_BOT_TOKEN=xoxb-1")
    said = rotate(tmp_path)
    assert (tmp_path / ".env").read_text().startswith("# mine\nSLACK_BOT_TOKEN=xoxb-1\n")
    assert len(key_of(tmp_path)) == 44
    assert key_of(tmp_path) not in said
    assert stat.S_IMODE((tmp_path / ".env").stat().st_mode) == 0o600


def test_a_new_key_opens_what_the_old_one_sealed(tmp_path: Path) -> None:
    rotate(tmp_path)
    old = key_of(tmp_path)
    assert asyncio.run(kept(tmp_path, "a-token-of-ann")) == "a-token-of-ann"
    assert "1 token is sealed with it" in rotate(tmp_path)
    assert key_of(tmp_path) != old
    assert "," not in key_of(tmp_path)
    assert asyncio.run(kept(tmp_path)) == "a-token-of-ann"


def test_a_key_in_the_environment_is_left_to_whoever_put_it_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY, "k" * 44)
    said = rotate(tmp_path, exit_code=1)
    assert "set in the environment" in said
    assert not (tmp_path / ".env").exists()

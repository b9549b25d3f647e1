"""`bellhop rotate-key`: creates or replaces the key, reseals tokens, keeps the rest of .env."""

import asyncio
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bot.cli.main import app
from bot.clock import SystemClock
from bot.connections.credentials import KEY, Credentials, Keyring
from bot.plugin.late import Sealing
from bot.plugins.booking.store import BookingPage, BookingRows, keep_page
from bot.storage.home import open_database
from bot.testing.own_tables import open_with_own_tables


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


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    elsewhere = tmp_path / "secrets"
    elsewhere.write_text("SLACK_BOT_TOKEN=xoxb-1\n")
    home = tmp_path / "home"
    home.mkdir()
    (home / ".env").symlink_to(elsewhere)
    rotate(home)
    assert (home / ".env").readlink() == elsewhere
    assert key_of(home) in elsewhere.read_text()


def test_a_new_key_opens_what_the_old_one_sealed(tmp_path: Path) -> None:
    rotate(tmp_path)
    old = key_of(tmp_path)
    assert asyncio.run(kept(tmp_path, "a-token-of-ann")) == "a-token-of-ann"
    assert "1 secret is sealed with it" in rotate(tmp_path)
    assert key_of(tmp_path) != old
    assert "," not in key_of(tmp_path)
    assert asyncio.run(kept(tmp_path)) == "a-token-of-ann"


async def page(home: Path, secret: str | None = None) -> str | None:
    """Keep a booking page with this secret, or open that of the page that there is."""
    database = await open_with_own_tables(home / "data" / "bellhop.db")
    sealing = Sealing(Keyring({KEY: key_of(home)}.get), "booking")
    if secret is not None:
        kept = BookingPage("ann", "link", sealing.seal(secret), "{}", "UTC", "google", "", 30, 0)
        await database.write(keep_page(kept, SystemClock().now()))
    found = await BookingRows(database).page_of("ann")
    await database.close()
    return None if found is None else sealing.open(found.sealed)


@pytest.mark.parametrize("plugins", ["[]", "[-booking]"])
def test_what_a_plugin_sealed_opens_with_the_new_key(plugins: str, tmp_path: Path) -> None:
    (tmp_path / "bellhop.yaml").write_text(f"plugins: {plugins}\n")
    (tmp_path / "data").mkdir()
    rotate(tmp_path)
    old = key_of(tmp_path)
    assert asyncio.run(page(tmp_path, "a-secret-link")) == "a-secret-link"
    assert "1 secret is sealed with it" in rotate(tmp_path)
    assert old not in key_of(tmp_path)
    assert asyncio.run(page(tmp_path)) == "a-secret-link"
    # A value that no key opens any more stops no rotation.
    (tmp_path / ".env").write_text(f"{KEY}={old}\n")
    assert "0 secrets are sealed with it" in rotate(tmp_path)


def test_the_old_key_stays_while_plugins_that_may_have_sealed_are_off(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    rotate(tmp_path)
    asyncio.run(page(tmp_path, "a-secret-link"))
    with closing(sqlite3.connect(tmp_path / "data" / "bellhop.db")) as connection, connection:
        connection.execute("INSERT INTO plugin_migrations VALUES ('lunch', 1, '1', '', '[]', '')")
    old = key_of(tmp_path)
    assert "The old key stays behind it, for what plug-ins sealed that are not on: lunch." in (
        rotate(tmp_path)
    )
    fresh, _, kept = key_of(tmp_path).partition(",")
    assert (kept, fresh != old) == (old, True)


def test_a_key_in_the_environment_is_left_to_whoever_put_it_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY, "k" * 44)
    said = rotate(tmp_path, exit_code=1)
    assert "set in the environment" in said
    assert not (tmp_path / ".env").exists()

"""No test reaches beyond this machine, and none sees the developer's keys or home folder."""

import asyncio
import copy
import gc
import ipaddress
import logging
import os
import shutil
import sys
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Generator
from pathlib import Path
from typing import Any, cast

import pytest
import uvloop
from discord.gateway import DiscordWebSocket
from discord.http import Route
from hypothesis import HealthCheck, settings

from bot import log
from bot.domain.database import OpenDatabase
from bot.log import is_secret_name
from bot.loopback.discord import DiscordPlatform
from bot.loopback.slack import SlackPlatform
from bot.storage import database as sqlite_database
from bot.testing.bare_machine import hide_programs, is_bare
from bot.testing.desk import Desk
from bot.testing.fake_clock import FakeClock
from bot.testing.kept_databases import KeptDatabases, PostgresDatabases, SqliteFiles
from bot.testing.own_tables import open_with_own_tables
from bot.testing.postgres_server import PostgresServer, postgres_programs, postgres_server
from bot.testing.services.slack_accounts import SlackAccounts
from bot.testing.starts import start_alike
from tests import slack_description
from tests.discord_description import misfit
from tests.thoroughness import THOROUGH, USUAL

for _profile, _examples in (("house", USUAL), ("thorough", THOROUGH)):
    settings.register_profile(
        _profile,
        max_examples=_examples,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
settings.load_profile("house")
start_alike()
if is_bare():
    hide_programs()

# The modules and tests stay for the whole run: searched for garbage they took a tenth of its time.
gc.disable()


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


_PROXIES = {"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "FTP_PROXY"}


class LeavesThisMachine(BaseException):
    """A test tried to reach another machine. Give it a server on 127.0.0.1 (bot.testing)."""


def _is_local(host: object) -> bool:
    if host is None or host in {"", b"", "localhost", b"localhost"}:
        return True
    text = host.decode() if isinstance(host, bytes) else str(host)
    try:
        return ipaddress.ip_address(text.partition("%")[0]).is_loopback
    except ValueError:
        return False


def _guard(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "socket.getaddrinfo" and not _is_local(arguments[0]):
        raise LeavesThisMachine(f"a test looks up {arguments[0]!r}; use a server on 127.0.0.1")
    if event in {"socket.connect", "socket.sendto"}:
        address: object = arguments[1]
        if isinstance(address, tuple) and not _is_local(cast("tuple[object, ...]", address)[0]):
            raise LeavesThisMachine(f"a test connects to {address!r}; use a server on 127.0.0.1")


sys.addaudithook(_guard)

_MEMORY = Path("/dev/shm")  # noqa: S108 - pytest makes a folder of its own there
_ROOMY = 4 * 1024**3


def _store_in_memory() -> None:
    """Put the tests' folders into memory where there is room: a whole run fills about a gigabyte.

    Each commit of SQLite waits for the disk, which took half of a run, and no test cuts the power.
    """
    if os.access(_MEMORY, os.W_OK) and shutil.disk_usage(_MEMORY).free > _ROOMY:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(_MEMORY))


_store_in_memory()
sqlite_database._PRAGMAS = tuple(one.replace("=FULL", "=OFF") for one in sqlite_database._PRAGMAS)

for _name in [name for name in os.environ if is_secret_name(name) or name.upper() in _PROXIES]:
    del os.environ[_name]
for _name in [name for name in os.environ if name.startswith(("BELLHOP_", "ANTHROPIC_"))]:
    del os.environ[_name]


@pytest.fixture(autouse=True)
def registered_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget the secrets that a test registers, or they are blotted out of another's texts."""
    kept = copy.deepcopy(log._secrets)  # pyright: ignore[reportPrivateUsage]
    monkeypatch.setattr(log, "_secrets", kept)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Without bubblewrap, tests of scripts check Bellhop's message instead of failing."""
    if not any(
        map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"))
    ):
        terminalreporter.write_line(
            "not tried: the browser's tools, because Chromium is not installed here"
        )
    if postgres_programs() is None:
        terminalreporter.write_line(
            "not tried: everything over PostgreSQL, because it is not installed here"
        )
    if shutil.which("bwrap") is None:
        terminalreporter.write_line(
            "not tried: scripts and command lines in the sandbox, because bubblewrap is not "
            "installed here"
        )


def pytest_asyncio_loop_factories(
    item: pytest.Item,
) -> dict[str, Callable[[], asyncio.AbstractEventLoop]]:
    """Tests marked `both_loops` also run on uvloop, as `bellhop run` does.

    uvloop differs from asyncio with programs. Other tests don't use it, because its connections
    bypass the guard above.
    """
    plain: dict[str, Callable[[], asyncio.AbstractEventLoop]] = {"asyncio": asyncio.new_event_loop}
    return (
        {**plain, "uvloop": uvloop.new_event_loop}
        if item.get_closest_marker("both_loops")
        else plain
    )


@pytest.fixture(autouse=True)
def _home_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever falls back to BELLHOP_HOME lands in the test's own folder."""
    monkeypatch.setenv("BELLHOP_HOME", str(tmp_path))


@pytest.fixture(autouse=True)
def _discord_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """discord.py keeps its addresses in class attributes; a loopback Discord changes them."""
    monkeypatch.setattr(Route, "BASE", Route.BASE)
    monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", DiscordWebSocket.DEFAULT_GATEWAY)


@pytest.fixture(autouse=True)
def _discord_as_described(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every call to a loopback Discord fits what Discord itself publishes."""
    monkeypatch.setattr(DiscordPlatform, "misfit", staticmethod(misfit))


@pytest.fixture(autouse=True)
def _slack_as_described(monkeypatch: pytest.MonkeyPatch) -> None:
    """What goes to a loopback Slack, and what it sends, fits what Slack itself publishes."""
    monkeypatch.setattr(SlackPlatform, "misfit", staticmethod(slack_description.misfit))
    monkeypatch.setattr(SlackPlatform, "untold", staticmethod(slack_description.untold))
    monkeypatch.setattr(SlackAccounts, "misfit", staticmethod(slack_description.misfit))


@pytest.fixture(autouse=True)
def _logging_as_it_was() -> Generator[None]:
    """A command run in the test process configures logging; the next test must not inherit that."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    levels = {name: logging.getLogger(name).level for name in list(logging.root.manager.loggerDict)}
    yield
    ours = [
        handler
        for handler in root.handlers
        if type(handler).__module__ == "bot.log" and handler not in handlers
    ]
    for handler in ours:
        root.removeHandler(handler)
    if root.level != level:
        root.setLevel(level)
    for name, before in levels.items():
        # Setting a level empties the caches of all loggers, so only what changed is set.
        if (logger := logging.getLogger(name)).level != before:
            logger.setLevel(before)


@pytest.fixture(scope="session")
def postgres() -> Generator[PostgresServer]:
    """A real PostgreSQL server. Tests ask for it only where `postgres_programs` finds one."""
    with postgres_server() as server:
        assert server is not None
        yield server


@pytest.fixture(params=["sqlite", *(["postgresql"] if postgres_programs() else [])])
async def database(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncGenerator[OpenDatabase]:
    """An empty database with all tables: a file, and a database of the server."""
    if request.param == "sqlite":
        opened: OpenDatabase = await open_with_own_tables(tmp_path / "data" / "bellhop.db")
        yield opened
        await opened.close()
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    async with server.opened() as opened:
        yield opened


@pytest.fixture(params=["sqlite", *(["postgresql"] if postgres_programs() else [])])
def databases(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[KeptDatabases]:
    """Empty databases of both kinds for `Lives` and `AppLives`."""
    if request.param == "sqlite":
        yield SqliteFiles(tmp_path)
        return
    made = PostgresDatabases(request.getfixturevalue("postgres"))
    yield made
    made.close()


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    """Where tools are called, over a database of this test."""
    database = await open_with_own_tables(tmp_path / "bellhop.db")
    yield Desk(database, FakeClock())
    await database.close()

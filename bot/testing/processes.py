"""A gateway and a turns process, each a whole app, on one PostgreSQL database."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from bot.app import App, AppOptions, open_app
from bot.domain.models import Model
from bot.domain.processes import ProcessRole
from bot.testing.fake_chat import FakeChat
from bot.testing.kept_databases import PostgresKept, keep_in
from bot.testing.running import at_work, running


def share(home: Path, url: str) -> None:
    """Configure a home so that several processes share its database, with Discord as platform."""
    keep_in(home, PostgresKept(url))
    with (home / "bellhop.yaml").open("a") as file:
        file.write("discord: {enabled: true}\n")


@asynccontextmanager
async def gateway(home: Path, chat: FakeChat) -> AsyncGenerator[App]:
    """Run a gateway: it connects to the platform, and turns run elsewhere."""
    async with open_app(AppOptions(home, [chat], role=ProcessRole.GATEWAY)) as app:
        chat.attach(app.accept)
        async with at_work(app):
            yield app


@asynccontextmanager
async def turns(home: Path, model: Model) -> AsyncGenerator[App]:
    """Run a turns process: it connects to no platform."""
    async with running(AppOptions(home, model=model, role=ProcessRole.TURNS)) as app:
        yield app

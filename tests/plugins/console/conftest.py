"""One running home for each module; without Chromium, what needs it is left out."""

from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio
from playwright.async_api import Browser

from bot.plugins.browser.installed import executable
from bot.plugins.browser.settings import BrowserSettings
from bot.testing.console_home import Town, console_town
from tests.chromium import chromium

collect_ignore_glob = [] if executable(BrowserSettings()) else ["test_chromium*.py"]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def town(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Town]:
    async with console_town(tmp_path_factory.mktemp("console")) as running:
        yield running


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncGenerator[Browser]:
    async with chromium() as started:
        yield started

"""One Chromium for each module; where it is missing, what needs it is left out.

tests/conftest.py says so in a line.
"""

from collections.abc import AsyncGenerator

import pytest_asyncio
from playwright.async_api import Browser

from bot.plugins.browser.installed import executable
from bot.plugins.browser.settings import BrowserSettings
from tests.chromium import chromium

collect_ignore_glob = [] if executable(BrowserSettings()) else ["*/test_chromium*.py"]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncGenerator[Browser]:
    async with chromium() as started:
        yield started

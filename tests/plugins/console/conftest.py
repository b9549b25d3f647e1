"""One running home for each module."""

from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio

from bot.testing.console_home import Town, console_town


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def town(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Town]:
    async with console_town(tmp_path_factory.mktemp("console")) as running:
        yield running

"""Opens accounts at services on loopback."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from bot.testing.account_town import AccountTown, account_town


@pytest.fixture
async def town(tmp_path: Path) -> AsyncIterator[Callable[..., Awaitable[AccountTown]]]:
    """Opens a town for a service, with the arguments of `account_town`."""
    async with AsyncExitStack() as stack:

        async def open_town(service: str = "google", **given: Any) -> AccountTown:
            return await stack.enter_async_context(account_town(tmp_path, service, **given))

        yield open_town

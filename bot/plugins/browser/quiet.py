"""Waits until a page has come to rest: no request under way, and nothing says it is loading."""

import asyncio
from contextlib import suppress

from playwright.async_api import Error, Page

from bot.plugins.browser.page_scripts import BUSY

_QUIET_S = 0.25
_BEGIN_S = 1.5
_SETTLE_S = 4.0
_BUSY_S = 6.0
_LOOKS = 20


class PageQuiet:
    """Counts the requests of a session."""

    def __init__(self) -> None:
        self._in_flight = 0
        self._stirred = asyncio.Event()

    def began(self, _request: object) -> None:
        self._in_flight += 1
        self._stirred.set()

    def ended(self, _request: object) -> None:
        self._in_flight = max(0, self._in_flight - 1)
        self._stirred.set()

    async def network(self, *, sending: bool = False) -> None:
        """Until the network is quiet for a moment, or a busy page's time is up.

        A step that may send gets longer to begin: after it, nothing may leave any more.
        """
        quiet_s = _BEGIN_S if sending else _QUIET_S
        with suppress(TimeoutError):
            async with asyncio.timeout(_SETTLE_S):
                while True:
                    self._stirred.clear()
                    try:
                        async with asyncio.timeout(quiet_s):
                            await self._stirred.wait()
                        quiet_s = _QUIET_S
                    except TimeoutError:
                        if self._in_flight == 0:
                            return

    async def content(self, page: Page) -> None:
        """Until a page no longer says that it is loading, or its time is up."""
        with suppress(Error, TimeoutError):
            async with asyncio.timeout(_BUSY_S):
                for _ in range(_LOOKS):
                    if not await page.evaluate(BUSY):
                        return
                    await asyncio.sleep(_BUSY_S / _LOOKS)

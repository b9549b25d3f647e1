"""Chromium through Playwright: one process, and a context of its own for each session."""

import asyncio
import logging
import os
import tempfile
from contextlib import suppress
from pathlib import Path

from playwright.async_api import (
    Browser,
    BrowserContext,
    Error,
    Playwright,
    ProxySettings,
    StorageState,
    async_playwright,
)
from playwright.async_api import TimeoutError as PlaywrightTimeout

from bot.plugin.tools import ToolError
from bot.plugins.browser.guard import BrowserGuard
from bot.plugins.browser.installed import executable
from bot.plugins.browser.settings import BrowserSettings

log = logging.getLogger(__name__)

_ARGUMENTS = (
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--dns-prefetch-disable",
    "--disable-breakpad",
)
BROWSER_ERRORS = (Error, OSError, TimeoutError)
_START_S = 20.0
VIEWPORT = (1_280, 900)


class Chromium:
    """Started with the first session, and again after it ended by itself."""

    def __init__(self, settings: BrowserSettings, start_s: float = _START_S) -> None:
        """`start_s` is how long one try to start or to reach the browser may take, in seconds."""
        self._settings = settings
        self._start_s = start_s
        self._playwright: Playwright | None = None
        self._browser: Browser | None = None
        self._home: tempfile.TemporaryDirectory[str] | None = None
        self._starting = asyncio.Lock()

    async def context(self, guard: BrowserGuard, state: StorageState | None) -> BrowserContext:
        """A context that knows nothing of the others and reaches the network through `guard` alone.

        Raises ToolError when the browser can't be had.
        """
        try:
            browser = await self._running()
            proxy = ProxySettings(
                server=guard.address,
                username="bellhop",
                password=guard.password,
                bypass="<-loopback>",
            )
            return await browser.new_context(
                proxy=proxy,
                storage_state=state,
                service_workers="block",
                accept_downloads=True,
                viewport={"width": VIEWPORT[0], "height": VIEWPORT[1]},
            )
        except (Error, OSError, TimeoutError) as error:
            log.warning("error=<%s> | the browser can't be started", error)
            raise ToolError(
                "the browser can't be started; the log tells the operator why. Go on without it"
            ) from error

    async def close(self) -> None:
        browser, self._browser = self._browser, None
        playwright, self._playwright = self._playwright, None
        with suppress(Error, OSError):
            if browser is not None:
                await browser.close()
        with suppress(Error, OSError):
            if playwright is not None:
                await playwright.stop()
        if self._home is not None:
            await asyncio.to_thread(self._home.cleanup)
            self._home = None

    async def _running(self) -> Browser:
        async with self._starting:
            if self._browser is not None and self._browser.is_connected():
                return self._browser
            try:
                browser = await self._started()
            except PlaywrightTimeout as error:
                # A browser that is just closing another session may never answer a new one.
                log.warning("error=<%s> | the browser didn't answer, trying again", error)
                browser = await self._started()
            log.info("version=<%s> | the browser started", browser.version)
            return browser

    async def _started(self) -> Browser:
        await self.close()
        self._playwright = await async_playwright().start()
        self._browser = await self._launch(self._playwright)
        return self._browser

    async def _launch(self, playwright: Playwright) -> Browser:
        settings = self._settings
        if settings.cdp_url:
            return await playwright.chromium.connect_over_cdp(
                settings.cdp_url, timeout=self._start_s * 1_000
            )
        self._home = await asyncio.to_thread(_folder)
        environment = {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": self._home.name,
            "LANG": "C.UTF-8",
        }
        return await playwright.chromium.launch(
            executable_path=executable(settings),
            chromium_sandbox=settings.sandbox,
            args=list(_ARGUMENTS),
            env={**environment},
            downloads_path=Path(self._home.name) / "downloads",
            timeout=self._start_s * 1_000,
            handle_sigint=False,
            handle_sigterm=False,
            handle_sighup=False,
        )


def _folder() -> "tempfile.TemporaryDirectory[str]":
    return tempfile.TemporaryDirectory(prefix="bellhop-browser-", ignore_cleanup_errors=True)

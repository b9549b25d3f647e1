"""All open sessions of an installation: one for each profile, closed when unused."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Collection
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

from playwright.async_api import StorageState

from bot.plugin.plugin import Clock
from bot.plugin.services import WebClient
from bot.plugin.tables import StorageError
from bot.plugin.tools import ToolContext, ToolError
from bot.plugins.browser.chromium import BROWSER_ERRORS, Chromium
from bot.plugins.browser.guard import BrowserGuard, own_address
from bot.plugins.browser.profiles import BrowserProfile, BrowserProfiles
from bot.plugins.browser.session import BrowserSession
from bot.plugins.browser.settings import BrowserSettings

log = logging.getLogger(__name__)

_LOOK_S = 30.0
_MOST_OPEN = 4
_IDLE_S = 30 * 60.0


class BrowserSessions:
    """Opens a session when a call needs it.

    No person, agent or place can reach another's session.
    """

    def __init__(self, settings: BrowserSettings, web: WebClient, root: Path, clock: Clock) -> None:
        self._settings = settings
        self._web = web
        self._clock = clock
        self._chromium = Chromium(settings)
        self._profiles = BrowserProfiles(root)
        self._open: dict[BrowserProfile, BrowserSession] = {}
        self._opening = asyncio.Lock()

    @property
    def count(self) -> int:
        return len(self._open)

    @asynccontextmanager
    async def use(self, context: ToolContext) -> AsyncGenerator[BrowserSession]:
        """The caller's session, locked for one call; its logins are saved afterwards.

        Raises ToolError.
        """
        profile = BrowserProfile.of(context)
        async with self._opening:
            session = await self._session(profile)
            session.used_at = self._clock.monotonic()
        async with session.lock:
            session.begin(
                lambda host: all(limit.allows_host(host) for limit in context.confinements)
            )
            try:
                yield session
            finally:
                session.used_at = self._clock.monotonic()
                await self._keep(profile, session)

    async def run(self) -> None:
        """Close unused sessions; when cancelled, close all."""
        try:
            while True:
                await self._clock.sleep(_LOOK_S)
                await self.close_unused()
        finally:
            await self.close()

    async def close_unused(self) -> None:
        """Close sessions unused for half an hour, and the browser after the last one."""
        since = self._clock.monotonic() - _IDLE_S
        async with self._opening:
            for profile, session in list(self._open.items()):
                if session.used_at <= since and not session.lock.locked():
                    await self._close(profile)
            if not self._open:
                await self._chromium.close()

    async def close(self) -> None:
        """Close every session and the browser."""
        async with self._opening:
            for profile in list(self._open):
                await self._close(profile)
            await self._chromium.close()

    async def holding(self, persons: Collection[str]) -> Collection[str]:
        """Those of these people who have a profile, saved or open now."""
        opened = {profile.person for profile in self._open}.intersection(persons)
        return opened | await asyncio.to_thread(self._profiles.holding, persons)

    async def move(self, earlier: str, person: str) -> None:
        """From now on everything of one person id belongs to another."""
        async with self._opening:
            for profile in [one for one in self._open if one.person in {earlier, person}]:
                await self._close(profile)
            await asyncio.to_thread(self._profiles.move, earlier, person)

    async def _session(self, profile: BrowserProfile) -> BrowserSession:
        session = self._open.get(profile)
        if session is not None and session.alive:
            return session
        if session is not None:
            await self._close(profile)
        while len(self._open) >= _MOST_OPEN:
            unused = [
                (one.used_at, key) for key, one in self._open.items() if not one.lock.locked()
            ]
            if not unused:
                raise ToolError("every browser session is in use now; try again in a minute")
            await self._close(min(unused, key=lambda each: each[0])[1])
        host = await asyncio.to_thread(own_address, self._settings.cdp_url)
        guard = BrowserGuard(self._web, host)
        session = BrowserSession(self._chromium, guard, self._settings)
        try:
            await session.open(
                cast("StorageState | None", await asyncio.to_thread(self._profiles.load, profile))
            )
        except BaseException:
            await session.close()
            raise
        self._open[profile] = session
        return session

    async def _close(self, profile: BrowserProfile) -> None:
        session = self._open.pop(profile)
        await session.close()

    async def _keep(self, profile: BrowserProfile, session: BrowserSession) -> None:
        try:
            state = await session.state()
            if state is not None and not await asyncio.to_thread(
                self._profiles.save, profile, state
            ):
                log.warning(
                    "person=<%s> | the state of a browser session is too large to be kept",
                    profile.person,
                )
        except (StorageError, *BROWSER_ERRORS) as error:
            log.warning(
                "person=<%s>, error=<%s> | the logins of a session were not kept",
                profile.person,
                error,
            )

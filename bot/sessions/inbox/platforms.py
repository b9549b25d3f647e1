"""Supervises the chat adapters: restarts one that ends, fails or falls silent.

`Checkup` looks once at all running parts: for /health, `bellhop doctor --live` and /status.

See docs/rules.md#supervision.
"""

import asyncio
import logging
from collections.abc import Sequence
from typing import Protocol

from bot import __version__
from bot.domain.chat import Accept, Alive, Probed, Skips
from bot.domain.clock import Clock
from bot.domain.database import Database
from bot.domain.health import Health, Liveness, PlatformState
from bot.errors import BotError, DeliveryError, StorageError
from bot.sessions.outbox.outbox_store import count_pending
from bot.turns.engine import TurnEngine

log = logging.getLogger(__name__)

RESTART_S = (1.0, 2.0, 5.0, 15.0, 60.0)
"""Waits between restarts of an adapter."""
DEAF_AFTER_S = 120.0
"""A platform that is silent for this long counts as deaf: each sends something every minute."""
PROBE_S = 10.0
"""The time limit for a platform to answer a probe."""
LEAVE_S = 10.0
"""After this time the log says that an adapter does not end."""


class Supervised(Protocol):
    """What is run: an adapter, or the line to a platform that this process may hold."""

    @property
    def platform(self) -> str: ...

    async def run(self, accept: Accept) -> None:
        """Serve until cancelled; when it returns or raises, it is started again."""
        ...


class Platforms:
    """All platforms of this process; one that is down never stops the others."""

    def __init__(self, adapters: Sequence[Supervised], clock: Clock) -> None:
        self._supervised = [_Watched(adapter, clock) for adapter in adapters]

    async def run(self, accept: Accept) -> None:
        """Run all platforms until cancelled."""
        async with asyncio.TaskGroup() as group:
            for supervised in self._supervised:
                group.create_task(supervised.run(accept))

    def liveness(self) -> tuple[Liveness, ...]:
        """The current evidence, in the order of the adapters."""
        return tuple(supervised.liveness() for supervised in self._supervised)

    async def probe(self) -> None:
        """Probe every platform that supports it."""
        await asyncio.gather(*(supervised.probe() for supervised in self._supervised))


class _Watched:
    """One adapter and its evidence."""

    def __init__(self, adapter: Supervised, clock: Clock) -> None:
        self._adapter = adapter
        self._clock = clock
        self._state = PlatformState.STARTING
        self._deaf = False
        self._started = clock.monotonic()
        self._probed: float | None = None
        self._restarts = 0
        self._trouble = ""

    def liveness(self) -> Liveness:
        age = self._age()
        deaf = self._judge(age)
        probed = None if self._probed is None else self._clock.monotonic() - self._probed
        return Liveness(
            platform=self._adapter.platform,
            state=PlatformState.DEAF if deaf else self._state,
            last_frame_age_s=age,
            last_probe_age_s=probed,
            restarts=self._restarts,
            unreadable=self._adapter.skipped() if isinstance(self._adapter, Skips) else 0,
            trouble=self._trouble,
        )

    async def run(self, accept: Accept) -> None:
        failures = 0
        while True:
            self._started = self._clock.monotonic()
            self._state = PlatformState.SERVING
            self._trouble = await self._serve(accept)
            self._state = PlatformState.RESTARTING
            served = self._clock.monotonic() - self._started
            failures = 0 if served > RESTART_S[-1] else failures + 1
            await self._clock.sleep(RESTART_S[min(failures, len(RESTART_S) - 1)])
            self._restarts += 1

    async def probe(self) -> None:
        """Probe the platform if it supports that; a refusal is logged."""
        if not isinstance(self._adapter, Probed):
            return
        try:
            async with asyncio.timeout(PROBE_S):
                await self._adapter.probe()
        except (DeliveryError, TimeoutError) as error:
            log.warning(
                "platform=<%s>, error=<%s> | does not answer", self._adapter.platform, error
            )
        except Exception:
            log.exception("platform=<%s> | the probe failed", self._adapter.platform)
        else:
            self._probed = self._clock.monotonic()

    # --- one run of the adapter ---

    async def _serve(self, accept: Accept) -> str:
        """Run the adapter until it ends, fails or is deaf; returns the reason for a restart."""
        platform = self._adapter.platform
        serving = asyncio.create_task(self._adapter.run(accept), name=f"platform-{platform}")
        watching = asyncio.create_task(self._until_deaf(), name=f"watch-{platform}")
        try:
            await asyncio.wait({serving, watching}, return_when=asyncio.FIRST_COMPLETED)
            if serving.done():
                return self._ended(serving)
            log.error(
                "platform=<%s>, age=<%.0f> | nothing arrived for too long; restarting the adapter",
                platform,
                self._age() or 0,
            )
            return "deaf"
        finally:
            watching.cancel()
            await self._end(serving)

    def _ended(self, serving: asyncio.Task[None]) -> str:
        platform = self._adapter.platform
        gone = asyncio.CancelledError("cancelled from within")
        error = gone if serving.cancelled() else serving.exception()
        if error is None:
            log.warning("platform=<%s> | the adapter ended; restarting it", platform)
            return "ended"
        if not isinstance(error, Exception | asyncio.CancelledError):
            raise error
        if isinstance(error, BotError):  # foreseen: its words say what happened, and what to do
            log.error(
                "platform=<%s>, error=<%s> | the adapter failed; restarting it", platform, error
            )
        else:
            log.error("platform=<%s> | the adapter failed; restarting it", platform, exc_info=error)
        return f"{type(error).__name__}: {error}"

    async def _end(self, serving: asyncio.Task[None]) -> None:
        """Wait until the old client is gone: a platform never has two at once.

        Cancels repeatedly, because a library may lose a cancellation that comes as its wait ends.
        """
        while not serving.done():
            serving.cancel()
            await asyncio.wait({serving}, timeout=LEAVE_S)
            if not serving.done():
                platform = self._adapter.platform
                log.error("platform=<%s> | the adapter did not stop in time", platform)
        if not serving.cancelled():
            # read the result, so that asyncio doesn't warn about an exception during the end
            serving.exception()

    # --- evidence ---

    async def _until_deaf(self) -> None:
        """Return when nothing has arrived for too long in this run of the adapter.

        Half-way there the platform is probed. A silence from before this run ends no run that has
        only begun: its adapter may still load its library, or ask who it is.
        """
        half = DEAF_AFTER_S / 2
        while (age := self._silence()) is None or age < DEAF_AFTER_S:
            self._judge(age)
            if age is None or age < half:
                await self._clock.sleep(max(half - (age or 0.0), 1.0))
                continue
            await self.probe()
            await self._clock.sleep(max(DEAF_AFTER_S - age, 1.0))

    def _silence(self) -> float | None:
        age = self._age()
        return None if age is None else min(age, self._clock.monotonic() - self._started)

    def _age(self) -> float | None:
        return self._adapter.last_frame() if isinstance(self._adapter, Alive) else None

    def _judge(self, age: float | None) -> bool:
        """Deaf after too long a silence, until an event newer than the restart arrives."""
        if age is None:
            return self._deaf
        if age >= DEAF_AFTER_S:
            self._deaf = True
        elif self._deaf and self._state is PlatformState.SERVING:
            self._deaf = age >= self._clock.monotonic() - self._started - 1.0
        return self._deaf


PATIENCE_S = 5.0
"""The time limit for the database's answer."""


class Checkup:
    """Looks at the engine, the database and the platforms of this process."""

    def __init__(
        self, database: Database, engine: TurnEngine, platforms: Platforms, clock: Clock
    ) -> None:
        self.database, self.engine = database, engine
        self.platforms, self.clock = platforms, clock
        self._started = clock.monotonic()

    async def look(self, *, probe: bool = False) -> Health:
        """The current state. `probe`: ask the platforms first, which takes up to 10 seconds."""
        if probe:
            await self.platforms.probe()
        running = waiting = pending = 0
        ok = True
        try:
            async with asyncio.timeout(PATIENCE_S):
                running, waiting = await self.engine.load()
                pending = await count_pending(self.database)
        except (StorageError, TimeoutError) as error:
            log.error("error=<%s> | the database does not answer", error)  # noqa: TRY400 - the next look comes soon
            ok = False
        uptime = self.clock.monotonic() - self._started
        return Health(__version__, uptime, ok, running, waiting, pending, self.platforms.liveness())

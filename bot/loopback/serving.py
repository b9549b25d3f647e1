"""What loopback services share: a port of this machine, waiting, and faults of calls."""

import asyncio
from abc import abstractmethod
from collections import defaultdict, deque
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Generic, Protocol, Self, TypeVar

from aiohttp import web

from bot.plugin.clock import Clock

F = TypeVar("F")
LOOK_S = 0.05
"""How often `until` checks at least, because changes inside the app make no request."""


@asynccontextmanager
async def serving(application: web.Application, port: int = 0) -> AsyncGenerator[str]:
    """Serve on this machine alone until the block ends; gives the host and the port.

    Raises OSError if the port is taken.
    """
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.2)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", port).start()
        yield f"127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


class LoopbackService(Protocol):
    """A server that runs inside `async with`."""

    @abstractmethod
    def served(self) -> AbstractAsyncContextManager[None]:
        """Serve until the block ends. Raises AssertionError for what the client did wrong."""
        ...

    _served: AbstractAsyncContextManager[None]

    async def __aenter__(self) -> Self:
        self._served = self.served()
        await self._served.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool | None:
        return await self._served.__aexit__(kind, error, trace)


async def until(
    predicate: Callable[[], Any], changed: asyncio.Event, state: Callable[[], str], seconds: float
) -> Any:
    """Wait until this holds, checking after each change. Raises TimeoutError with the state."""
    try:
        async with asyncio.timeout(seconds):
            while not (found := predicate()):
                changed.clear()
                with suppress(TimeoutError):
                    await asyncio.wait_for(changed.wait(), LOOK_S)
            return found
    except TimeoutError:
        raise TimeoutError(f"never came true; {state()}") from None


class CallWindows:
    """How many calls a platform took lately."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._taken: defaultdict[str, deque[float]] = defaultdict(deque)

    def wait_s(self, *windows: tuple[str, int, float]) -> int:
        """Seconds until a call fits: a key, so many calls, in so many seconds. 0: it counts now."""
        now = self._clock.monotonic()
        for key, most, seconds in windows:
            taken = self._taken[key]
            while taken and now - taken[0] >= seconds:
                taken.popleft()
            if len(taken) >= most:
                return max(1, round(taken[0] + seconds - now))
        for key, _, _ in windows:
            self._taken[key].append(now)
        return 0


def cut(request: web.Request) -> web.Response:
    """Cut the connection of a request: its client gets no answer."""
    if request.transport is not None:
        request.transport.abort()
    return web.Response()


# --- ways in which platforms fail alike, each as the client sees it on the wire ---


@dataclass(frozen=True)
class Reset:
    """The connection is reset before anything is processed. `then` is called at that moment."""

    then: Callable[[], None] = field(default=lambda: None, repr=False)


@dataclass(frozen=True)
class CutAfter:
    """The call is processed, and then the connection is cut: the client can't know.

    `then` is called at that moment.
    """

    then: Callable[[], None] = field(default=lambda: None, repr=False)


@dataclass(frozen=True)
class Delay:
    """The answer comes only once `go` is set."""

    go: asyncio.Event


@dataclass
class FaultQueues(Generic[F]):
    """Pending faults, by method in whichever case."""

    waiting: dict[str, list[F]] = field(default_factory=lambda: defaultdict[str, list[F]](list))

    def add(self, method: str, *faults: F) -> None:
        self.waiting[method.lower()].extend(faults)

    def take(self, method: str) -> F | None:
        queue = self.waiting[method.lower()]
        return queue.pop(0) if queue else None

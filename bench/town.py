"""A day of a large installation: 10,000 channels in 2,000 workspaces, in minutes.

    python bench/town.py [--database postgresql] [--channels 10000] [--workspaces 2000]

The whole program runs on a clock that leaps from hour to hour. In the day every channel gets a
message and some get more; each turn makes one tool call. Platform and model are stand-ins that take
no time, and all channels are served by one process. Then it stops, messages come in, and it starts
again. With PostgreSQL the server runs beside it, with fsync on. Its own CPU is not counted.
"""

import argparse
import asyncio
import ctypes
import gc
import itertools
import os
import random
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Callable, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import uvloop
from answering import AnsweringModel
from figures import Figures

from bot.app import App, AppOptions, open_app
from bot.domain.messages import IncomingMessage, Place, Receipt, ReplyTarget
from bot.domain.models import ModelDelta, ModelReply, ModelRequest
from bot.testing.fake_chat import FakeChat
from bot.testing.kept_databases import PostgresKept, keep_in
from bot.testing.leaping_clock import LeapingClock
from bot.testing.postgres_server import PostgresServer, postgres_server

BEGIN = datetime(2026, 11, 23, 0, 0, tzinfo=UTC)
SETTINGS = "budgets: {per_guest_day: {model_calls: 0}, strangers_day: {model_calls: 0}}\n"
HOURS = 24
AT_ONCE = 200
"""So many messages come in before their answers are waited for."""
BYTES_PER_TOKEN = 4
WAITING = 1_000
"""Messages that came in while it was away."""
PATIENCE_S = 3_600
FILLED = 0.75
"""After so much of the day the caches of conversations are full; before, they grow by design."""
MOST_IDLE_BYTES = 4_096.0
MOST_MB = 256.0
"""With the caches: two of 48 MB, in whose place idle conversations come and go."""
MOST_GROWTH = 1.3
"""A turn must not cost more because the home has more channels and messages."""
_OPEN = "SELECT 1 FROM inbox WHERE settled_at IS NULL LIMIT 1"


class TownModel(AnsweringModel):
    """Counts what the model is sent; keeps nothing of it."""

    def __init__(self) -> None:
        super().__init__("current_time", {})
        self.calls = self.bytes = 0

    async def sample(
        self, request: ModelRequest, on_delta: Callable[[ModelDelta], None]
    ) -> ModelReply:
        if request.answer_schema is not None:
            return self.structure(request)
        reply = await super().sample(request, on_delta)
        self.calls += 1
        self.bytes += self.sent
        return reply


class ForgetfulChat(FakeChat):
    """Keeps nothing once all is settled, and says that it shows each post."""

    def forget(self) -> None:
        self.posts.clear()
        self.lives.clear()
        self._keys.clear()

    async def shows(self, target: ReplyTarget, receipt: Receipt) -> bool:
        return True


@dataclass(frozen=True)
class Town:
    """Who is there: channels numbered from 0, spread over the workspaces."""

    channels: int
    workspaces: int

    def message(
        self, chat: FakeChat, channel: int, number: int, clock: LeapingClock
    ) -> IncomingMessage:
        """Somebody of the channel's workspace mentions Bellhop there."""
        who = f"p{channel % (3 * self.workspaces)}"
        plain = chat.message(
            who,
            "what time is it?",
            where=f"c{channel}",
            place=Place.CHANNEL,
            key=f"m{number}",
            at=clock.now(),
        )
        place = replace(plain.conversation, workspace=f"w{channel % self.workspaces}")
        return replace(plain, conversation=place, reply_to=ReplyTarget(place))

    def day(self, more: int) -> list[int]:
        """The channels in the order in which they speak; a few speak most."""
        draw = random.Random(1)  # noqa: S311 - a town, not a secret
        busy = max(1, self.channels // 50)
        order = [*range(self.channels), *(draw.randrange(busy) for _ in range(more))]
        draw.shuffle(order)
        return order


class Home:
    """The home of one measurement, and its database."""

    def __init__(self, folder: Path, server: PostgresServer | None) -> None:
        self.folder = folder
        self.chat = ForgetfulChat()
        self.clock = LeapingClock(BEGIN)
        self._server = server
        self._name = ""
        (folder / "bellhop.yaml").write_text(SETTINGS)
        if server is not None:
            for setting in ("fsync = on", "full_page_writes = on", "autovacuum = on"):
                server.run_sql("postgres", f"ALTER SYSTEM SET {setting}")
            server.run_sql("postgres", "SELECT pg_reload_conf()")
            self._name = server.database()
            keep_in(folder, PostgresKept(server.url(self._name)))

    @property
    def megabytes(self) -> float:
        """The size of the database."""
        if self._server is not None:
            return (
                int(self._server.run_sql(self._name, "SELECT pg_database_size(current_database())"))
                / 1e6
            )
        return sum(path.stat().st_size for path in (self.folder / "data").glob("bellhop.db*")) / 1e6

    @asynccontextmanager
    async def opened(self, model: TownModel, *, runs: bool = True) -> AsyncGenerator[App]:
        """A process from start to end."""
        async with open_app(AppOptions(self.folder, [self.chat], model, self.clock)) as app:
            self.chat.attach(app.accept)
            running = asyncio.create_task(app.run(), name="app") if runs else None
            try:
                yield app
            finally:
                if running is not None:
                    running.cancel()
                    with suppress(asyncio.CancelledError):
                        await running

    async def settled(self, app: App) -> None:
        """Until everything is answered. What was posted is forgotten."""
        async with asyncio.timeout(PATIENCE_S):
            while await app.database.read(_OPEN):  # noqa: ASYNC110 - nobody tells of rows
                await asyncio.sleep(0.02)
        self.chat.forget()


def resident_mb() -> float:
    """Memory of this process, after what is free was given back."""
    gc.collect()
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


async def day(figures: Figures, home: Home, town: Town, more: int) -> None:
    """Each hour's messages come at its beginning, so an hour is as busy as it can be."""
    model = TownModel()
    numbers = itertools.count(1)
    async with home.opened(model) as app:
        for channel in range(50):  # what is loaded once is loaded
            await home.chat.deliver(town.message(home.chat, channel, next(numbers), home.clock))
        await home.settled(app)
        first, size = resident_mb(), home.megabytes
        figures.told("memory of the process at its start", f"{first:.0f} MB")
        model.calls = model.bytes = 0
        order = town.day(more)
        per_hour = -(-len(order) // HOURS)
        wall, cpu, rates, costs = 0.0, 0.0, list[float](), list[float]()
        filled, told = 0.0, set[int]()
        for at in range(0, len(order), per_hour):
            if not told and at >= FILLED * len(order):
                filled, told = resident_mb(), set(order[:at])
            began, spent = time.perf_counter(), time.process_time()
            hour = order[at : at + per_hour]
            for part in range(0, len(hour), AT_ONCE):
                for channel in hour[part : part + AT_ONCE]:
                    await home.chat.deliver(
                        town.message(home.chat, channel, next(numbers), home.clock)
                    )
                await home.settled(app)
            wall += (took := time.perf_counter() - began)
            cpu += (used := time.process_time() - spent)
            rates.append(len(hour) / took)
            costs.append(used * 1000 / len(hour))
            await home.clock.advance(3600)
        await home.clock.advance(3600)
        await asyncio.sleep(2)
        last, turns = resident_mb(), len(order)
        grown = (last - filled) * 1e6 / len(set(order) - told)
        figures.told("turns of the day", f"{turns:,} in {wall:.0f} s")
        figures.told("turns per second, first and last hour", f"{rates[0]:.0f} and {rates[-1]:.0f}")
        figures.told("CPU per turn", f"{cpu / turns * 1000:.1f} ms")
        early, late = sum(costs[1:4]) / 3, sum(costs[-3:]) / 3
        change = f"({early:.1f} → {late:.1f} ms)"
        what = "CPU per turn, late in the day times early"
        figures.at_most(what, late / early, MOST_GROWTH, more=change)
        figures.at_most("memory at the end", last, MOST_MB, "MB")
        what = "memory per idle conversation, caches being full"
        figures.at_most(what, grown, MOST_IDLE_BYTES, "bytes", f"({filled:.0f} → {last:.0f} MB)")
        grew = home.megabytes - size
        figures.told(
            "size of the database",
            f"{home.megabytes:.0f} MB ({grew * 1000 / turns:.1f} KB per turn)",
        )
        figures.told("per 1,000 turns: CPU", f"{cpu / turns * 1000:.1f} s")
        figures.told("per 1,000 turns: database", f"{grew / turns * 1000:.0f} MB")
        figures.told(
            "per 1,000 turns: model",
            f"{model.calls / turns * 1000:,.0f} calls,"
            f" {model.bytes / turns / BYTES_PER_TOKEN / 1000:.1f} million tokens read (estimated)",
        )


async def restart(figures: Figures, home: Home, town: Town, waiting: int) -> None:
    """It starts with nothing to do, and with messages that came in while it was away."""
    model = TownModel()

    async def started() -> tuple[float, float]:
        began = time.perf_counter()
        async with home.opened(model) as app:
            opened = time.perf_counter() - began
            await home.settled(app)
            return opened, time.perf_counter() - began

    empty, _ = await started()
    numbers = itertools.count(10_000_000)
    async with home.opened(model, runs=False):
        for channel in range(min(waiting, town.channels)):
            await home.chat.deliver(town.message(home.chat, channel, next(numbers), home.clock))
    opened, done = await started()
    figures.told("start with nothing to do", f"{empty:.1f} s")
    figures.told(f"start with {waiting:,} messages that wait", f"{opened:.1f} s")
    figures.told(
        "until all of them are answered", f"{done:.1f} s ({waiting / done:.0f} per second)"
    )


@contextmanager
def server_for(database: str) -> Generator[PostgresServer | None]:
    if database == "sqlite":
        yield None
        return
    with postgres_server() as server:
        if server is None:
            sys.exit("PostgreSQL is not installed here")
        yield server


async def measure(
    figures: Figures, arguments: argparse.Namespace, server: PostgresServer | None
) -> None:
    town = Town(arguments.channels, arguments.workspaces)
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder), server)
        await day(figures, home, town, arguments.more)
        await restart(figures, home, town, min(WAITING, town.channels))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument("--channels", type=int, default=10_000)
    parser.add_argument("--workspaces", type=int, default=2_000)
    parser.add_argument("--more", type=int, default=2_000, help="Turns beyond one in each channel.")
    chosen = parser.parse_args(arguments)
    figures = Figures()
    with server_for(chosen.database) as server:
        uvloop.run(measure(figures, chosen, server))
    return figures.close()


if __name__ == "__main__":
    sys.exit(main())

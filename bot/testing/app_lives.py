"""Consecutive lives of a whole Bellhop on one home; each ends cleanly or at a chosen write."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from bot.app import App, AppOptions, open_app
from bot.domain.database import Database
from bot.domain.models import Model
from bot.testing.crash_points import CrashingDatabase, CrashPoint, ProcessGone
from bot.testing.fake_chat import FakeChat
from bot.testing.fake_clock import FakeClock, settle
from bot.testing.people_acts import PeopleActs
from bot.testing.waiting import until
from bot.turns.unsettled_store import read_open

PATIENCE_S = 60
"""Real seconds after which a wait of a test fails."""

DRAIN_S = 60
"""Seconds by which the clock advances at the end, which bounds the wait for running turns."""


@dataclass
class AppLife(PeopleActs):
    """One running process."""

    app: App
    chat: FakeChat
    database: CrashingDatabase

    async def settle(self) -> None:
        """Wait until everything accepted is settled or waits for a person.

        Raises ProcessGone when the process has ended.
        """
        try:
            async with asyncio.timeout(PATIENCE_S):
                await until(lambda: not self.app.engine.busy)
                while await self._unsettled():
                    await until(lambda: not self.app.engine.busy)
                await settle()
                self.database.alive()
        except TimeoutError:
            raise TimeoutError(
                f"stuck with {await self._unsettled()}; posted: {self.chat.texts}"
            ) from None

    async def quiet(self) -> None:
        await self.settle()

    async def _unsettled(self) -> list[str]:
        return [
            f"{work.session} {work.state}"
            for work in await read_open(self.database)
            if work.state != "waiting"
        ]


PersonAct = Callable[[AppLife], Awaitable[object]]
"""An act of a person.

It is repeated if the process ended before accepting it, so its key must be fixed.
"""


class AppLives:
    """What outlives a process: the home, the platforms, the model's server and the clock."""

    def __init__(self, home: Path, chat: FakeChat | None = None, *others: FakeChat) -> None:
        self.home = home
        self.chat = chat or FakeChat()
        self.chats = (self.chat, *others)
        self.clock = FakeClock()
        self._database: CrashingDatabase | None = None
        for one in self.chats:
            one.refuse = self._refuse

    @property
    def commits(self) -> list[str]:
        """Return the names of the writes that the last life made."""
        return self._database.commits if self._database is not None else []

    def alive(self) -> None:
        """Raise ProcessGone if the current life's process has ended."""
        if self._database is not None:
            self._database.alive()

    def kill(self) -> None:
        """End the current life's process at once, by raising ProcessGone."""
        if self._database is not None:
            self._database.gone = True
        raise ProcessGone

    def _refuse(self, _message: object) -> None:
        self.alive()

    @asynccontextmanager
    async def life(
        self, model: Model, point: CrashPoint | None = None, early: Sequence[PersonAct] = ()
    ) -> AsyncGenerator[AppLife]:
        """Run a process from start to end.

        A crash inside ends the block without an error; `gone` of its database tells of it.
        Only the `early` acts happen before it runs turns, so every life makes the same writes.
        """
        databases: list[CrashingDatabase] = []

        def wrap(database: Database) -> Database:
            databases.append(CrashingDatabase(database, point))
            return databases[-1]

        options = AppOptions(self.home, self.chats, model, self.clock, wrap_database=wrap)
        with suppress(ProcessGone):
            async with open_app(options) as app:
                self._database = databases[-1]
                for one in self.chats:
                    one.attach(app.accept)
                life = AppLife(app, self.chat, self._database)
                with suppress(ProcessGone):
                    for act in early:
                        await act(life)
                task = asyncio.create_task(app.run(), name="app")
                try:
                    await until(lambda: app.engine.started or databases[-1].gone or task.done())
                    yield life
                finally:
                    task.cancel()
                    await settle()
                    await self.clock.advance(DRAIN_S)
                    await ended(task)

    async def play(
        self,
        model: Model,
        acts: Sequence[PersonAct],
        point: CrashPoint | None = None,
        *,
        early: bool = False,
    ) -> bool:
        """Let people act, each once the act before is settled; True if it crashed at `point`.

        With `early` the first act happens before any turn can run. After a crash the next process
        begins with the act that may not have been accepted.
        """
        done = 0
        crashed = False
        for crash in (point, None):
            async with self.life(model, crash, acts[:1] if early and not done else ()) as life:
                await life.settle()
                done = done or int(early)
                while done < len(acts):
                    await acts[done](life)
                    await life.settle()
                    done += 1
            crashed = crashed or (self._database is not None and self._database.gone)
            if not crashed:
                break
        return crashed


async def ended(task: asyncio.Task[None]) -> None:
    """Wait for an app to end, ignoring ProcessGone."""
    try:
        await task
    except (asyncio.CancelledError, ProcessGone):
        return
    except BaseExceptionGroup as errors:
        _, others = errors.split((ProcessGone, asyncio.CancelledError))
        if others is not None:
            raise others from None

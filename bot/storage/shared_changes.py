"""Notices changes by other processes of a database before the data is used.

Some rows are kept in memory: sealed tokens, the list of collections, who may read them. PostgreSQL
counts the changes of their tables by topic (triggers; table `changes`). The topic of the tables of
a plug-in is its name. A process compares the numbers at the beginning of each turn, before each
tool call and for each message, and reads again what has changed. Files with access rules are
checked as often.

With SQLite one process has the database, so nothing is read.
"""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from bot.domain.clock import Clock
from bot.domain.database import Database, Unit, Write
from bot.errors import StorageError

log = logging.getLogger(__name__)

LOOK_S = 2.0
"""Seconds between two checks of an idle process."""

ACCOUNTS = "accounts"
CUSTOM_SKILLS = "custom_skills"
DEFINITIONS = "definitions"
LIVES = "lives"
OUTBOX = "outbox"

Reload: TypeAlias = Callable[[], Awaitable[object]]


class SharedChanges:
    """The changes of one database. `shared`: whether other processes work on it."""

    def __init__(self, database: Database, clock: Clock, *, shared: bool) -> None:
        self.shared = shared
        self._database = database
        self._clock = clock
        self._reloads: defaultdict[str, list[Reload]] = defaultdict(list)
        self._looks: list[Reload] = []
        self._numbers: dict[str, int] = {}
        self._one_at_a_time = asyncio.Lock()
        self._asked = self._answered = 0

    def on_change(self, topic: str, reload: Reload) -> None:
        """Call `reload` when a topic changed, here or elsewhere; twice does no harm."""
        self._reloads[topic].append(reload)

    def look_at(self, reload: Reload) -> None:
        """Call `reload` each time: it finds out by itself whether a file changed."""
        self._looks.append(reload)

    async def tell(self, topic: str) -> None:
        """A file changed that a topic stands for. Raises StorageError."""
        if self.shared:
            await self._database.write(
                Unit.of(
                    Write(
                        "INSERT INTO changes (topic, number) VALUES (?, 1)"
                        " ON CONFLICT (topic) DO UPDATE SET number = changes.number + 1",
                        (topic,),
                    )
                )
            )

    async def catch_up(self) -> None:
        """Read again what has changed until now; those who ask together share one look.

        Raises StorageError.
        """
        if not self.shared:
            return
        self._asked += 1
        number = self._asked
        async with self._one_at_a_time:
            if self._answered >= number:
                return
            covered = self._asked
            await self._look()
            self._answered = covered

    async def run(self) -> None:
        """Check at intervals until cancelled, because some readers don't run in turns."""
        while self.shared:
            try:
                await self.catch_up()
            except StorageError as error:
                log.warning("error=<%s> | what other processes changed can't be read", error)
            await self._clock.sleep(LOOK_S)

    async def _look(self) -> None:
        rows = await self._database.read("SELECT topic, number FROM changes")
        numbers = {str(row["topic"]): int(row["number"]) for row in rows}
        for topic, number in numbers.items():
            if self._numbers.get(topic) != number:
                for reload in self._reloads[topic]:
                    await reload()
                self._numbers[topic] = number
        for look in self._looks:
            await look()

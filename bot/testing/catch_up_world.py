"""A Bellhop on both loopback platforms that goes away and comes back."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from bot.agents.loop.loop import HELD_BACK
from bot.app import App, AppOptions, open_app
from bot.domain.database import Database
from bot.domain.models import ModelRequest
from bot.llm.blocks import blocks_of
from bot.loopback.discord import Channel, DiscordPlatform, Person
from bot.loopback.discord.world import Guild
from bot.loopback.slack import Channel as Room
from bot.loopback.slack import Person as Member
from bot.loopback.slack import SlackPlatform
from bot.sessions.records import recovery_store
from bot.testing.app_lives import ended
from bot.testing.crash_points import CrashingDatabase, CrashPoint, ProcessGone
from bot.testing.fake_clock import FakeClock, settle
from bot.testing.plan_model import PlanModel

HOUR_S = 3600.0


def repeat(request: ModelRequest) -> str:
    """Reply with what was said since the last answer: it shows what was answered, and how often.

    A reply that was held back, because more lines of the same message came in, is no answer.
    """
    new: list[str] = []
    held_back = False
    for message in reversed(request.messages):
        if message["role"] == "assistant":
            if not held_back:
                break
            held_back = False
            continue
        texts = [str(block.get("text") or "") for block in blocks_of(message)]
        held_back = held_back or HELD_BACK in texts
        if message["role"] == "user":
            new[:0] = [text for text in texts if not text.startswith(("<quoted", "<system-note"))]
    return "; ".join(f"heard {text}" for text in new)


@dataclass
class World:
    """What outlives Bellhop: the home, both platforms, the clock and the model's server."""

    home: Path
    clock: FakeClock
    discord: DiscordPlatform
    slack: SlackPlatform
    guild: Guild
    general: Channel
    office: Room
    people: dict[str, Person]
    slackers: dict[str, Member]
    model: PlanModel = field(default_factory=lambda: PlanModel({}, otherwise=repeat))

    @asynccontextmanager
    async def bellhop(
        self, point: CrashPoint | None = None
    ) -> AsyncGenerator[tuple[App, CrashingDatabase]]:
        """Run one life of the process; no events are delivered before or after it."""
        databases: list[CrashingDatabase] = []

        def wrap(database: Database) -> Database:
            databases.append(CrashingDatabase(database, point))
            return databases[-1]

        options = AppOptions(
            self.home, model=self.model, clock=self.clock, platforms=True, wrap_database=wrap
        )
        self.slack.faults.lose_events = False
        with suppress(ProcessGone):
            async with open_app(options) as app:
                vars(app.engine)["_drain_s"] = 0.0
                running = asyncio.create_task(app.run())
                try:
                    await self.until(lambda: self._served() or databases[-1].gone or running.done())
                    yield app, databases[-1]
                finally:
                    self.slack.faults.lose_events = True
                    await self._end(running)
                    self.discord.gateway.forget()

    def _served(self) -> bool:
        return self.discord.gateway.connected and bool(self.slack.delivery.sockets)

    async def until(self, condition: Callable[[], object]) -> None:
        """Advance the clock until this holds."""
        async with asyncio.timeout(60):
            while not condition():
                await self.clock.advance(0.05)
                await settle()

    async def caught_up(self, app: App) -> None:
        """Wait until there is nothing left to read, answer or send."""
        async with asyncio.timeout(90):
            while not await self._is_caught_up(app):
                await self.clock.advance(0.05)
                await settle()

    async def until_recorded(self, app: App, count: int) -> None:
        async with asyncio.timeout(60):
            while (
                len(
                    await app.database.read(
                        "SELECT 1 FROM messages WHERE author NOT LIKE 'agent:%'"
                    )
                )
                < count
            ):
                await self.clock.advance(0.05)
                await settle()

    async def read_up(self, app: App) -> None:
        """Wait until there is nothing left to read."""
        async with asyncio.timeout(90):
            while any(
                [
                    await recovery_store.floor(app.database, platform)
                    for platform in ("discord", "slack")
                ]
            ):
                await self.clock.advance(0.05)
                await settle()

    async def _is_caught_up(self, app: App) -> bool:
        database = app.database
        under_way = [
            await recovery_store.floor(database, platform) for platform in ("discord", "slack")
        ]
        health = await app.house.chats.checkup.look()
        return not any(under_way) and not health.running + health.waiting + health.outbox_pending

    # --- what is seen ---

    async def _end(self, running: asyncio.Task[None]) -> None:
        """End the app while the clock advances, because the shutdown may wait for time."""
        running.cancel()
        await self.until(running.done)
        await ended(running)

    def on_discord(self, place: Channel) -> list[str]:
        return [
            message.content
            for message in place.messages.values()
            if message.author is self.discord.world.bot
        ]

    def on_slack(self, place: Room, thread: str | None = None) -> list[str]:
        said = [message for message in self.slack.said if message.channel == place.id]
        return [message.text for message in said if thread is None or message.thread_ts == thread]

    def heard(self) -> list[str]:
        """Return everything that was answered anywhere, in order within each place."""
        answers = [message.text for message in self.slack.said]
        answers += [
            m.content
            for m in self.discord.world.all_messages()
            if m.author is self.discord.world.bot
        ]
        return [
            part.removeprefix("heard ")
            for text in answers
            for part in text.split("; ")
            if "heard " in part
        ]

"""The whole app in this process, with real clients, while a platform has faults."""

import asyncio
import random
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from socket import socket

from bot.app import AppOptions, open_app
from bot.testing.campaign.crowds import crowd_of
from bot.testing.campaign.home import ledger
from bot.testing.campaign.people import Crowd, Places
from bot.testing.campaign.speaker import Speaker
from bot.testing.free_port import free_port
from bot.testing.running import at_work
from bot.testing.slack_house import HurriedClock

PATIENCE_S = 60.0
LOOK_S = 0.01
KINDS = ("plain", "plain", "pay", "long")


@dataclass
class Troubled:
    """The app, the platforms and the people of a scenario."""

    crowd: Crowd
    speaker: Speaker
    chance: random.Random
    home: Path

    def say(self, *kinds: str) -> list[int]:
        """Let everybody write one message, of a random kind unless one is given."""
        return [
            self.crowd.say(one, self.chance.choice(kinds or KINDS)) for one in self.crowd.sessions
        ]

    async def breathe(self) -> None:
        """Wait a random moment: between events, in a model stream, in a tool."""
        await asyncio.sleep(self.chance.uniform(0, 0.15))

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait until this holds. Raises TimeoutError with what people see."""
        try:
            async with asyncio.timeout(PATIENCE_S):
                while not condition():  # noqa: ASYNC110 - two platforms, one look at both
                    await asyncio.sleep(LOOK_S)
        except TimeoutError:
            seen = [(one.sent, one.room.seen()) for one in self.crowd.sessions]
            raise TimeoutError(
                f"unanswered {self.crowd.open()}; people wrote and see {seen}"
            ) from None

    async def answered(self) -> None:
        await self.until(lambda: not self.crowd.open())

    def problems(self) -> list[str]:
        return self.crowd.problems(ledger(self.home))


@asynccontextmanager
async def troubled(
    home: Path,
    places: Places,
    seed: int,
    before: Callable[[Crowd], None] = lambda _: None,
    mode: str = "socket",
) -> AsyncGenerator[Troubled]:
    """Run an app past everybody's first message; `before` injects faults at the start."""
    chance = random.Random(seed)  # noqa: S311 - moments of trouble
    speaker = Speaker(chance)
    port = free_port() if mode == "http" else 0
    async with crowd_of(places, speaker, home, port, mode) as crowd:
        if port:
            crowd.slack.delivery.request_url = f"http://127.0.0.1:{port}/slack/events"
        before(crowd)
        made = Troubled(crowd, speaker, chance, home)
        options = AppOptions(home, clock=HurriedClock(), platforms=True)
        async with open_app(options) as app, at_work(app) as task:
            await made.until(lambda: task.done() or _listens(crowd, port))
            made.say("plain")
            await made.answered()
            yield made


def _listens(crowd: Crowd, port: int) -> bool:
    if not port:
        return crowd.discord.gateway.connected and bool(crowd.slack.delivery.sockets)
    with socket() as client:
        return crowd.discord.gateway.connected and client.connect_ex(("127.0.0.1", port)) == 0

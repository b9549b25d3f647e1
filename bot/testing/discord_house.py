"""A whole Bellhop on loopback Discord: real discord.py, a scripted model, one channel."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from bot.app import AppOptions, open_app
from bot.clock import SystemClock
from bot.loopback.discord import Channel, DiscordPlatform, Message, Person
from bot.plugin.chat import ChatServices
from bot.plugins.discord_chat.adapter import DiscordChat
from bot.plugins.discord_chat.rates import Pace
from bot.plugins.discord_chat.settings import DiscordSettings
from bot.storage.blobs import Blobs
from bot.testing.discord_town import PATIENT
from bot.testing.scripted_model import ScriptedModel


@dataclass
class House:
    platform: DiscordPlatform
    general: Channel
    ann: Person
    ben: Person
    troll: Person

    async def thread(self, root: Message) -> Channel:
        """Wait for the thread that the answer to this message opens."""
        return await self.platform.until(lambda: self.ann.thread_of(root))

    async def reads(self, who: Person, place: Channel, text: str) -> Message:
        """Wait until somebody sees a message from Bellhop with these words."""

        def found() -> Message | None:
            return next((message for message in who.sees(place) if text in message.content), None)

        return await self.platform.until(found)


@asynccontextmanager
async def town(home: Path) -> AsyncGenerator[House]:
    """Open Discord with its people, before Bellhop connects."""
    async with DiscordPlatform() as platform:
        people = {name: platform.person(name) for name in ("Ann", "Ben", "Troll")}
        roles = {"Ann": "Friend", "Ben": "Partner", "Troll": "Banned"}
        contacts = [
            {"id": name.lower(), "name": name, "role": roles[name], "ids": {"discord": [person.id]}}
            for name, person in people.items()
        ]
        (home / "contacts.yaml").write_text(json.dumps(contacts))
        yield House(
            platform,
            platform.channel(platform.guild()),
            people["Ann"],
            people["Ben"],
            people["Troll"],
        )


@asynccontextmanager
async def serving(
    made: House,
    home: Path,
    model: ScriptedModel,
    pace: Pace = PATIENT,
    *,
    commands: bool = True,
    search: bool = False,
    personal: bool = False,
) -> AsyncGenerator[None]:
    """Run Bellhop; enter once it is connected and (`commands`) its commands are registered."""
    platform = made.platform
    there = {"api_base": platform.api_base, "gateway_url": platform.gateway_url}
    settings = DiscordSettings.model_validate(
        {"enabled": True, "search": search, "personal": personal, **there}
    )
    blobs = Blobs(home / "data" / "blobs")
    chat = DiscordChat(
        settings,
        platform.options.token,
        ChatServices(SystemClock(), read_blob=blobs.get),
        pace=pace,
    )
    async with open_app(AppOptions(home, [chat], model)) as app:
        vars(app.engine)["_drain_s"] = 0.1  # a hanging turn is cut soon
        running = asyncio.create_task(app.run())
        try:
            await platform.ready()
            await platform.until(lambda: platform.interactions.commands or not commands)
            yield
        finally:
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running


@asynccontextmanager
async def house(home: Path, model: ScriptedModel, pace: Pace = PATIENT) -> AsyncGenerator[House]:
    async with town(home) as made, serving(made, home, model, pace):
        yield made

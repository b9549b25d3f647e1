"""A whole Bellhop on loopback Discord: real discord.py, a scripted model, one channel."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.app import App, AppOptions
from bot.clock import SystemClock
from bot.domain.clock import Clock
from bot.loopback.discord import Channel, DiscordPlatform, Message, Options, Person
from bot.loopback.discord.interaction_routes import Interaction
from bot.plugin.chat import ChatServices
from bot.plugins.discord_chat.adapter import DiscordChat
from bot.plugins.discord_chat.rates import Pace
from bot.plugins.discord_chat.settings import DiscordSettings
from bot.storage.blobs import Blobs
from bot.testing.discord_town import PATIENT
from bot.testing.home_files import contact, know
from bot.testing.running import running
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

    async def answered(self, person: Person, used: Interaction) -> str:
        """What the person is told for an interaction, for their eyes only."""
        response = await self.platform.until(lambda: used.response)
        await self.platform.until(lambda: response.content)
        if response.only_for != person.user.id:
            raise AssertionError(f"shown to {response.only_for or 'everybody'}: {response.content}")
        return response.content

    async def skill(self, person: Person, name: str, task: str = "") -> str:
        """Let somebody use /skill; return what they are told."""
        options = {"name": name, "task": task} if task else {"name": name}
        return await self.answered(person, person.slash(self.general, "skill", **options))

    async def has_command(self, name: str) -> None:
        """Wait until the channel offers this command."""
        offered = self.platform.interactions.available
        await self.platform.until(lambda: name in offered(self.general))

    async def completed(self, person: Person, text: str = "") -> list[str]:
        """What is offered to somebody who types the name of a skill."""
        typing = person.types(self.general, "skill", "name", text)
        await self.platform.until(lambda: typing.choices is not None)
        return [choice["value"] for choice in typing.choices or []]

    async def reads(self, who: Person, place: Channel, text: str) -> Message:
        """Wait until somebody sees a message from Bellhop with these words."""

        def found() -> Message | None:
            return next((message for message in who.sees(place) if text in message.content), None)

        return await self.platform.until(found)


@asynccontextmanager
async def town(
    home: Path, options: Options | None = None, *, ann: str = "Friend", ben: str = "Partner"
) -> AsyncGenerator[House]:
    """Open Discord with its people, who have these roles, before Bellhop connects."""
    async with DiscordPlatform(options) as platform:
        people = {name: platform.person(name) for name in ("Ann", "Ben", "Troll")}
        roles = {"Ann": ann, "Ben": ben, "Troll": "Banned"}
        know(home, *(contact(name, roles[name], discord=one.id) for name, one in people.items()))
        yield House(platform, platform.channel(platform.guild()), *people.values())


@asynccontextmanager
async def serving(
    made: House,
    home: Path,
    model: ScriptedModel,
    pace: Pace = PATIENT,
    *,
    registered: bool = True,
    clock: Clock | None = None,
    **options: object,
) -> AsyncGenerator[App]:
    """Run Bellhop; enter once it is connected and (`registered`) its commands are there.

    `options` are further settings of `discord:`.
    """
    platform = made.platform
    there = {"api_base": platform.api_base}
    settings = DiscordSettings.model_validate({"enabled": True, **there, **options})
    blobs = Blobs(home / "data" / "blobs")
    chat = DiscordChat(
        settings,
        platform.options.token,
        ChatServices(clock or SystemClock(), read_blob=blobs.get),
        pace=pace,
    )
    async with running(AppOptions(home, [chat], model)) as app:
        vars(app.engine)["_drain_s"] = 0.1  # a hanging turn is cut soon
        await platform.ready()
        await platform.until(lambda: platform.interactions.commands or not registered)
        yield app


@asynccontextmanager
async def house(
    home: Path, model: ScriptedModel, pace: Pace = PATIENT, clock: Clock | None = None
) -> AsyncGenerator[House]:
    async with town(home) as made, serving(made, home, model, pace, clock=clock):
        yield made

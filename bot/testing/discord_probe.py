"""A plain discord.py client on the loopback Discord, for tests of the platform itself."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress

import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.domain.json_types import JsonObject
from bot.loopback.discord import Channel, DiscordPlatform, Options, Person
from bot.testing.fake_clock import FakeClock
from bot.testing.waiting import until


class Probe(discord.Client):
    """A plain client that records the events it receives."""

    def __init__(
        self, *, intents: discord.Intents | None = None, heartbeat_timeout: float = 60.0
    ) -> None:
        intents = intents or discord.Intents(guilds=True, messages=True, message_content=True)
        super().__init__(
            intents=intents, guild_ready_timeout=0.01, heartbeat_timeout=heartbeat_timeout
        )
        self.heard: list[discord.Message] = []
        self.edits: list[discord.RawMessageUpdateEvent] = []
        self.deletions: list[int] = []
        self.threads_made: list[discord.Thread] = []
        self.clicked: list[discord.Interaction] = []
        self.readies = 0
        self.resumes = 0

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        del shard_id, initial

    async def on_ready(self) -> None:
        self.readies += 1

    async def on_resumed(self) -> None:
        self.resumes += 1

    async def on_message(self, message: discord.Message) -> None:
        self.heard.append(message)

    async def on_raw_message_edit(self, event: discord.RawMessageUpdateEvent) -> None:
        self.edits.append(event)

    async def on_raw_message_delete(self, event: discord.RawMessageDeleteEvent) -> None:
        self.deletions.append(event.message_id)

    async def on_thread_create(self, thread: discord.Thread) -> None:
        self.threads_made.append(thread)

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        self.clicked.append(interaction)

    @property
    def texts(self) -> list[str]:
        return [message.content for message in self.heard if not message.author.bot]


class Town:
    """A platform with one guild, one channel, Ann and a client that is logged in."""

    def __init__(self, platform: DiscordPlatform, client: Probe) -> None:
        self.platform = platform
        self.client = client
        self.running: asyncio.Task[None] | None = None
        self.guild = platform.guild()
        self.general: Channel = platform.channel(self.guild)
        self.ann: Person = platform.person("Ann", platform.role(self.guild, "team"))

    @property
    def room(self) -> discord.PartialMessageable:
        return self.client.get_partial_messageable(self.general.id, guild_id=self.guild.id)

    async def heard(self, text: str) -> discord.Message:
        await soon(lambda: text in self.client.texts)
        return next(message for message in self.client.heard if message.content == text)


async def soon(predicate: Callable[[], object]) -> None:
    """Wait for a state of the client, which the platform cannot see."""
    await until(predicate)


@asynccontextmanager
async def town(
    options: Options | None = None,
    *,
    client: Probe | None = None,
    clock: FakeClock | None = None,
    setup: Callable[[DiscordPlatform], None] | None = None,
) -> AsyncGenerator[Town]:
    async with DiscordPlatform(options, clock) as platform:
        Route.BASE = platform.api_base
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(platform.gateway_url)
        client = client or Probe()
        made = Town(platform, client)
        if setup is not None:
            setup(platform)
        running = asyncio.create_task(client.start(platform.options.token))
        try:
            await soon(lambda: client.readies or running.done())
            if running.done():
                await running
            made.running = running
            yield made
        finally:
            running.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await running
            await client.close()


class ZlibContext:
    """What discord.py uses where no zstd library is installed."""

    COMPRESSION_TYPE = "zlib-stream"

    def __init__(self) -> None:
        import zlib  # noqa: PLC0415 - only here

        self._context = zlib.decompressobj()

    def decompress(self, data: bytes, /) -> str | None:
        if not data.endswith(b"\x00\x00\xff\xff"):
            raise AssertionError("a frame ends in the middle of a flush")
        return self._context.decompress(data).decode()


def button(custom_id: str) -> JsonObject:
    return {"type": 2, "custom_id": custom_id, "label": "a", "style": 1}


def row(*items: JsonObject) -> list[JsonObject]:
    return [{"type": 1, "components": list(items)}]

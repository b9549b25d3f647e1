"""The discord.py client: logs in, passes on events, makes calls, translates errors."""

import asyncio
import logging
import sys
import time
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import Any, cast

import aiohttp
import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.plugin.chat import PIECE_BYTES, DeliveryError, PlatformPerson, Visibility
from bot.plugin.closing import closed_whole
from bot.plugin.payloads import Unreadable, as_objects, text_in
from bot.plugins.discord_chat.account import DiscordAccount
from bot.plugins.discord_chat.event_reader import ChannelPast, GatewayEventReader
from bot.plugins.discord_chat.interaction_door import InteractionDoor
from bot.plugins.discord_chat.library_errors import as_calls, explained
from bot.plugins.discord_chat.objects import (
    listed_channel,
    multipart,
    seen_message,
    seen_person,
)
from bot.plugins.discord_chat.permissions import ChannelPermissions, with_surroundings
from bot.plugins.discord_chat.rates import Login, Pace
from bot.plugins.discord_chat.readable import WRITTEN
from bot.plugins.discord_chat.seen import (
    CallFailed,
    CallRefused,
    Events,
    Line,
    RestCall,
    SeenChannel,
    SeenDeletion,
    SeenHistory,
    SeenMessage,
    SeenPlace,
    SeenReaction,
)
from bot.plugins.discord_chat.settings import DiscordSettings

log = logging.getLogger(__name__)

_STATUS = "/help"
"""Shown below the bot's name while it is connected."""
_WAIT_FOR_LIMIT_S = 30.0
"""After a longer wait for a rate limit, the outbox takes the send back."""


async def serve(
    settings: DiscordSettings,
    token: str,
    events: Events,
    pace: Pace,
    unreadable: Unreadable,
    login: Login | None = None,
) -> None:
    """One client from login to its end. Unreadable items are skipped and counted in `unreadable`.

    Raises SettingsError for what an operator must change, DeliveryError for everything else that
    ends a client.
    """
    Route.BASE = settings.api_base
    client = _Client(events, pace, unreadable, login or Login())
    async with _closing(client):
        with explained(lambda: client.was_connected):
            await client.login(token)
            _, gateway, _ = await client.http.get_bot_gateway()
            # One for the whole process, as the library has it, like the address of the API.
            DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway)
            await client.connect()
    raise DeliveryError("the Discord client ended by itself", retryable=True)


async def read_account(settings: DiscordSettings, token: str) -> DiscordAccount:
    """Log in without connecting, and look around.

    Raises SettingsError for a bad token, else DeliveryError.
    """
    Route.BASE = settings.api_base
    client = discord.Client(intents=discord.Intents.none())
    async with _closing(client):
        with explained(lambda: True):
            await client.login(token)
            guilds = await client.http.request(Route("GET", "/users/@me/guilds"))
            about = await client.application_info()
    return DiscordAccount(
        id=str(about.id),
        name=str(client.user),
        guilds=tuple(text_in(guild, "name") for guild in as_objects(guilds)),
        message_content=about.flags.gateway_message_content
        or about.flags.gateway_message_content_limited,
        interactions_endpoint=about.interactions_endpoint_url,
    )


@asynccontextmanager
async def _closing(client: discord.Client) -> AsyncGenerator[None]:
    """Closes the client's connections at the end, also when that is cancelled."""
    try:
        yield
    finally:
        # What is last here: its thread that beats stops, and its calls are closed.
        await closed_whole(client.close(), client.http.close)


class _Client(discord.Client):
    """Reads events and passes them on as plain values. Caches as little as discord.py allows."""

    def __init__(self, events: Events, pace: Pace, unreadable: Unreadable, login: Login) -> None:
        discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # nothing speaks
        super().__init__(
            shard_id=None if (shard := login.shard) is None else shard.number,
            shard_count=None if shard is None else shard.count,
            intents=discord.Intents(
                guilds=True, messages=True, message_content=True, reactions=True
            ),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            activity=discord.CustomActivity(_STATUS),
            allowed_mentions=discord.AllowedMentions.none(),
            guild_ready_timeout=pace.guild_ready,
            heartbeat_timeout=pace.heartbeat,
            max_ratelimit_timeout=_WAIT_FOR_LIMIT_S,
        )
        self._events = events
        self._pace = pace
        self._login = login
        self._unreadable = unreadable
        self._members: dict[tuple[int, int], PlatformPerson] = {}
        """Authors of messages that are being read from history."""
        self.was_connected = False
        self._is_listed = False
        """Whether discord.py has said that the servers of this session are known."""
        self._reader = GatewayEventReader(self, unreadable)
        self._reader.guard()
        self._permissions = ChannelPermissions(self, self._fetched)
        self._door = InteractionDoor(events, self._call, self._place_of)
        self._past = ChannelPast(self, self._reader, unreadable, self._fetched, self._read_later)

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        if not self.is_closed():  # a client that has just ended still announces that it is ready
            super().dispatch(event, *args, **kwargs)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        if not initial:
            await asyncio.sleep(self._pace.identify)
        await self._login.wait(self._pace.identify)

    async def setup_hook(self) -> None:
        guilds = (lambda: [str(guild.id) for guild in self.guilds], self._servers_away)
        listed = (self._channels, self._silence, *guilds)
        known = self._permissions
        may = (
            known.rights,
            known.visibility,
            known.is_closed,
            known.name_of,
            self._place_in,
            known.places,
        )
        line = Line(self._own_id, self._call, self._download, self._history, *listed, *may)
        await self._events.logged_in(line)

    async def on_connect(self) -> None:
        self.was_connected, self._is_listed = True, False
        await self._events.lost()

    async def on_ready(self) -> None:
        self._is_listed = True
        await self._events.listed()

    async def on_guild_unavailable(self, guild: discord.Guild) -> None:
        log.info("server=<%s> | is not available", guild.id)
        await self._catch_up_again()

    async def on_guild_available(self, guild: discord.Guild) -> None:
        if self._is_listed:  # servers that are available at once come before `on_ready`
            log.info("server=<%s> | is available", guild.id)
            await self._catch_up_again()

    async def _catch_up_again(self) -> None:
        """Treat it as a new session; messages read while the server was away don't count."""
        await self._events.lost()
        await self._events.listed()

    async def on_guild_join(self, guild: discord.Guild) -> None:
        self._events.moved(str(guild.id))

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        self._events.moved()

    async def on_error(self, event_method: str, /, *args: Any, **kwargs: Any) -> None:
        error = sys.exc_info()[1]
        assert error is not None  # noqa: S101 - discord.py calls this while it handles one
        self._unreadable.skip(event_method, error)

    def _silence(self) -> float | None:
        # discord.py notes every frame, heartbeat answers included, in the thread that beats; it has
        # no public name.
        socket = cast("DiscordWebSocket | None", self.ws)
        beat = socket._keep_alive if socket is not None else None  # noqa: SLF001
        return time.perf_counter() - beat._last_recv if beat is not None else None  # noqa: SLF001

    @property
    def _own_id(self) -> str:
        return str(self.user.id) if self.user else ""

    # --- incoming ---

    async def on_message(self, message: discord.Message) -> None:
        if self._is_for_us(message):
            await self._events.message(str(message.channel.id), lambda: self._read(message))

    async def on_raw_message_edit(self, event: discord.RawMessageUpdateEvent) -> None:
        if event.message.edited_at is not None and self._is_for_us(event.message):
            await self._events.edited(str(event.channel_id), lambda: self._read(event.message))

    async def on_raw_message_delete(self, event: discord.RawMessageDeleteEvent) -> None:
        await self._deleted(event.message_id, event.channel_id, event.guild_id)

    async def on_raw_bulk_message_delete(self, event: discord.RawBulkMessageDeleteEvent) -> None:
        for id_ in event.message_ids:
            await self._deleted(id_, event.channel_id, event.guild_id)

    async def on_raw_reaction_add(self, event: discord.RawReactionActionEvent) -> None:
        member = event.member
        in_server = event.guild_id is not None
        if str(event.user_id) == self._own_id or (in_server and member is None):
            return

        async def read() -> SeenReaction:
            place = await self._place(event.channel_id, event.guild_id)
            # A direct message has no members; its person is known by their id.
            who = (
                PlatformPerson(str(event.user_id), str(event.user_id))
                if member is None
                else seen_person(member)
            )
            return SeenReaction(str(event.message_id), place, who, event.emoji.name or "")

        await self._events.reacted(str(event.channel_id), read)

    async def _deleted(self, message: int, channel: int, guild: int | None) -> None:
        async def read() -> SeenDeletion:
            return SeenDeletion(str(message), await self._place(channel, guild))

        await self._events.deleted(str(channel), read)

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        await self._door.serve(interaction)

    def _is_for_us(self, message: discord.Message) -> bool:
        return message.type.value in WRITTEN and str(message.author.id) != self._own_id

    async def _read(self, message: discord.Message, known: object = None) -> SeenMessage:
        """`known` is the channel of a message that is read later."""
        guild = message.guild or getattr(known, "guild", None)
        guild_id = guild.id if guild is not None else None
        place = await self._place(message.channel.id, guild_id, known or message.channel)
        author = await self._author(message, guild_id, later=known is not None)
        return seen_message(message, place, author, self._own_id)

    async def _read_later(self, message: discord.Message, known: object) -> SeenMessage | None:
        return await self._read(message, known) if self._is_for_us(message) else None

    async def _author(
        self, message: discord.Message, guild_id: int | None, *, later: bool
    ) -> PlatformPerson:
        """The author with roles; later reads lack them, so they are fetched once per author."""
        author = message.author
        if guild_id is None or not isinstance(author, discord.User) or author.bot:
            return seen_person(author)
        known = self._members.get((guild_id, author.id)) if later else None
        guild = self.get_guild(guild_id)
        if known is None and guild is not None:
            with (
                self._unreadable.skipping("member"),
                suppress(discord.HTTPException, aiohttp.ClientError, OSError),
            ):
                known = self._members[guild_id, author.id] = seen_person(
                    await guild.fetch_member(author.id)
                )
        return known or seen_person(author)

    async def _place_of(self, interaction: discord.Interaction) -> SeenPlace:
        guild = interaction.guild_id
        if guild is not None and not interaction.is_guild_integration():
            # The bot is not there: it can't look at the place, and only the person reads it.
            return SeenPlace(str(interaction.channel_id), str(guild), visibility=Visibility.PRIVATE)
        found = await self._place(interaction.channel_id or 0, guild, interaction.channel)
        # An app that a person has installed for themselves is used among others without a server.
        group = found.guild is None and interaction.context.private_channel
        return replace(found, group=True, visibility=Visibility.PRIVATE) if group else found

    async def _place_in(self, guild: str, channel: str) -> SeenPlace:
        return await self._place(int(channel), int(guild))

    async def _place(
        self, channel_id: int, guild_id: int | None, channel: object = None
    ) -> SeenPlace:
        if guild_id is None:
            known = channel or self.get_channel(channel_id)
            group = isinstance(known, discord.GroupChannel)
            seen = Visibility.PRIVATE if group else Visibility.UNKNOWN
            return SeenPlace(str(channel_id), visibility=seen, group=group)
        known = channel if isinstance(channel, discord.Thread) else self.get_channel(channel_id)
        if known is None:  # an old thread that was unarchived
            with suppress(discord.HTTPException, discord.RateLimited, aiohttp.ClientError, OSError):
                known = await self._fetched(channel_id)
        if isinstance(known, discord.Thread):
            parent, owner = str(known.parent_id), str(known.owner_id)
            place = SeenPlace(
                str(channel_id),
                str(guild_id),
                parent,
                owner,
                known.name,
                closed=known.is_private(),
                tags=tuple(tag.name for tag in known.applied_tags),
            )
            return with_surroundings(place, self.get_channel(known.parent_id))
        title = str(getattr(known, "name", ""))
        return with_surroundings(SeenPlace(str(channel_id), str(guild_id), title=title), known)

    # --- outgoing ---

    async def _call(self, call: RestCall) -> Any:
        route = Route(call.method, call.path, **call.ids)
        options: dict[str, Any] = {"params": dict(call.query)} if call.query else {}
        if call.files:
            options |= multipart(call)
        elif call.body is not None:
            options["json"] = call.body
        with as_calls():
            return await self.http.request(route, **options)

    @asynccontextmanager
    async def _download(self, url: str) -> AsyncGenerator[AsyncIterator[bytes]]:
        # discord.py reads a whole CDN file into memory, so this requests it the way that discord.py
        # does, in pieces.
        http = self.http
        try:
            async with aiohttp.request(
                "GET", url, connector=http.connector, proxy=http.proxy, proxy_auth=http.proxy_auth
            ) as response:
                if response.status != 200:
                    raise CallRefused(response.status, 0, "the file cannot be read")
                yield response.content.iter_chunked(PIECE_BYTES)
        except (aiohttp.ClientError, OSError, TimeoutError) as error:
            raise CallFailed(repr(error)) from error

    async def _fetched(self, channel: int) -> object:
        """A channel that the client does not know; None if it can't be read.

        Raises discord.py's errors of a call.
        """
        try:
            return await self.fetch_channel(channel)
        except (
            discord.HTTPException,
            discord.RateLimited,
            aiohttp.ClientError,
            OSError,
            TimeoutError,
        ):
            raise
        except Exception as error:  # noqa: BLE001 - discord.py could not make sense of it
            self._unreadable.skip("channel", error, str(channel))
            return None

    async def _history(self, channel: str, after: str, back_to: str) -> SeenHistory:
        self._members.clear()  # roles may have changed since
        return await self._past.read(channel, after, back_to)

    def _channels(self) -> list[SeenChannel]:
        seen: list[SeenChannel] = []
        for guild in (guild for guild in self.guilds if not guild.unavailable):
            for channel in (
                *guild.text_channels,
                *guild.voice_channels,
                *guild.stage_channels,
                *guild.threads,
            ):
                with self._unreadable.skipping("channel", str(channel.id)):
                    seen += listed_channel(channel)
        return seen

    def _servers_away(self) -> bool:
        return any(guild.unavailable for guild in self.guilds)

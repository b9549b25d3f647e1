"""The discord.py client: logs in, hands on its events, makes its calls, names its failures."""

import asyncio
import io
import logging
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any, cast

import aiohttp
import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.chat.discord_chat.account import NO_CONTENT, Account
from bot.chat.discord_chat.components import announces_answer
from bot.chat.discord_chat.event_reader import EventReader
from bot.chat.discord_chat.interactions import arguments, choices, entries, form_name, typed
from bot.chat.discord_chat.objects import data_of, listed_channel, seen_click, seen_message, seen_person
from bot.chat.discord_chat.pace import Pace
from bot.chat.discord_chat.readable import WRITTEN, is_written, with_ids
from bot.chat.discord_chat.seen import (
    Answer,
    Call,
    CallFailed,
    CallRefused,
    Events,
    Line,
    SeenChannel,
    SeenCommand,
    SeenDeletion,
    SeenHistory,
    SeenMessage,
    SeenPerson,
    SeenPlace,
    SeenTyping,
)
from bot.chat.discord_chat.settings import DiscordSettings
from bot.chat.payloads import objects_of, text_in
from bot.chat.unreadable import Unreadable
from bot.domain.json_types import JsonObject
from bot.domain.messages import Visibility
from bot.domain.native_commands import opens_form
from bot.domain.waits import wait_words
from bot.errors import DeliveryError, SettingsError

log = logging.getLogger(__name__)

_PAGE = 100
_BACKFILL = 1000
"""So many of the newest messages of a channel are read after a time without Discord."""
_WAIT_FOR_LIMIT_S = 30.0
"""A longer wait for a rate limit is given back to the outbox."""
_BAD_TOKEN = 4004
_LATE, _ANSWERED = 10062, 40060
_COMPLETE_S = 2.0
"""Discord waits three seconds for what an option may hold."""


async def serve(settings: DiscordSettings, token: str, events: Events, pace: Pace, unreadable: Unreadable) -> None:
    """One client from login to its end. What can't be read is skipped and counted in `unreadable`.

    Raises SettingsError for what an operator must change, DeliveryError for everything else that ends a client.
    """
    _point_at(settings)
    client = _Client(events, pace, unreadable)
    try:
        with _explained(settings, lambda: client.was_connected):
            await client.start(token)
    finally:
        await client.close()
    raise DeliveryError("the Discord client ended by itself", retryable=True)


async def read_account(settings: DiscordSettings, token: str) -> Account:
    """Log in without connecting, and look around. Raises SettingsError for a bad token, else DeliveryError."""
    _point_at(settings)
    client = discord.Client(intents=discord.Intents.none())
    try:
        with _explained(settings, lambda: True):
            await client.login(token)
            guilds = await client.http.request(Route("GET", "/users/@me/guilds"))
            about = await client.application_info()
    finally:
        await client.close()
    return Account(
        id=str(about.id),
        name=str(client.user),
        guilds=tuple(text_in(guild, "name") for guild in objects_of(guilds)),
        message_content=about.flags.gateway_message_content or about.flags.gateway_message_content_limited,
        interactions_endpoint=about.interactions_endpoint_url,
    )


@contextmanager
def _as_calls() -> Generator[None]:
    """What discord.py raises for a call, as CallRefused or CallFailed."""
    try:
        yield
    except discord.HTTPException as error:
        raise CallRefused(error.status, error.code, error.text or "no reason given") from error
    except discord.RateLimited as error:
        raise CallFailed(f"rate limited for {wait_words(error.retry_after)}", error.retry_after) from error
    except (aiohttp.ClientError, OSError, TimeoutError, RuntimeError) as error:  # RuntimeError: session is closed
        raise CallFailed(repr(error)) from error


def _point_at(settings: DiscordSettings) -> None:
    """Class attributes of the library: one address for the whole process."""
    Route.BASE = settings.api_base
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(settings.gateway_url)


@contextmanager
def _explained(settings: DiscordSettings, was_connected: Callable[[], bool]) -> Generator[None]:
    """Every way in which a client ends, in words for the operator."""
    try:
        yield
    except discord.LoginFailure as error:
        raise _bad_token() from error
    except discord.PrivilegedIntentsRequired as error:
        raise SettingsError(f"Discord refuses the connection: {NO_CONTENT}") from error
    except discord.ConnectionClosed as error:
        if error.code == _BAD_TOKEN:
            raise _bad_token() from error
        raise DeliveryError(f"Discord closed the connection with code {error.code}", retryable=True) from error
    except discord.HTTPException as error:
        raise DeliveryError(f"Discord refused the login with status {error.status}", retryable=True) from error
    except (aiohttp.ClientError, OSError, TimeoutError, discord.GatewayNotFound) as error:
        raise DeliveryError(f"Discord cannot be reached: {error!r}", retryable=True) from error
    except AttributeError as error:
        if was_connected():
            raise _unreadable(error) from error
        # discord.py stumbles when the very first connection to the gateway fails
        raise DeliveryError(f"Discord's gateway {settings.gateway_url} cannot be reached", retryable=True) from error
    except Exception as error:
        raise _unreadable(error) from error


def _bad_token() -> SettingsError:
    return SettingsError(
        "Discord does not accept DISCORD_TOKEN; copy the bot's token from the developer portal again"
        " (Bot > Reset Token)"
    )


def _unreadable(error: Exception) -> DeliveryError:
    return DeliveryError(
        f"an event of Discord could not be read ({type(error).__name__}: {error}); the client starts afresh",
        retryable=True,
    )


class _Client(discord.Client):
    """Reads what comes and hands it on as plain values. Caches as little as discord.py allows."""

    def __init__(self, events: Events, pace: Pace, unreadable: Unreadable) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True, messages=True, message_content=True),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            allowed_mentions=discord.AllowedMentions.none(),
            guild_ready_timeout=pace.guild_ready,
            heartbeat_timeout=pace.heartbeat,
            max_ratelimit_timeout=_WAIT_FOR_LIMIT_S,
        )
        self._events = events
        self._pace = pace
        self._unreadable = unreadable
        self._members: dict[tuple[int, int], SeenPerson] = {}
        """Authors of messages that are being read from history."""
        self.was_connected = False
        self._reader = EventReader(self, unreadable)
        self._reader.guard()

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        if not self.is_closed():  # one that has just ended still announces that it is ready
            super().dispatch(event, *args, **kwargs)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        if not initial:
            await asyncio.sleep(self._pace.identify)

    async def setup_hook(self) -> None:
        listed = (self._channels, self._silence, lambda: [str(guild.id) for guild in self.guilds])
        line = Line(self._own_id, self._call, self._download, self._history, *listed)
        await self._events.logged_in(line)

    async def on_connect(self) -> None:
        self.was_connected = True
        await self._events.ready()

    async def on_ready(self) -> None:
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
        # discord.py notes every frame, heartbeat answers included, in the thread that beats; it has no public name.
        socket = cast("DiscordWebSocket | None", self.ws)
        beat = socket._keep_alive if socket is not None else None  # noqa: SLF001
        return time.perf_counter() - beat._last_recv if beat is not None else None  # noqa: SLF001

    @property
    def _own_id(self) -> str:
        return str(self.user.id) if self.user else ""

    # --- what comes in ------------------------------------------------------------------------------------

    async def on_message(self, message: discord.Message) -> None:
        if self._is_for_us(message):
            await self._events.message(await self._read(message))

    async def on_raw_message_edit(self, event: discord.RawMessageUpdateEvent) -> None:
        if event.message.edited_at is not None and self._is_for_us(event.message):
            await self._events.edited(await self._read(event.message))

    async def on_raw_message_delete(self, event: discord.RawMessageDeleteEvent) -> None:
        await self._events.deleted(
            SeenDeletion(str(event.message_id), await self._place(event.channel_id, event.guild_id))
        )

    async def on_raw_bulk_message_delete(self, event: discord.RawBulkMessageDeleteEvent) -> None:
        place = await self._place(event.channel_id, event.guild_id)
        for id_ in event.message_ids:
            await self._events.deleted(SeenDeletion(str(id_), place))

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        match interaction.type:
            case discord.InteractionType.application_command if await self._asked_back(interaction):
                pass
            case discord.InteractionType.autocomplete:
                await self._complete(interaction)
            case discord.InteractionType.modal_submit if form_name(data_of(interaction)):
                token = await self._defer(interaction, thinking=True)
                await self._events.command(await self._form(interaction, token))
            case discord.InteractionType.application_command:
                token = await self._defer(interaction, thinking=True)
                await self._events.command(await self._command(interaction, token))
            case discord.InteractionType.component:
                own = announces_answer(str((interaction.data or {}).get("custom_id", "")))
                token = await self._defer(interaction, thinking=own)
                seen = seen_click(interaction, await self._place_of(interaction), token, own_response=own)
                await self._events.click(seen)
            case _:
                log.debug("interaction=<%s> | of a kind that is not used here", interaction.type)

    def _is_for_us(self, message: discord.Message) -> bool:
        return message.type.value in WRITTEN and str(message.author.id) != self._own_id

    async def _defer(self, interaction: discord.Interaction, *, thinking: bool) -> str | None:
        """First of all: Discord waits three seconds. None: too late, or unknown whether it was in time."""
        try:
            await interaction.response.defer(ephemeral=True, thinking=thinking)
        except discord.InteractionResponded:
            return interaction.token
        except discord.HTTPException as error:
            if error.code == _ANSWERED:  # delivered twice
                return interaction.token
            log.warning("interaction=<%s>, error=<%s> | came too late to be answered natively", interaction.id, error)
            return None
        except (aiohttp.ClientError, OSError) as error:
            log.warning("interaction=<%s>, error=<%r> | could not be acknowledged", interaction.id, error)
            return None
        return interaction.token

    async def _command(self, interaction: discord.Interaction, token: str | None) -> SeenCommand:
        data = data_of(interaction)
        return SeenCommand(
            str(interaction.id),
            await self._place_of(interaction),
            seen_person(interaction.user),
            interaction.created_at,
            token,
            str(data.get("name", "")),
            arguments(data),
        )

    async def _form(self, interaction: discord.Interaction, token: str | None) -> SeenCommand:
        seen, data = await self._command(interaction, token), data_of(interaction)
        return replace(seen, name=form_name(data), fields=entries(data))

    async def _asked_back(self, interaction: discord.Interaction) -> bool:
        """Whether a form is shown instead of running a command; it has to be the first response."""
        data = data_of(interaction)
        name, args = str(data.get("name", "")), arguments(data)
        if opens_form(name, args) is None:  # looking for the place may take a call
            return False
        answer = self._events.asks(await self._place_of(interaction), name, args)
        return answer is not None and await self._respond(interaction, answer)

    async def _complete(self, interaction: discord.Interaction) -> None:
        place, data = await self._place_of(interaction), data_of(interaction)
        who = (seen_person(interaction.user), interaction.created_at, interaction.token)
        try:
            seen = SeenTyping(str(interaction.id), place, *who, typed(data))
            answer = await asyncio.wait_for(self._events.complete(seen), _COMPLETE_S)
        except TimeoutError:
            answer = choices(())
        await self._respond(interaction, answer)

    async def _respond(self, interaction: discord.Interaction, answer: Answer) -> bool:
        """False: it came too late, or nobody knows."""
        path = "/interactions/{interaction_id}/{webhook_token}/callback"
        ids = {"interaction_id": str(interaction.id), "webhook_token": interaction.token}
        try:
            await self._call(Call("POST", path, ids, answer))
        except CallRefused as error:
            if error.code == _ANSWERED:
                return True
            log.info("interaction=<%s>, error=<%s> | could not be answered at once", interaction.id, error)
            return False
        except CallFailed as error:
            log.info("interaction=<%s>, error=<%s> | could not be answered at once", interaction.id, error)
            return False
        return True

    async def _read(self, message: discord.Message, known: object = None) -> SeenMessage:
        """`known` is the channel of a message that is read later."""
        guild = message.guild or getattr(known, "guild", None)
        guild_id = guild.id if guild is not None else None
        place = await self._place(message.channel.id, guild_id, known or message.channel)
        return seen_message(message, place, await self._author(message, guild_id), self._own_id)

    async def _author(self, message: discord.Message, guild_id: int | None) -> SeenPerson:
        """Messages that are read later come without the author's roles."""
        author = message.author
        if guild_id is None or not isinstance(author, discord.User) or author.bot:
            return seen_person(author)
        known = self._members.get((guild_id, author.id))
        guild = self.get_guild(guild_id)
        if known is None and guild is not None:
            with self._unreadable.skipping("member"), suppress(discord.HTTPException, aiohttp.ClientError, OSError):
                known = self._members[guild_id, author.id] = seen_person(await guild.fetch_member(author.id))
        return known or seen_person(author)

    async def _place_of(self, interaction: discord.Interaction) -> SeenPlace:
        return await self._place(interaction.channel_id or 0, interaction.guild_id, interaction.channel)

    async def _place(self, channel_id: int, guild_id: int | None, channel: object = None) -> SeenPlace:
        if guild_id is None:
            return SeenPlace(str(channel_id))
        known = channel if isinstance(channel, discord.Thread) else self.get_channel(channel_id)
        if known is None:  # an old thread that woke up
            with suppress(discord.HTTPException, discord.RateLimited, aiohttp.ClientError, OSError):
                known = await self._fetched(channel_id)
        if isinstance(known, discord.Thread):
            parent, owner = str(known.parent_id), str(known.owner_id)
            place = SeenPlace(str(channel_id), str(guild_id), parent, owner, known.name)
            return _with_surroundings(place, self.get_channel(known.parent_id))
        title = str(getattr(known, "name", ""))
        return _with_surroundings(SeenPlace(str(channel_id), str(guild_id), title=title), known)

    # --- what goes out ------------------------------------------------------------------------------------

    async def _call(self, call: Call) -> Any:
        route = Route(call.method, call.path, **call.ids)
        options: dict[str, Any] = {"params": dict(call.query)} if call.query else {}
        if call.files:
            options |= _multipart(call)
        elif call.body is not None:
            options["json"] = call.body
        with _as_calls():
            return await self.http.request(route, **options)

    async def _download(self, url: str) -> bytes:
        try:
            return await self.http.get_from_cdn(url)
        except discord.HTTPException as error:
            raise CallRefused(error.status, error.code, "the file cannot be read") from error
        except (aiohttp.ClientError, OSError, TimeoutError) as error:
            raise CallFailed(repr(error)) from error

    async def _fetched(self, channel: int) -> object:
        """A channel that is not known; None where it can't be read. Raises discord.py's errors of a call."""
        try:
            return await self.fetch_channel(channel)
        except (discord.HTTPException, discord.RateLimited, aiohttp.ClientError, OSError, TimeoutError):
            raise
        except Exception as error:  # noqa: BLE001 - discord.py could not make sense of it
            self._unreadable.skip("channel", error, str(channel))
            return None

    async def _history(self, channel: str, after: str, back_to: str) -> SeenHistory:
        self._members.clear()  # roles may have changed since
        with _as_calls():
            # One that is not known is a direct conversation, or a thread that has gone to sleep.
            known = self.get_channel(int(channel)) or await self._fetched(int(channel))
            found, whole = await self._pages(int(channel), int(back_to))
        if known is None:  # whether it is a direct conversation can't be told
            raise CallRefused(200, 0, "the channel can't be read")
        new = sum(id_ > int(after) for id_, _ in found)
        if new == _BACKFILL:
            log.warning("channel=<%s>, messages=<%d> | more was missed; the oldest is not read", channel, _BACKFILL)
        wanted = [*found[:new], *(one for one in found[new:] if one[1].get("edited_timestamp"))]
        read: list[SeenMessage] = []
        for id_, raw in reversed(wanted):
            with self._unreadable.skipping("message of history", str(id_)):
                message = self._reader.message({**raw, "channel_id": channel}) if is_written(raw) else None
                if message is not None and self._is_for_us(message):
                    read.append(await self._read(message, known))
        ids = [(str(id_), discord.utils.snowflake_time(id_)) for id_, _ in found]
        return SeenHistory.of(read, ids, after, whole=whole)

    async def _pages(self, channel: int, back_to: int) -> tuple[list[tuple[int, JsonObject]], bool]:
        """Messages after `back_to` by their ids, the newest first, and whether those are all."""
        found: list[tuple[int, JsonObject]] = []
        before: int | None = None
        whole = True
        while len(found) < _BACKFILL:
            page: Any = await self.http.logs_from(channel, _PAGE, before=before)
            if not isinstance(page, list):
                raise CallFailed("Discord's history is no list")
            named = with_ids(cast("object", page))
            size = len(cast("list[Any]", page))
            if len(named) < size:
                whole = False
                self._unreadable.skip("message of history without an id", ValueError(), str(channel))
            found += [(id_, raw) for id_, raw in named if id_ > back_to]
            if size < _PAGE or not named or named[-1][0] <= back_to:
                return found[:_BACKFILL], whole and len(found) < _BACKFILL
            before = named[-1][0]
        return found[:_BACKFILL], False

    def _channels(self) -> list[SeenChannel]:
        seen: list[SeenChannel] = []
        for guild in self.guilds:
            for channel in (*guild.text_channels, *guild.voice_channels, *guild.stage_channels, *guild.threads):
                with self._unreadable.skipping("channel", str(channel.id)):
                    seen += listed_channel(channel)
        return seen


def _multipart(call: Call) -> dict[str, Any]:
    """As discord.py takes uploads: it rewinds the files and builds the form anew for each try."""
    files = [discord.File(io.BytesIO(upload.data), upload.name) for upload in call.files]
    body = {"name": "payload_json", "value": discord.utils._to_json(call.body)}  # noqa: SLF001 - its own encoder
    form: list[dict[str, Any]] = [body]
    for number, (file, upload) in enumerate(zip(files, call.files, strict=True)):
        form.append(
            {
                "name": f"files[{number}]",
                "value": file.fp,
                "filename": upload.name,
                "content_type": "application/octet-stream",
            }
        )
    return {"files": files, "form": form}


def _with_surroundings(place: SeenPlace, channel: object) -> SeenPlace:
    """The place with its category, and whether everybody on the server sees it, where the channel is known."""
    if not isinstance(channel, discord.abc.GuildChannel):
        return place
    everybody = channel.permissions_for(channel.guild.default_role).view_channel
    return replace(
        place,
        category=str(channel.category_id or ""),
        visibility=Visibility.PUBLIC if everybody else Visibility.PRIVATE,
    )

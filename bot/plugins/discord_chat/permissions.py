"""A member's permissions in a channel, computed by discord.py from roles and overwrites."""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace

import discord

from bot.plugin.chat import Visibility
from bot.plugins.discord_chat.library_errors import as_calls
from bot.plugins.discord_chat.seen import CallFailed, SeenPlace, SeenRights

KEPT_S = 60.0
_MOST = 2_000


@dataclass
class ChannelPermissions:
    """Asks Discord for members and for unlisted threads; the client knows the rest."""

    client: discord.Client
    fetched: Callable[[int], Awaitable[object]]
    """A channel that the client does not know; None if it can't be read.

    Raises discord.py's errors of a call.
    """
    members: dict[tuple[int, int], tuple[discord.Member | None, float]] = field(
        default_factory=dict[tuple[int, int], tuple[discord.Member | None, float]]
    )

    async def rights(self, guild: str, channel: str, person: str) -> SeenRights:
        """A person's permissions there; none if they, or the bot, are not members.

        Raises CallRefused or CallFailed.
        """
        with as_calls():
            place, member = (
                await self._channel(channel),
                await self._member(int(guild), int(person)),
            )
            if member is None or not isinstance(place, discord.abc.GuildChannel | discord.Thread):
                return SeenRights()
            if place.guild.id != int(guild) or (
                isinstance(place, discord.Thread) and place.parent is None
            ):
                return SeenRights()
            may = place.permissions_for(member)
            if isinstance(place, discord.Thread) and not await _is_open(place, may, member):
                return SeenRights()
            read = _reads(place, may)
            in_thread = isinstance(place, discord.Thread)
            server = member.guild_permissions
            write = read and (may.send_messages_in_threads if in_thread else may.send_messages)
            return SeenRights(
                read,
                write,
                polls=write and may.send_polls,
                removes=read and may.manage_messages,
                threads=read and may.manage_threads,
                makes_events=server.create_events or server.manage_events,
                manages_events=server.manage_events,
            )

    def visibility(self, channel: str) -> Visibility:
        """Who reads a channel now, as the client knows it; UNKNOWN where it is gone.

        Raises CallFailed while the servers are not listed yet.
        """
        if not self.client.is_ready():
            raise CallFailed("the servers are not listed yet")
        known = self.client.get_channel(int(channel)) if channel.isdecimal() else None
        return with_surroundings(SeenPlace(channel), known).visibility

    async def is_closed(self, thread: str) -> bool:
        """Whether only those who were invited read a thread. Raises CallRefused or CallFailed."""
        with as_calls():
            found = await self._channel(thread)
        return not isinstance(found, discord.Thread) or found.is_private()

    def name_of(self, channel: str) -> str:
        return (
            str(getattr(self.client.get_channel(int(channel)), "name", ""))
            if channel.isdecimal()
            else ""
        )

    def places(self, guild: str) -> list[SeenPlace]:
        """The channels of a server that can be written to."""
        found = self.client.get_guild(int(guild)) if guild.isdecimal() else None
        return (
            [SeenPlace(str(one.id), guild, title=one.name) for one in found.text_channels]
            if found
            else []
        )

    async def _channel(self, channel: str) -> object:
        known = self.client.get_channel(int(channel))
        return known if known is not None else await self.fetched(int(channel))

    async def _member(self, guild: int, person: int) -> discord.Member | None:
        known = self.members.get((guild, person))
        if known is not None and time.monotonic() < known[1]:
            return known[0]
        server = self.client.get_guild(guild)
        if server is None or server.unavailable:
            return None
        try:
            found = await server.fetch_member(person)
        except discord.NotFound:
            found = None
        if len(self.members) >= _MOST:
            self.members.clear()
        self.members[guild, person] = (found, time.monotonic() + KEPT_S)
        return found


def _reads(place: object, may: discord.Permissions) -> bool:
    """Whether these permissions let somebody read what is written there.

    The chat of a voice or stage channel is read by those who may join it.
    """
    spoken = isinstance(place, discord.VoiceChannel | discord.StageChannel)
    return may.view_channel and may.read_message_history and (may.connect or not spoken)


async def _is_open(
    thread: discord.Thread, may: discord.Permissions, member: discord.Member
) -> bool:
    if not thread.is_private() or may.manage_threads:
        return True
    try:
        await thread.fetch_member(member.id)
    except discord.NotFound:
        return False
    return True


def with_surroundings(place: SeenPlace, channel: object) -> SeenPlace:
    """The place with its category and, if the channel is known, whether all members read it."""
    if not isinstance(channel, discord.abc.GuildChannel):
        return place
    everybody = _reads(channel, channel.permissions_for(channel.guild.default_role))
    return replace(
        place,
        category=str(channel.category_id or ""),
        visibility=Visibility.PUBLIC if everybody else Visibility.PRIVATE,
    )

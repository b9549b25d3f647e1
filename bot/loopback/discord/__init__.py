"""A loopback Discord: strict REST v10, gateway and CDN, driven by people, with faults."""

from bot.loopback.discord.call_log import Call
from bot.loopback.discord.faults import Fault, user_rate_limit
from bot.loopback.discord.people import Person
from bot.loopback.discord.platform import DiscordPlatform, Options
from bot.loopback.discord.world import Channel, Guild, Message

__all__ = [
    "Call",
    "Channel",
    "DiscordPlatform",
    "Fault",
    "Guild",
    "Message",
    "Options",
    "Person",
    "user_rate_limit",
]

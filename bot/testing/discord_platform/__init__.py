"""A loopback Discord: strict REST v10, gateway and CDN, driven by people, with faults."""

from bot.testing.discord_platform.call_log import Call
from bot.testing.discord_platform.faults import Fault, user_rate_limit
from bot.testing.discord_platform.people import Person
from bot.testing.discord_platform.platform import DiscordPlatform, Options
from bot.testing.discord_platform.world import Channel, Guild, Message

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

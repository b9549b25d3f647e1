"""A strict loopback Slack: Web API, Socket Mode, signed HTTP events, people, faults."""

from bot.testing.slack_platform.faults import (
    CutAfter,
    Delay,
    Fault,
    RateLimited,
    Refused,
    Reset,
    Status,
)
from bot.testing.slack_platform.log import Call
from bot.testing.slack_platform.people import Person
from bot.testing.slack_platform.platform import APP_TOKEN, BOT_TOKEN, SIGNING_SECRET, SlackPlatform
from bot.testing.slack_platform.world import BOT_USER, TEAM, Channel, ChannelKind, Message

__all__ = [
    "APP_TOKEN",
    "BOT_TOKEN",
    "BOT_USER",
    "SIGNING_SECRET",
    "TEAM",
    "Call",
    "Channel",
    "ChannelKind",
    "CutAfter",
    "Delay",
    "Fault",
    "Message",
    "Person",
    "RateLimited",
    "Refused",
    "Reset",
    "SlackPlatform",
    "Status",
]

"""A strict loopback Slack: Web API, Socket Mode, signed HTTP events, people, faults."""

from bot.loopback.slack.faults import (
    CutAfter,
    Delay,
    Fault,
    RateLimited,
    Refused,
    Reset,
    Status,
)
from bot.loopback.slack.log import Call
from bot.loopback.slack.people import Person
from bot.loopback.slack.platform import APP_TOKEN, BOT_TOKEN, SIGNING_SECRET, SlackPlatform
from bot.loopback.slack.world import BOT_USER, TEAM, Channel, ChannelKind, Draft, Message

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
    "Draft",
    "Fault",
    "Message",
    "Person",
    "RateLimited",
    "Refused",
    "Reset",
    "SlackPlatform",
    "Status",
]

"""A strict loopback Telegram: the Bot API over HTTP, people, groups, topics, faults."""

from bot.loopback.telegram.faults import CutAfter, Delay, Fault, Limited, Reset, Status
from bot.loopback.telegram.platform import TOKEN, Person, TelegramPlatform
from bot.loopback.telegram.world import BOT_ID, BOT_NAME, Chat, Message

__all__ = [
    "BOT_ID",
    "BOT_NAME",
    "TOKEN",
    "Chat",
    "CutAfter",
    "Delay",
    "Fault",
    "Limited",
    "Message",
    "Person",
    "Reset",
    "Status",
    "TelegramPlatform",
]

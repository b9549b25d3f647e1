"""The chat platforms. A new one is named here and in `bot/domain/places.py`."""

from bot.chat.discord_chat.platform import DISCORD
from bot.chat.slack_chat.platform import SLACK
from bot.chat.telegram_chat.platform import TELEGRAM
from bot.chat.terminal.platform import TRAITS as TERMINAL_TRAITS
from bot.domain.platforms import KnownPlatforms
from bot.plugin.chat import AnyPlatform

PLATFORMS: tuple[AnyPlatform, ...] = (DISCORD, SLACK, TELEGRAM)
KNOWN = KnownPlatforms((*(platform.traits for platform in PLATFORMS), TERMINAL_TRAITS))

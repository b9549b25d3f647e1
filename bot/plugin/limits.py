"""For chat platforms: the limits of their calls, which wait in order and yield to urgent ones."""

from bot.chat.limits import CallWindow as CallWindow
from bot.chat.limits import HeldUp as HeldUp
from bot.chat.limits import Limiter as Limiter
from bot.chat.limits import Rate as Rate
from bot.chat.limits import sleep_unless as sleep_unless

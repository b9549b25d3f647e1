"""For chat platforms: the limits of their calls, which wait in order and yield to urgent ones."""

from bot.chat.limits import CallWindow, HeldUp, Limiter, Rate, sleep_unless

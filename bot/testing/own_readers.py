"""The readers of files that our own plug-ins bring."""

from bot.assembly.own_plugins import OWN
from bot.assembly.plugins import readers_of

OWN_READERS = readers_of(OWN)

"""`bellhop import nanobot`: moving in from nanobot."""

from bot.plugin.plugin import HomeImporter, NoSettings, Plugin


class Nanobot(Plugin[NoSettings]):
    name = "nanobot"
    title = "moving in from nanobot"
    importers = (HomeImporter("nanobot", "nanobot", "bot.plugins.nanobot.reading:read"),)

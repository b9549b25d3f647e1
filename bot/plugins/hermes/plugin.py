"""`bellhop import hermes`: moving in from Hermes Agent."""

from bot.plugin.plugin import HomeImporter, NoSettings, Plugin


class Hermes(Plugin[NoSettings]):
    name = "hermes"
    title = "moving in from Hermes Agent"
    importers = (HomeImporter("hermes", "Hermes Agent", "bot.plugins.hermes.reading:read"),)

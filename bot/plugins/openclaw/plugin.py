"""`bellhop import openclaw`: moving in from OpenClaw."""

from bot.plugin.plugin import HomeImporter, NoSettings, Plugin


class OpenClaw(Plugin[NoSettings]):
    name = "openclaw"
    title = "moving in from OpenClaw"
    importers = (HomeImporter("openclaw", "OpenClaw", "bot.plugins.openclaw.reading:read"),)

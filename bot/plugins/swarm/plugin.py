"""A queen and her ants, who work on one project side by side."""

from bot.plugin.plugin import NoSettings, Plugin


class SwarmPlugin(Plugin[NoSettings]):
    name = "swarm"
    title = "a queen whose ants build a project side by side"

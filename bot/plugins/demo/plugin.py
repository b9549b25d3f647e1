"""The whole product in a browser, without an account."""

from bot.plugin.plugin import NoSettings, Plugin
from bot.plugins.demo.command import DEMO


class Demo(Plugin[NoSettings]):
    name = "demo"
    title = "Bellhop in a browser, on a Discord and a Slack of this machine"
    commands = (DEMO,)

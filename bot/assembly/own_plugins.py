"""Our own plug-ins. To delete one, delete its folder, and its lines here."""

from bot.connections.services import Service
from bot.plugin.plugin import AnyPlugin
from bot.plugins.browser.plugin import Browser
from bot.plugins.console.plugin import Console
from bot.plugins.firewall.plugin import Firewall
from bot.plugins.github.plugin import GitHub
from bot.plugins.google.plugin import Google
from bot.plugins.hermes.plugin import Hermes
from bot.plugins.machine.plugin import MachinePlugin
from bot.plugins.mail.plugin import MailPlugin
from bot.plugins.nanobot.plugin import Nanobot
from bot.plugins.network.plugin import Network
from bot.plugins.notion.plugin import Notion
from bot.plugins.openclaw.plugin import OpenClaw
from bot.plugins.outlook.plugin import Outlook
from bot.plugins.slack.plugin import SlackAccount
from bot.plugins.swarm.plugin import SwarmPlugin
from bot.plugins.web_tools.plugin import WebToolsPlugin

OWN: tuple[AnyPlugin, ...] = (
    WebToolsPlugin(),
    Network(),
    MachinePlugin(),
    Firewall(),
    Google(),
    Outlook(),
    Notion(),
    GitHub(),
    SlackAccount(),
    MailPlugin(),
    Browser(),
    Console(),
    SwarmPlugin(),
    OpenClaw(),
    Hermes(),
    Nanobot(),
)
OWN_SERVICES: tuple[Service, ...] = tuple(one for plugin in OWN for one in plugin.services)
"""All services that people can connect without plug-ins of others."""

"""Our own plug-ins. To delete one, delete its folder, its lines here, and those in own_commands.

The demo plays the offline model, and chat services on loopback: whoever deletes one of these
deletes the demo, too.
"""

from bot.chat.terminal.platform import TRAITS as TERMINAL
from bot.connections.services import Service
from bot.domain.platforms import KnownPlatforms
from bot.plugin.chat import AnyPlatform
from bot.plugin.plugin import AnyPlugin
from bot.plugins.booking.plugin import BookingPlugin
from bot.plugins.browser.plugin import Browser
from bot.plugins.calendars.plugin import CalendarsPlugin
from bot.plugins.clock.plugin import ClockPlugin
from bot.plugins.collections.plugin import Collections
from bot.plugins.console.plugin import Console
from bot.plugins.demo.plugin import Demo
from bot.plugins.discord_chat.plugin import DiscordChatPlugin
from bot.plugins.document_formats.plugin import DocumentFormats
from bot.plugins.firewall.plugin import Firewall
from bot.plugins.forums.plugin import Forums
from bot.plugins.github.plugin import GitHub
from bot.plugins.google.plugin import Google
from bot.plugins.hermes.plugin import Hermes
from bot.plugins.importing.plugin import Importing
from bot.plugins.knowledge.plugin import Knowledge
from bot.plugins.machine.plugin import MachinePlugin
from bot.plugins.made_files.plugin import MadeFiles
from bot.plugins.mail.plugin import MailPlugin
from bot.plugins.mailboxes.plugin import MailboxesPlugin
from bot.plugins.making.plugin import Making
from bot.plugins.mcp.plugin import McpPlugin
from bot.plugins.meetings.plugin import Meetings
from bot.plugins.nanobot.plugin import Nanobot
from bot.plugins.network.plugin import Network
from bot.plugins.notes.plugin import Notes
from bot.plugins.notion.plugin import Notion
from bot.plugins.offline_model.plugin import OfflineModelPlugin
from bot.plugins.openclaw.plugin import OpenClaw
from bot.plugins.outlook.plugin import Outlook
from bot.plugins.people.plugin import PeoplePlugin
from bot.plugins.polls.plugin import Polls
from bot.plugins.postgresql.plugin import PostgreSQL
from bot.plugins.server_events.plugin import ServerEvents
from bot.plugins.slack.plugin import SlackAccount
from bot.plugins.slack_chat.plugin import SlackChatPlugin
from bot.plugins.swarm.plugin import SwarmPlugin
from bot.plugins.telegram_chat.plugin import TelegramChatPlugin
from bot.plugins.transcription.plugin import Transcription
from bot.plugins.web_tools.plugin import WebToolsPlugin
from bot.plugins.workspaces.plugin import Workspaces

OWN: tuple[AnyPlugin, ...] = (
    DocumentFormats(),
    MadeFiles(),
    Notes(),
    Knowledge(),
    ClockPlugin(),
    Workspaces(),
    WebToolsPlugin(),
    Network(),
    MachinePlugin(),
    Firewall(),
    Google(),
    Outlook(),
    CalendarsPlugin(),
    MailboxesPlugin(),
    Notion(),
    GitHub(),
    SlackAccount(),
    MailPlugin(),
    Transcription(),
    McpPlugin(),
    Browser(),
    Console(),
    Demo(),
    SwarmPlugin(),
    Making(),
    Meetings(),
    Collections(),
    PeoplePlugin(),
    Polls(),
    Forums(),
    ServerEvents(),
    BookingPlugin(),
    DiscordChatPlugin(),
    SlackChatPlugin(),
    TelegramChatPlugin(),
    OfflineModelPlugin(),
    PostgreSQL(),
    Importing(),
    OpenClaw(),
    Hermes(),
    Nanobot(),
)
OWN_SERVICES: tuple[Service, ...] = tuple(one for plugin in OWN for one in plugin.services)
"""All services that people can connect without plug-ins of others."""
OWN_PLATFORMS: tuple[AnyPlatform, ...] = tuple(one for plugin in OWN for one in plugin.platforms)
KNOWN_PLATFORMS = KnownPlatforms((*(one.traits for one in OWN_PLATFORMS), TERMINAL))
"""The traits of all platforms that are there without plug-ins of others, and of the terminal."""

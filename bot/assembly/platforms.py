"""The chat platforms and the HTTP server that the settings switch on."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from bot.automations.settings import AutomationSettings
from bot.automations.webhooks import PATH as WEBHOOK_PATH
from bot.automations.webhooks import Webhooks
from bot.chat.discord_chat.settings import DiscordSettings
from bot.chat.discord_chat.tokens import token_problem
from bot.chat.slack_chat.settings import SlackSettings, SlackTokens
from bot.connections.connecting import CALLBACK, Connecting
from bot.connectors.mail.inbound import NOTICE_BYTES, Inbound
from bot.connectors.mail.inbound import PATH as MAIL_PATH
from bot.console.connect_page import ConnectPage
from bot.console.health import health_to_json
from bot.console.settings import ConsoleSettings
from bot.domain.chat import ChatAdapter, Recovery, ServedOverHttp
from bot.domain.clock import Clock
from bot.domain.database import Database
from bot.domain.json_types import JsonObject
from bot.domain.native_commands import NativeCommands, NativePlatform
from bot.errors import SettingsError
from bot.sessions.outbox.draft_store import DraftStore
from bot.sessions.records.conversation_store import is_followed
from bot.sessions.upkeep.checkup import Checkup
from bot.settings import Settings
from bot.storage.blobs import Blobs


def platforms_wanted(settings: Settings) -> bool:
    """Whether this home serves Discord or Slack, which only `bellhop run` does."""
    return settings.get(DiscordSettings).enabled or settings.get(SlackSettings).enabled


def build_platforms(
    settings: Settings,
    database: Database,
    blobs: Blobs,
    clock: Clock,
    recovery: Recovery | None = None,
) -> list[ChatAdapter]:
    """The chat platforms that the settings switch on; `recovery` knows how far each was heard.

    Raises SettingsError with one line for each token that is missing or of the wrong kind. Their
    modules are imported here, so that only an installation that uses a platform pays for its SDK.
    """

    async def follows(conversation: str) -> bool:
        return await is_followed(database, conversation)

    chats: list[ChatAdapter] = []
    problems: list[str] = []
    discord = settings.get(DiscordSettings)
    if discord.enabled:
        from bot.chat.discord_chat.adapter import DiscordChat  # noqa: PLC0415

        token = settings.secret("DISCORD_TOKEN") or ""
        if problem := token_problem(token):
            problems.append(f"{problem}, or set discord.enabled to false")
        chats.append(
            DiscordChat(
                discord,
                token,
                clock,
                followed=follows,
                recovery=recovery,
                read_blob=blobs.get,
                drafts=DraftStore(database),
            )
        )
    slack = settings.get(SlackSettings)
    if slack.enabled:
        from bot.chat.slack_chat.adapter import SlackChat  # noqa: PLC0415

        tokens = slack_tokens(settings)
        problems += [
            f"{problem}, or set slack.enabled to false" for problem in tokens.problems(slack)
        ]
        chats.append(
            SlackChat(
                slack,
                tokens,
                clock,
                followed=follows,
                recovery=recovery,
                read_blob=blobs.get,
                drafts=DraftStore(database),
            )
        )
    if problems:
        raise SettingsError("\n".join(problems))
    return chats


def offer_commands(chats: Sequence[ChatAdapter], native: NativeCommands) -> None:
    """Let platforms with commands or forms of their own have ours."""
    for chat in chats:
        if isinstance(chat, NativePlatform):
            chat.offer(native)


def slack_tokens(settings: Settings) -> SlackTokens:
    """The secrets of Slack, empty where there are none."""
    return SlackTokens(
        settings.secret("SLACK_BOT_TOKEN") or "",
        settings.secret("SLACK_APP_TOKEN") or "",
        settings.secret("SLACK_SIGNING_SECRET") or "",
    )


def http_server(
    settings: Settings,
    chats: Sequence[ChatAdapter],
    checkup: Checkup,
    clock: Clock,
    webhooks: Webhooks | None = None,
    inbound: Inbound | None = None,
    connecting: Connecting | None = None,
) -> list[Callable[[], Awaitable[None]]]:
    """The HTTP server as a task, where console.port switches it on.

    Raises SettingsError when Slack needs it.
    """
    console, slack = settings.get(ConsoleSettings), settings.get(SlackSettings)
    needed = slack.mode == "http" and slack.port is None
    carried = [chat for chat in chats if needed and isinstance(chat, ServedOverHttp)]
    if not console.port:
        if carried:
            raise SettingsError(
                "slack.mode is http, but nothing listens: set console.port (or slack.port) to "
                "a port"
            )
        return []
    from bot.console.http import HttpServer, Receiver  # noqa: PLC0415 - imports aiohttp

    async def health() -> tuple[int, JsonObject]:
        found = await checkup.look()
        return (200 if found.fit else 503), health_to_json(found)

    def routes() -> list[Any]:
        return [route for chat in carried for route in chat.routes()]

    most = settings.get(AutomationSettings).webhook_kb * 1024
    receivers = [Receiver(WEBHOOK_PATH, webhooks.receive, most)] if webhooks is not None else []
    if inbound is not None:
        receivers.append(Receiver(MAIL_PATH, inbound.receive, NOTICE_BYTES))
    pages = {CALLBACK: ConnectPage(connecting)} if connecting is not None else {}
    return [
        HttpServer(
            console.host, console.port, clock, {"/health": health}, routes, receivers, pages
        ).run
    ]

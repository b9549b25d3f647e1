"""The chat platforms and the HTTP server that the settings switch on."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from bot.assembly.plugins import platforms_of
from bot.automations.webhooks import MOST_BYTES, Webhooks
from bot.automations.webhooks import PATH as WEBHOOK_PATH
from bot.connections.connecting import CALLBACK, Connecting
from bot.domain.chat import ChatAdapter, Recovery, ServedOverHttp
from bot.domain.clock import Clock
from bot.domain.database import Database
from bot.domain.json_types import JsonObject
from bot.endpoints.connect_page import ConnectPage
from bot.endpoints.health import health_to_json
from bot.endpoints.settings import ConsoleSettings
from bot.errors import SettingsError
from bot.plugin.chat import AnyPlatform, ChatServices, Secrets
from bot.plugin.http import Receiver
from bot.plugin.site import SitePage
from bot.sessions.inbox.platforms import Checkup, Supervised
from bot.sessions.outbox.outbox_store import DraftStore
from bot.sessions.records.conversation_store import is_followed
from bot.settings import Settings
from bot.storage.blobs import Blobs

if TYPE_CHECKING:
    from bot.endpoints.http import TextAnswer


def secrets_of(settings: Settings) -> Secrets:
    """The secrets of a home, empty where there are none."""
    return lambda name: settings.secret(name) or ""


def platforms_wanted(settings: Settings) -> list[AnyPlatform]:
    """The platforms that are switched on; only `bellhop run` serves them."""
    return [one for one in platforms_of(settings) if settings.get(one.settings).enabled]


@dataclass(frozen=True)
class ServedLine:
    """An adapter and the line that it serves."""

    line: str
    adapter: ChatAdapter
    listens_anyway: bool = False
    """Whether its platform gives each event to any gateway, whoever holds the line."""


@dataclass(frozen=True)
class Lines:
    """`connected` are this process's own adapters; `by_platform` is the way to every platform."""

    connected: Sequence[ChatAdapter]
    by_platform: Mapping[str, ChatAdapter]
    supervised: Sequence[Supervised]
    tasks: Sequence[Callable[[], Awaitable[None]]] = ()


def build_served(
    settings: Settings,
    database: Database,
    blobs: Blobs,
    clock: Clock,
    recovery: Recovery | None = None,
) -> list[ServedLine]:
    """The chat platforms that the settings switch on; `recovery` knows how far each was heard.

    Raises SettingsError with one line for each token that is missing or of the wrong kind.
    """

    async def follows(conversation: str) -> bool:
        return await is_followed(database, conversation)

    wanted, secret = platforms_wanted(settings), secrets_of(settings)
    problems = [
        f"{problem}, or set {platform.name}.enabled to false"
        for platform in wanted
        for problem in platform.problems(settings.get(platform.settings), secret)
    ]
    if problems:
        raise SettingsError("\n".join(problems))
    services = ChatServices(clock, follows, recovery, blobs.get, DraftStore(database))
    return [
        ServedLine(
            line,
            platform.build(settings.get(platform.settings), secret, replace(services, line=line)),
            platform.gives_events_to_any(settings.get(platform.settings)),
        )
        for platform in wanted
        for line in platform.lines(settings.get(platform.settings))
    ]


def http_server(  # noqa: PLR0913, PLR0917 - each is what it serves
    settings: Settings,
    chats: Sequence[ChatAdapter],
    checkup: Checkup,
    clock: Clock,
    webhooks: Webhooks | None = None,
    connecting: Connecting | None = None,
    more: Sequence[Receiver] = (),
    texts: "Mapping[str, TextAnswer] | None" = None,
    sites: Sequence[SitePage] = (),
) -> list[Callable[[], Awaitable[None]]]:
    """The HTTP server as a task, where console.port switches it on. `more`: paths of plug-ins.

    Raises SettingsError when a platform needs it and nothing listens.
    """
    console = settings.get(ConsoleSettings)
    needed = {
        platform.name: why
        for platform in platforms_of(settings)
        if (why := platform.needs_server(settings.get(platform.settings)))
    }
    carried = [
        chat for chat in chats if chat.platform in needed and isinstance(chat, ServedOverHttp)
    ]
    if not console.port:
        if carried:
            raise SettingsError("\n".join(needed[chat.platform] for chat in carried))
        return []
    from bot.endpoints.http import HtmlPage, HttpServer  # noqa: PLC0415 - imports aiohttp

    async def health() -> tuple[int, JsonObject]:
        found = await checkup.look()
        return (200 if found.fit else 503), health_to_json(found)

    def routes() -> list[Any]:
        return [route for chat in carried for route in chat.routes()]

    receivers = (
        [Receiver(WEBHOOK_PATH, webhooks.receive, MOST_BYTES)] if webhooks is not None else []
    )
    receivers += more
    pages: dict[str, HtmlPage] = {}
    if connecting is not None:
        pages[CALLBACK] = ConnectPage(connecting)
    return [
        HttpServer(
            console.host,
            console.port,
            clock,
            {"/health": health},
            routes,
            receivers,
            pages,
            texts,
            sites,
        ).run
    ]

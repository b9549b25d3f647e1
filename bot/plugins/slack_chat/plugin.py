"""Slack as a chat platform: its record for the rest of the program."""

import re
from collections.abc import Sequence

from bot.plugin.chat import (
    AppAccount,
    ChatAdapter,
    ChatPlatform,
    ChatServices,
    Check,
    IdTable,
    Phrase,
    PlaceTable,
    PlatformTraits,
    Secret,
    Secrets,
    place_ids,
)
from bot.plugin.clock import SystemClock
from bot.plugin.payloads import JsonObject
from bot.plugin.plugin import NoSettings, Plugin
from bot.plugins.slack_chat.settings import SlackSettings, SlackTokens

BOT_TOKEN, APP_TOKEN = "SLACK_BOT_TOKEN", "SLACK_APP_TOKEN"
SIGNING_SECRET = "SLACK_SIGNING_SECRET"  # noqa: S105 - the name of it
_CHANNEL = re.compile(r"[CDG][A-Z0-9]+")
_GROUP = re.compile(r"S[A-Z0-9]+")
_SUBSCRIPTIONS = (
    "Slack does not say which events the app gets; if it does not react, compare Event "
    "Subscriptions (bot events) with `bellhop slack-manifest`"
)

TRAITS = PlatformTraits(
    name="slack",
    title="Slack",
    formatting=" Slack: markdown, under 12000 characters.",
    ids_per_workspace=True,
    id_form="TEAM:USER",
    id_example="T0123ABCD:U0123ABCD",
    id_shape=re.compile(r"\w+:\w+"),
    id_remedy="must be written <team>:<user>, like T0123:U0456",
    id_required=True,
    mention=re.compile(r"<@([A-Z0-9]+)(?:\|[^>]*)?>|@?([UW][A-Z0-9]{6,14})"),
    claim="/bellhop claim {code}",
    has_roles=True,
    has_file_forms=True,
    names_emoji=True,
    here=Phrase("in this Slack workspace"),
    there=Phrase("in the Slack workspace {id}"),
)


def _tokens(secret: Secrets) -> SlackTokens:
    return SlackTokens(secret(BOT_TOKEN), secret(APP_TOKEN), secret(SIGNING_SECRET))


def _is_channel(text: str) -> bool:
    return _CHANNEL.fullmatch(text) is not None


def _is_group(text: str) -> bool:
    return _GROUP.fullmatch(text) is not None


class Slack(ChatPlatform[SlackSettings]):
    """Slack, through its Web API and Socket Mode or signed requests."""

    traits = TRAITS
    settings = SlackSettings
    secrets = (
        Secret(BOT_TOKEN, "Bot token, xoxb-…"),
        Secret(APP_TOKEN, "App token, xapp-…"),
        Secret(SIGNING_SECRET),
    )
    secrets_note = (
        ": bot (xoxb-...) and app token (xapp-...); the signing secret only for slack.mode http"
    )
    first_steps = 4
    try_it = "then /invite @Bellhop in a channel on Slack and mention it"
    id_tables = (
        IdTable("slack.channels", place_ids(_is_channel), "at the end of the channel's details"),
        IdTable("access.roles.slack", _is_group, "in the address of the user group's page"),
    )

    def build(
        self, settings: SlackSettings, secret: Secrets, services: ChatServices
    ) -> ChatAdapter:
        from bot.plugins.slack_chat.adapter import SlackChat  # noqa: PLC0415 - imports the SDK

        return SlackChat(settings, _tokens(secret), services)

    def problems(self, settings: SlackSettings, secret: Secrets) -> Sequence[str]:
        return _tokens(secret).problems(settings)

    def gives_events_to_any(self, settings: SlackSettings) -> bool:
        return settings.mode == "http"

    def needs_server(self, settings: SlackSettings) -> str:
        if settings.mode != "http":
            return ""
        return "slack.mode is http, but nothing listens: set console.port to a port"

    async def examine(self, settings: SlackSettings, secret: Secrets) -> Sequence[Check]:
        from bot.plugins.slack_chat.examine import examine  # noqa: PLC0415 - imports the SDK

        found = await examine(settings, _tokens(secret), SystemClock())
        if found[0].state == "ok":
            found.append(Check("slack subscriptions", "ok", _SUBSCRIPTIONS))
        return found

    async def canary(self, settings: SlackSettings, secret: Secrets, channel: str) -> Check:
        from bot.plugins.slack_chat.examine import try_canary  # noqa: PLC0415 - imports the SDK

        return await try_canary(settings, _tokens(secret), SystemClock(), channel)

    def manifest(
        self,
        settings: SlackSettings,
        url: str = "",
        links: str = "",
        account: AppAccount | None = None,
    ) -> JsonObject:
        from bot.plugins.slack_chat.manifest import (  # noqa: PLC0415 - most of the adapter
            manifest,
            with_accounts,
            with_links,
        )

        if settings.mode == "http" and not url.startswith("https://"):
            raise ValueError("slack.mode is http: give the public address with --url https://...")
        made = manifest(settings, url) if url else manifest(settings)
        made = with_links(made, links) if links else made
        return made if account is None else with_accounts(made, account.scopes, account.back)

    def steps(self, application: str = "") -> Sequence[str]:
        """With Socket Mode, which needs no public address."""
        return (
            "1. bellhop slack-manifest --out slack.json",
            "2. https://api.slack.com/apps > Create New App > From a manifest: choose the"
            " workspace, paste slack.json",
            "3. Install App > Install to Workspace: put the Bot User OAuth Token (xoxb-...) into"
            " .env as SLACK_BOT_TOKEN",
            "4. Basic Information > App-Level Tokens > Generate Token and Scopes, with"
            " connections:write: put the token (xapp-...) into .env as SLACK_APP_TOKEN",
            "5. bellhop.yaml: slack: {enabled: true}",
            "6. In Slack: /invite @Bellhop in each channel where it is to answer",
        )

    def state(self, settings: SlackSettings) -> str:
        return f"on, mode {settings.mode}"

    def is_channel(self, text: str) -> bool:
        return _is_channel(text)

    def place_tables(self, settings: SlackSettings) -> Sequence[PlaceTable]:
        return (PlaceTable("channels", settings.channels),)


SLACK = Slack()


class SlackChatPlugin(Plugin[NoSettings]):
    name = "slack_chat"
    title = "people on Slack"
    platforms = (SLACK,)

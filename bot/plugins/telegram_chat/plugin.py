"""Telegram as a chat platform: its record for the rest of the program."""

import re
from collections.abc import Sequence

from bot.plugin.chat import (
    DIRECT,
    ChatAdapter,
    ChatPlatform,
    ChatServices,
    Check,
    IdTable,
    PlaceTable,
    PlatformTraits,
    Secret,
    Secrets,
    place_ids,
)
from bot.plugin.clock import SystemClock
from bot.plugin.plugin import NoSettings, Plugin
from bot.plugins.telegram_chat.settings import TelegramSecrets, TelegramSettings

BOT_TOKEN = "TELEGRAM_BOT_TOKEN"  # noqa: S105 - the name of it
WEBHOOK_SECRET = "TELEGRAM_WEBHOOK_SECRET"  # noqa: S105 - the name of it
_CHAT = re.compile(r"-?\d{1,20}")
_GROUP = re.compile(r"-\d{1,20}")

TRAITS = PlatformTraits(
    name="telegram",
    title="Telegram",
    formatting=" Telegram: markdown without tables, images or headings, under 4000 characters.",
    workspace_in_person_id=False,
    id_example="123456789",
    id_shape=re.compile(r"\d{1,20}"),
    id_remedy=(
        "is no Telegram id; write the number of the account, never @username, which can change "
        "hands: the card about a stranger shows it (access.unknown_people: pair)"
    ),
    id_required=True,
    mention=re.compile(r"<@(\d{1,20})>|(\d{5,20})"),
    direct_workspace=DIRECT,
    claim="/claim {code}",
)


def _secrets(secret: Secrets) -> TelegramSecrets:
    return TelegramSecrets(secret(BOT_TOKEN), secret(WEBHOOK_SECRET))


def _is_group(text: str) -> bool:
    return _GROUP.fullmatch(text) is not None


class Telegram(ChatPlatform[TelegramSettings]):
    """Telegram, through its Bot API."""

    traits = TRAITS
    settings = TelegramSettings
    secrets = (Secret(BOT_TOKEN, "Token of the bot"), Secret(WEBHOOK_SECRET))
    secrets_note = ": the token from @BotFather; the secret only for telegram.url"
    first_steps = 2
    try_it = "then write to the bot on Telegram, or add it to a group and mention it"
    id_tables = (
        IdTable("telegram.channels", place_ids(_is_group), "in the log when a group writes"),
    )

    def build(
        self, settings: TelegramSettings, secret: Secrets, services: ChatServices
    ) -> ChatAdapter:
        from bot.plugins.telegram_chat.adapter import TelegramChat  # noqa: PLC0415 - the adapter late

        return TelegramChat(settings, _secrets(secret), services)

    def problems(self, settings: TelegramSettings, secret: Secrets) -> Sequence[str]:
        return _secrets(secret).problems(settings)

    def gives_events_to_any(self, settings: TelegramSettings) -> bool:
        return bool(settings.url)

    def needs_server(self, settings: TelegramSettings) -> str:
        if not settings.url:
            return ""
        return "telegram.url is set, but nothing listens: set console.port to a port"

    async def examine(self, settings: TelegramSettings, secret: Secrets) -> Sequence[Check]:
        from bot.plugins.telegram_chat.examine import examine  # noqa: PLC0415 - imports the library

        return await examine(settings, _secrets(secret), SystemClock())

    async def canary(self, settings: TelegramSettings, secret: Secrets, channel: str) -> Check:
        from bot.plugins.telegram_chat.examine import try_canary  # noqa: PLC0415 - the same

        return await try_canary(settings, _secrets(secret), SystemClock(), channel)

    def steps(self, application: str = "") -> Sequence[str]:
        """With long polling, which needs no public address."""
        return (
            "1. In Telegram write to @BotFather: /newbot, then a name and a username that ends in"
            " bot",
            "2. Put the token that it gives (123456789:AA...) into .env as TELEGRAM_BOT_TOKEN",
            "3. bellhop.yaml: telegram: {enabled: true}",
            "4. Write to the bot: in a private chat it answers everything",
            "5. Add it to groups. In privacy mode it sees mentions, replies and commands there; for"
            " context, let @BotFather switch that off (/setprivacy) and add the bot anew",
            "6. To let it tell who is in a group, make it an administrator there; it needs no"
            " rights",
        )

    def state(self, settings: TelegramSettings) -> str:
        return f"on, {settings.mode}"

    def is_channel(self, text: str) -> bool:
        return _CHAT.fullmatch(text) is not None

    def place_tables(self, settings: TelegramSettings) -> Sequence[PlaceTable]:
        return (PlaceTable("channels", settings.channels),)


TELEGRAM = Telegram()


class TelegramChatPlugin(Plugin[NoSettings]):
    name = "telegram_chat"
    title = "people on Telegram"
    platforms = (TELEGRAM,)

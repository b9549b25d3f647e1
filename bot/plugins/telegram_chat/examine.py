"""Is Telegram set up right? The questions of `bellhop doctor --live`, with remedies."""

from bot.plugin.chat import Check
from bot.plugin.clock import Clock
from bot.plugin.payloads import number_in, text_in
from bot.plugins.telegram_chat.connection import TelegramConnection
from bot.plugins.telegram_chat.places import Me
from bot.plugins.telegram_chat.settings import TelegramSecrets, TelegramSettings
from bot.plugins.telegram_chat.trouble import TelegramTrouble
from bot.plugins.telegram_chat.updates import PATH

CANARY = "Checking that I can write here. I delete this at once."
_PRIVACY = (
    "privacy mode is on: in groups it sees mentions, replies and commands only; @BotFather, "
    "/setprivacy changes that"
)


async def examine(
    settings: TelegramSettings, secrets: TelegramSecrets, clock: Clock
) -> list[Check]:
    """Ask Telegram about the token and the way of updates; never raises for problems."""
    if problems := secrets.problems(settings):
        return [Check("telegram token", "error", problem) for problem in problems]
    connection = TelegramConnection(secrets, settings, clock)
    try:
        me = Me.read(await connection.call("getMe"))
        found = [Check("telegram", "ok", f"@{me.username} ({me.id})")]
        sees = "it sees every message of its groups" if me.reads_all else _PRIVACY
        found.append(Check("telegram groups", "ok", sees))
        found.append(await _way_in(connection, settings))
    except TelegramTrouble as trouble:
        return [Check("telegram", "error", f"{trouble}; check TELEGRAM_BOT_TOKEN")]
    else:
        return found
    finally:
        await connection.close()


async def _way_in(connection: TelegramConnection, settings: TelegramSettings) -> Check:
    """Which way updates take now; Telegram knows one way at a time."""
    info = await connection.call("getWebhookInfo")
    url, waiting = text_in(info, "url"), number_in(info, "pending_update_count")
    if not settings.url:
        if url:
            return Check(
                "telegram updates",
                "warning",
                f"a webhook is set ({url}); `bellhop run` removes it and polls",
            )
        return Check("telegram updates", "ok", f"long polling, {waiting} waiting")
    wanted = f"{settings.url}{PATH}"
    if url != wanted:
        return Check(
            "telegram updates", "warning", f"`bellhop run` sets the webhook to {wanted}; now: {url}"
        )
    if wrong := text_in(info, "last_error_message"):
        return Check("telegram updates", "warning", f"{wrong} ({waiting} waiting at {url})")
    return Check("telegram updates", "ok", f"webhook {url}, {waiting} waiting")


async def try_canary(
    settings: TelegramSettings, secrets: TelegramSecrets, clock: Clock, chat: str
) -> Check:
    """Post in a chat and delete it; returns every finding."""
    connection, reached = TelegramConnection(secrets, settings, clock), "could not post"
    try:
        posted = await connection.call("sendMessage", chat_id=chat, text=CANARY)
        reached = "posted, but could not delete it"
        await connection.call(
            "deleteMessage", chat_id=chat, message_id=number_in(posted, "message_id")
        )
    except TelegramTrouble as trouble:
        return Check("telegram canary", "error", f"{reached}: {trouble}")
    finally:
        await connection.close()
    return Check(
        "telegram canary", "ok", f"posted in {chat} and deleted; bots can't read a history"
    )

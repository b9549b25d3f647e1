"""Is Discord set up right? The questions of `bellhop doctor --live`, with remedies."""

import asyncio

from bot.plugin.chat import Check, DeliveryError, SettingsError
from bot.plugins.discord_chat.account import NO_CONTENT, DiscordAccount, invite_link
from bot.plugins.discord_chat.adapter import examine_account
from bot.plugins.discord_chat.settings import DiscordSettings

LONGEST_S = 30.0
_NAMED = 5
"""The number of servers that are named; the others are counted."""


async def examine(settings: DiscordSettings, token: str) -> list[Check]:
    """Ask Discord about the token and its rights; never raises for problems that it finds."""
    try:
        async with asyncio.timeout(LONGEST_S):
            account = await examine_account(settings, token)
    except TimeoutError:
        late = (
            f"Discord did not answer within {LONGEST_S:.0f} seconds; try again, or look at "
            "discordstatus.com"
        )
        return [Check("discord", "error", late)]
    except (SettingsError, DeliveryError) as error:
        return [Check("discord", "error", str(error))]
    return [
        Check("discord", "ok", f"@{account.name} (application {account.id})"),
        _intents(account),
        _servers(account),
        *_endpoint(account),
    ]


def _intents(account: DiscordAccount) -> Check:
    if account.message_content:
        return Check("discord intents", "ok", "Message Content is on")
    return Check("discord intents", "error", f"Message Content is off; {NO_CONTENT}")


def _servers(account: DiscordAccount) -> Check:
    if not account.guilds:
        invite = f"{account.name} is in none; invite it: {invite_link(account.id)}"
        return Check("discord servers", "warning", invite)
    more = len(account.guilds) - _NAMED
    named = ", ".join(account.guilds[:_NAMED])
    return Check("discord servers", "ok", f"{named} and {more} more" if more > 0 else named)


def _endpoint(account: DiscordAccount) -> list[Check]:
    if account.interactions_endpoint is None:
        return []
    text = (
        f"commands and clicks go to {account.interactions_endpoint}; remove the Interactions "
        "Endpoint URL in the developer portal (General Information)"
    )
    return [Check("discord commands", "error", text)]

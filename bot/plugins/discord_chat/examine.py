"""Is Discord set up right, and a channel? The questions of `bellhop doctor --live`."""

import asyncio
from collections.abc import Awaitable, Callable

from bot.plugin.chat import BotError, Check, DeliveryError, SettingsError
from bot.plugin.payloads import Unreadable
from bot.plugins.discord_chat.account import NO_CONTENT, DiscordAccount, invite_link
from bot.plugins.discord_chat.interactions import choices
from bot.plugins.discord_chat.rates import Pace
from bot.plugins.discord_chat.rest import MESSAGES
from bot.plugins.discord_chat.seen import (
    Answer,
    Line,
    RestCall,
    SeenClick,
    SeenCommand,
    SeenDeletion,
    SeenMessage,
    SeenReaction,
    SeenTyping,
)
from bot.plugins.discord_chat.settings import DiscordSettings

LONGEST_S = 30.0
_NAMED = 5
"""The number of servers that are named; the others are counted."""


async def examine(settings: DiscordSettings, token: str) -> list[Check]:
    """Ask Discord about the token and its rights; never raises for problems that it finds."""
    from bot.plugins.discord_chat.client import read_account  # noqa: PLC0415 - imports discord.py

    try:
        async with asyncio.timeout(LONGEST_S):
            account = await read_account(settings, token)
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


TEXT = "Checking that I can write and hear here. I delete this at once."
_CHECK = "discord canary"


async def try_canary(
    settings: DiscordSettings, token: str, channel: str, longest_s: float = LONGEST_S
) -> Check:
    """Never raises for problems that it finds. A running Bellhop works as before, meanwhile."""
    ear = _Ear(channel)
    try:
        async with asyncio.timeout(longest_s):
            await ear.listen(settings, token)
    except TimeoutError:
        return Check(
            _CHECK, "error", f"{ear.reached}, but nothing was heard for {longest_s:.0f} seconds"
        )
    except BotError as error:
        return Check(_CHECK, "error", f"{ear.reached}: {error}")
    return Check(_CHECK, "ok", f"posted in {channel}, deleted, and heard")


class _Ear:
    """Implements seen.Events in its own session, which receives the canary's deletion."""

    def __init__(self, channel: str) -> None:
        self.reached = "not connected"
        self._channel = channel
        self._line: Line | None = None
        self._listed = asyncio.Event()
        self._deleted = asyncio.Condition()
        self._gone: set[str] = set()

    async def listen(self, settings: DiscordSettings, token: str) -> None:
        """Returns once the message was received.

        Raises CallRefused, CallFailed, DeliveryError or SettingsError.
        """
        from bot.plugins.discord_chat.client import serve  # noqa: PLC0415 - imports discord.py

        serving = asyncio.create_task(serve(settings, token, self, Pace(), Unreadable("discord")))
        trying = asyncio.create_task(self._try())
        try:
            await asyncio.wait((serving, trying), return_when=asyncio.FIRST_COMPLETED)
            if not trying.done():
                await serving
            await trying
        finally:
            for task in (serving, trying):
                task.cancel()
            await asyncio.gather(serving, trying, return_exceptions=True)

    async def _try(self) -> None:
        await self._listed.wait()
        if self._line is None:
            raise DeliveryError("Discord is not connected")
        self.reached = "connected, but could not post"
        ids = {"channel_id": self._channel}
        body = {"content": TEXT, "allowed_mentions": {"parse": list[str]()}, "flags": 1 << 12}
        made = str((await self._line.call(RestCall("POST", MESSAGES, ids, body)))["id"])
        self.reached = f"posted message {made}, but could not delete it"
        await self._line.call(
            RestCall("DELETE", f"{MESSAGES}/{{message_id}}", {**ids, "message_id": made})
        )
        self.reached = "posted and deleted"
        async with self._deleted:
            await self._deleted.wait_for(lambda: made in self._gone)

    # --- Events: only the necessary ones ---

    async def logged_in(self, line: Line) -> None:
        self._line = line

    async def lost(self) -> None:
        self.reached = "connected"

    async def listed(self) -> None:
        self._listed.set()

    async def deleted(self, channel: str, read: Callable[[], Awaitable[SeenDeletion]]) -> None:
        gone = await read()
        async with self._deleted:
            self._gone.add(gone.id)
            self._deleted.notify_all()

    async def reacted(self, channel: str, read: Callable[[], Awaitable[SeenReaction]]) -> None:
        return

    async def message(self, channel: str, read: Callable[[], Awaitable[SeenMessage]]) -> None:
        """People's messages are for the running Bellhop."""

    async def edited(self, channel: str, read: Callable[[], Awaitable[SeenMessage]]) -> None:
        """So are their edits."""

    async def command(self, seen: SeenCommand) -> None:
        """So are their commands."""

    async def click(self, seen: SeenClick) -> None:
        """So are their choices."""

    def moved(self, joined: str = "") -> None:
        """Nothing is registered here."""

    def asks(self, seen: SeenCommand) -> Answer | None:
        return None

    async def complete(self, seen: SeenTyping) -> Answer:
        return choices(())

"""Where updates come from: long polling, or requests of Telegram on the HTTP server.

An update is confirmed only after its message is accepted, so a crash in between brings it again.
"""

import hmac
import json
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeAlias

from bot.plugin.chat import StorageError
from bot.plugin.clock import Clock
from bot.plugin.payloads import JsonObject, as_objects, number_in, object_in, text_in
from bot.plugins.telegram_chat.connection import TelegramConnection
from bot.plugins.telegram_chat.inbound import KINDS
from bot.plugins.telegram_chat.media import album_of
from bot.plugins.telegram_chat.settings import TelegramSecrets, TelegramSettings
from bot.plugins.telegram_chat.trouble import TelegramRefused, TelegramTrouble

log = logging.getLogger(__name__)

PATH = "/telegram/updates"
PAUSES_S = (1.0, 2.0, 5.0, 15.0, 30.0)
ALBUM_S = 0.5
"""The other parts of an album come within this time."""
_HEADER = "X-Telegram-Bot-Api-Secret-Token"

Take: TypeAlias = Callable[[Sequence[JsonObject]], Awaitable[None]]
"""Accepts updates durably, in order. Raises StorageError: Telegram sends them again then."""


class Updates:
    """Takes updates in one of the two ways."""

    def __init__(
        self,
        connection: TelegramConnection,
        settings: TelegramSettings,
        secrets: TelegramSecrets,
        clock: Clock,
        take: Take,
        lost: Callable[[], Awaitable[None]],
    ) -> None:
        """`lost` is called after a time without Telegram."""
        self._connection = connection
        self._settings = settings
        self._secrets = secrets
        self._clock = clock
        self._take = take
        self._lost = lost
        self._answered = clock.monotonic()

    def silent_s(self) -> float | None:
        """Seconds since Telegram's last answer; None for a webhook, where silence means nothing."""
        if self._settings.url:
            return None
        return self._clock.monotonic() - self._answered

    async def serve(self) -> None:
        """Never returns. Raises TelegramRefused where another token is needed, StorageError."""
        self._answered = self._clock.monotonic()
        if self._settings.url:
            await self._connection.call(
                "setWebhook",
                url=f"{self._settings.url}{PATH}",
                secret_token=self._secrets.webhook,
                allowed_updates=list(KINDS),
                max_connections=1,  # one after another, so that messages stay in order
            )
            log.info("path=<%s> | Telegram sends updates there", PATH)
            while True:
                await self._clock.sleep(3600.0)
        await self._poll()

    async def _poll(self) -> None:
        found = await self._connection.call("getWebhookInfo")
        if text_in(found, "url"):
            await self._connection.call("deleteWebhook", drop_pending_updates=False)
        offset: int | None = None
        failures = 0
        while True:
            try:
                updates = await self._connection.updates(offset, KINDS)
                if updates and album_of(object_in(updates[-1], "message")):
                    await self._clock.sleep(ALBUM_S)
                    updates = await self._connection.updates(offset, KINDS)
            except TelegramTrouble as trouble:
                if isinstance(trouble, TelegramRefused) and trouble.no_token:
                    raise
                wait = PAUSES_S[min(failures, len(PAUSES_S) - 1)]
                if isinstance(trouble, TelegramRefused):
                    wait = max(wait, trouble.retry_after or 0.0)
                log.warning("trouble=<%s>, wait=<%.0f> | no updates now", trouble, wait)
                failures += 1
                await self._clock.sleep(wait)
                continue
            self._answered = self._clock.monotonic()
            if failures:
                failures = 0
                await self._lost()
            await self._take(updates)
            numbers = [number_in(update, "update_id") for update in updates]
            offset = max(numbers) + 1 if numbers else offset

    # --- webhook ---

    def routes(self) -> Sequence[Any]:
        """The aiohttp routes of mode webhook."""
        from aiohttp import web  # noqa: PLC0415 - only where the console serves it

        return [web.post(PATH, self._take_request)]

    async def _take_request(self, request: Any) -> Any:
        from aiohttp import web  # noqa: PLC0415

        given = str(request.headers.get(_HEADER, ""))
        if not hmac.compare_digest(given.encode(), self._secrets.webhook.encode()):
            log.warning("path=<%s> | a request without the secret was refused", PATH)
            return web.Response(status=401)
        try:
            updates = as_objects([json.loads(await request.read())])  # the server bounds its size
        except ValueError:
            updates = []
        if not updates:
            return web.Response(status=400)
        try:
            await self._take(updates)
        except StorageError as error:
            log.warning("error=<%s> | not recorded, Telegram sends it again", error)
            return web.Response(status=503)
        return web.Response(status=200)

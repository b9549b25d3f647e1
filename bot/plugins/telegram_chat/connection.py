"""The only place that knows python-telegram-bot and the HTTP clients below it.

All calls share one limiter. Each is made once: the callers decide which calls may be repeated, and
when. Results stay plain JSON, so that an object with an unexpected part costs no other one.
"""

import logging
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from typing import Any, cast

from bot.plugin.chat import PIECE_BYTES
from bot.plugin.clock import Clock
from bot.plugin.limits import HeldUp, Limiter
from bot.plugin.payloads import JsonObject, as_objects, text_in
from bot.plugins.telegram_chat.rates import chat_window, windows
from bot.plugins.telegram_chat.settings import TelegramSecrets, TelegramSettings
from bot.plugins.telegram_chat.trouble import (
    TelegramRefused,
    TelegramTrouble,
    TelegramUnreached,
    TelegramUnsure,
)

log = logging.getLogger(__name__)

POLL_S = 25
TIMEOUT_S = 20.0
UPLOAD_S = 120.0
_POOL = 16
_NOT_SENT = ("ConnectError", "ConnectTimeout", "PoolTimeout", "UnsupportedProtocol")
"""Errors of httpx before a request leaves."""
_MIGRATED = "the group became a supergroup"
_QUIET = ("telegram", "httpx", "httpcore")
"""Loggers whose lines hold messages, or the token as a part of an address."""


def load_sdk() -> None:
    """Import what the functions below use, so that the event loop needn't. Blocking."""
    for name in ("telegram.request", "aiohttp"):
        import_module(name)


class TelegramConnection:
    """Talks with the Bot API. Opens its HTTP clients on the first call."""

    def __init__(
        self,
        secrets: TelegramSecrets,
        settings: TelegramSettings,
        clock: Clock,
        limits: Limiter | None = None,
        poll_s: int = POLL_S,
    ) -> None:
        self._secrets = secrets
        self._settings = settings
        self._limits = limits or Limiter(clock)
        self._poll_s = poll_s
        self._bot: Any = None
        self._active = 0
        self._retired = False
        self._moved: dict[str, str] = {}
        """Groups that became supergroups, by their former id."""
        for name in _QUIET:
            logging.getLogger(name).setLevel(logging.CRITICAL)

    # --- calls ---

    async def call(self, method: str, *, background: bool = False, **arguments: Any) -> Any:
        """Call a method within Telegram's limits; `background` calls yield to those with a waiter.

        Raises TelegramTrouble.
        """
        arguments = self._where_now(arguments)
        try:
            await self._limits.wait(windows(method.lower(), arguments), background=background)
        except HeldUp as held:
            raise TelegramRefused(method, "rate limit", held.seconds) from held
        return await self._made(method, arguments)

    async def call_now(self, method: str, **arguments: Any) -> Any:
        """Like `call`, for optional calls: refused with a rate limit instead of waiting."""
        arguments = self._where_now(arguments)
        seconds = self._limits.pass_now(windows(method.lower(), arguments))
        if seconds > 0:
            raise TelegramRefused(method, "rate limit", seconds)
        return await self._made(method, arguments)

    async def updates(self, offset: int | None, kinds: tuple[str, ...]) -> list[JsonObject]:
        """Wait for updates. All below `offset` are confirmed by it: Telegram forgets them.

        Raises TelegramTrouble.
        """
        arguments: JsonObject = {
            "timeout": self._poll_s,
            "limit": 100,
            "allowed_updates": list(kinds),
        }
        if offset is not None:
            arguments["offset"] = offset
        patience = self._poll_s + TIMEOUT_S
        return as_objects(await self._once("getUpdates", arguments, patience))

    async def upload(self, arguments: JsonObject, name: str, data: bytes) -> JsonObject:
        """Post a document. Raises TelegramTrouble."""
        from telegram import InputFile  # noqa: PLC0415 - `load_sdk` imports it, in a thread

        document = InputFile(data, filename=name)
        return await self.call("sendDocument", **arguments, document=document)

    async def _made(self, method: str, arguments: JsonObject) -> Any:
        try:
            return await self._once(method, arguments, TIMEOUT_S)
        except TelegramRefused as refused:
            if refused.retry_after is not None and (chat := arguments.get("chat_id")) is not None:
                self._limits.hold(chat_window(chat), refused.retry_after)
            if not refused.says(_MIGRATED):
                raise
            return await self._once(method, self._where_now(arguments), TIMEOUT_S)

    def _where_now(self, arguments: JsonObject) -> JsonObject:
        """The call for the supergroup that a group became: it numbers its messages anew."""
        moved = self._moved.get(str(arguments.get("chat_id")))
        if moved is None:
            return arguments
        kept = {name: value for name, value in arguments.items() if name != "reply_parameters"}
        return {**kept, "chat_id": moved}

    async def _once(self, method: str, arguments: JsonObject, read_s: float) -> Any:
        from telegram import error  # noqa: PLC0415

        has_file = "document" in arguments
        self._active += 1
        try:
            # In lower case: the library has methods of these names that parse, and warns of this
            # one. Telegram takes any case.
            return await self._client().do_api_request(
                method.lower(),
                arguments,
                read_timeout=UPLOAD_S if has_file else read_s,
                write_timeout=UPLOAD_S if has_file else TIMEOUT_S,
                connect_timeout=TIMEOUT_S,
                pool_timeout=TIMEOUT_S,
            )
        except error.ChatMigrated as moved:
            former, now = str(arguments.get("chat_id")), str(moved.new_chat_id)
            log.info("chat=<%s>, now=<%s> | a group became a supergroup", former, now)
            self._moved[former] = now
            raise TelegramRefused(method, _MIGRATED, lasting=False) from moved
        except error.RetryAfter as limited:
            wait = limited.retry_after
            seconds = float(wait if isinstance(wait, int) else wait.total_seconds())
            raise TelegramRefused(method, "rate limit", seconds) from limited
        except (error.InvalidToken, error.EndPointNotFound) as refused:
            raise TelegramRefused(method, "the token is not valid", no_token=True) from refused
        except (error.BadRequest, error.Forbidden) as refused:
            raise TelegramRefused(method, refused.message) from refused
        except error.Conflict as refused:
            raise TelegramRefused(method, refused.message, lasting=False) from refused
        except error.TelegramError as lost:
            raise _lost(method, lost) from lost
        finally:
            self._active -= 1
            if self._retired:
                await self._shut()

    def _client(self) -> Any:
        if self._bot is None:
            from telegram import Bot  # noqa: PLC0415
            from telegram.request import HTTPXRequest  # noqa: PLC0415

            self._bot = Bot(
                self._secrets.token,
                base_url=f"{self._settings.api_base}/bot",
                base_file_url=f"{self._settings.api_base}/file/bot",
                request=HTTPXRequest(connection_pool_size=_POOL),
                get_updates_request=HTTPXRequest(connection_pool_size=1),
            )
        return self._bot

    def reopen(self) -> None:
        """From now on the client stays open between calls, until `close`."""
        self._retired = False

    async def close(self) -> None:
        """Close the HTTP client once no call uses it; each later call closes its own."""
        self._retired = True
        await self._shut()

    async def _shut(self) -> None:
        if self._active == 0:
            bot, self._bot = self._bot, None
            if bot is not None:
                await bot.request.shutdown()

    # --- files ---

    @asynccontextmanager
    async def download(self, file_id: str, most: int) -> AsyncGenerator[AsyncIterator[bytes]]:
        """The bytes of a file, in pieces.

        Raises TelegramRefused (`too large` beyond `most` bytes) or TelegramUnsure, also while it is
        read. The address holds the token, so no error names it.
        """
        import aiohttp  # noqa: PLC0415

        found = cast("JsonObject", await self.call("getFile", file_id=file_id))
        path = text_in(found, "file_path")
        if not path:
            raise TelegramRefused("getFile", "the file is gone")
        url = f"{self._settings.api_base}/file/bot{self._secrets.token}/{path}"
        timeout = aiohttp.ClientTimeout(total=UPLOAD_S)
        try:
            async with (
                aiohttp.ClientSession(timeout=timeout) as session,
                session.get(url, allow_redirects=False) as response,
            ):
                if response.status >= 500:
                    raise TelegramUnsure("download", f"status {response.status}")
                if response.status != 200:
                    raise TelegramRefused("download", f"status {response.status}")
                if (response.content_length or 0) > most:
                    raise TelegramRefused("download", "too large")
                yield _pieces(response, most)
        except (aiohttp.ClientError, OSError, TimeoutError) as lost:
            raise TelegramUnsure("download", type(lost).__name__) from None


async def _pieces(response: Any, most: int) -> AsyncGenerator[bytes]:
    read = 0
    async for piece in response.content.iter_chunked(PIECE_BYTES):
        read += len(piece)
        if read > most:
            raise TelegramRefused("download", "too large")
        yield piece


def _lost(method: str, lost: Exception) -> TelegramTrouble:
    """An error of the network: whether the request can have left tells what it means."""
    cause = type(lost.__cause__).__name__ if lost.__cause__ is not None else ""
    if cause in _NOT_SENT:
        return TelegramUnreached(method, cause)
    return TelegramUnsure(method, cause or type(lost).__name__)

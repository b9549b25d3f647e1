"""The live view of a turn: typing, then one edited draft that becomes the answer."""

import asyncio
import logging
import secrets
from dataclasses import dataclass, field

from bot.plugin.chat import Choice, LiveUpdate, StorageError
from bot.plugin.clock import Clock
from bot.plugin.drawing import DraftLines
from bot.plugin.limits import sleep_unless
from bot.plugin.payloads import JsonObject, text_in
from bot.plugins.telegram_chat.buttons import keyboard
from bot.plugins.telegram_chat.connection import TelegramConnection
from bot.plugins.telegram_chat.markup import FormattedText, to_html
from bot.plugins.telegram_chat.places import ChatSpot
from bot.plugins.telegram_chat.rates import is_group
from bot.plugins.telegram_chat.sent import SentNotes
from bot.plugins.telegram_chat.trouble import (
    TelegramRefused,
    TelegramTrouble,
    TelegramUnsure,
)

log = logging.getLogger(__name__)

FIRST_CHARS = 80
"""Shorter text waits: it may be a word before a tool call, and those are taken back."""
DRAFT_CHARS = 3800
DRAFT_AFTER_S = 1.5
EDIT_S = 1.5
GROUP_EDIT_S = 4.5
"""Telegram lets a bot write 20 messages a minute in a group, edits included."""
TYPING_S = 4.5
"""Telegram shows typing for five seconds."""
_GONE = ("message to edit not found", "message can't be edited", "message_id_invalid")
_SAME = "message is not modified"


@dataclass
class TelegramStage:
    """The parts that the live views of one adapter share."""

    connection: TelegramConnection
    notes: SentNotes
    clock: Clock
    open: set["TelegramLive"] = field(default_factory=set["TelegramLive"])


class TelegramLive:
    """Implements domain.chat.LiveReply.

    Every failure here is only logged: the answer does not depend on it.
    """

    def __init__(self, stage: TelegramStage, spot: ChatSpot, turn: str) -> None:
        self.id = secrets.token_hex(8)
        self.message = ""
        """The id of the draft, once it stands there."""
        self._stage = stage
        self.spot = spot
        self.turn = turn
        self._shown: str = ""
        self._off = False
        """No draft can be shown any more."""
        self._kept = False
        self._below = False
        """Whether its turn has posted something below the draft."""
        self._wake = asyncio.Event()
        self._lines = DraftLines(stage.clock, self._wake.set)
        self._ended = asyncio.Event()
        stage.open.add(self)
        self._tasks = (
            asyncio.create_task(self._type(), name="telegram typing"),
            asyncio.create_task(self._write(), name="telegram draft"),
        )

    def show(self, update: LiveUpdate) -> None:
        self._lines.show(update)
        self._wake.set()

    def move_down(self) -> None:
        """Its turn has posted something: the draft goes on below, and the answer stands last."""
        self._below = True
        self._wake.set()

    async def close(self) -> None:
        await self._halt()
        if self not in self._stage.open:
            return
        self._stage.open.discard(self)
        if self.message and not self._kept and await self.remove(self.spot.chat, self.message):
            await self._stage.notes.closed(self.id)

    async def remove(self, chat: str, message: str) -> bool:
        """Delete a draft. False: it may still stand there."""
        try:
            await self._stage.connection.call(
                "deleteMessage", chat_id=chat, message_id=int(message)
            )
        except TelegramRefused as refused:
            if not refused.lasting:
                log.info("trouble=<%s> | draft not removed, the next start tries again", refused)
            return refused.lasting
        except TelegramTrouble as trouble:
            log.info("trouble=<%s> | draft not removed, the next start tries again", trouble)
            return False
        return True

    # --- becoming the answer ---

    async def finish(self, shown: FormattedText, buttons: JsonObject | None) -> str | None:
        """Turn the draft into the answer; returns its id, or None without a draft.

        It may be repeated: the draft is one message. Raises TelegramTrouble.
        """
        await self._halt()
        await self._begin_below()
        if not self.message:
            return None
        where = {"chat_id": self.spot.chat, "message_id": int(self.message)}
        arguments = shown.arguments(buttons or {"inline_keyboard": []})
        try:
            await self._stage.connection.call("editMessageText", **where, **arguments)
        except TelegramRefused as refused:
            if refused.says(_SAME):
                return self.message
            if not refused.lasting:
                raise
            log.info("refused=<%s> | the draft can't become the answer, which is posted", refused)
            gone = refused.says(*_GONE) or await self.remove(self.spot.chat, self.message)
            self.message = "" if gone else self.message
            return None
        return self.message

    async def keep(self, message: str) -> None:
        """The answer stands there; if it is the draft, the draft stays."""
        if message == self.message:
            self._kept = True
            await self._stage.notes.closed(self.id)

    async def _halt(self) -> None:
        """Let the current call end, and start no other."""
        self._ended.set()
        self._lines.stop()
        self._wake.set()
        typing, writing = self._tasks
        typing.cancel()
        await asyncio.wait({typing, writing})
        if not writing.cancelled() and (error := writing.exception()) is not None:
            log.error("error=<%r> | the live reply broke; the answer goes on without it", error)

    # --- while the turn runs ---

    async def _type(self) -> None:
        """Typing shows until the draft does: afterwards the draft shows that work goes on."""
        while not self.message:
            topic = {"message_thread_id": int(self.spot.topic)} if self.spot.topic else {}
            try:
                await self._stage.connection.call_now(
                    "sendChatAction", chat_id=self.spot.chat, action="typing", **topic
                )
            except TelegramTrouble as trouble:
                log.debug("trouble=<%s> | typing is not shown", trouble)
            await self._stage.clock.sleep(TYPING_S)

    async def _write(self) -> None:
        pause = GROUP_EDIT_S if is_group(self.spot.chat) else EDIT_S
        await sleep_unless(self._ended, self._stage.clock, DRAFT_AFTER_S)
        while not (self._ended.is_set() or self._off):
            await self._wake.wait()
            self._wake.clear()
            if self._ended.is_set():
                return
            try:
                await self._begin_below()
                await self._flush()
            except TelegramRefused as refused:
                await self._after_refusal(refused)
            except (TelegramTrouble, StorageError) as trouble:
                log.debug("trouble=<%s> | live reply not updated", trouble)
                # A draft whose start got no answer may stand there; a second one would, too.
                self._off = not self.message and isinstance(trouble, TelegramUnsure)
                self._wake.set()
            await sleep_unless(self._ended, self._stage.clock, pause)

    async def _begin_below(self) -> None:
        """Where something stands below the draft, take it away: the next one begins there."""
        below, self._below = self._below, False
        if below and self.message and await self.remove(self.spot.chat, self.message):
            self.message = self._shown = ""
            await self._stage.notes.closed(self.id)

    async def _flush(self) -> None:
        wanted = self._rendered()
        if not wanted or wanted == self._shown:
            return
        stop = keyboard((Choice("Stop", self.turn, "stop"),))
        arguments = FormattedText(to_html(wanted) or "…").arguments(stop)
        if self.message:
            where = {"chat_id": self.spot.chat, "message_id": int(self.message)}
            await self._stage.connection.call_now("editMessageText", **where, **arguments)
        else:
            made = await self._stage.connection.call_now(
                "sendMessage", **self.spot.arguments(), **arguments
            )
            self.message = text_in(made, "message_id")
            await self._stage.notes.opened(self.id, self.spot, self.message)
        self._shown = wanted

    async def _after_refusal(self, refused: TelegramRefused) -> None:
        log.debug("refused=<%s> | live reply goes on in another way", refused)
        if refused.says(_SAME):
            return
        if refused.retry_after is not None:
            self._wake.set()
            await sleep_unless(self._ended, self._stage.clock, min(refused.retry_after, 60.0))
        elif refused.says(*_GONE):
            self.message, self._off = "", True
        else:
            self._off = True

    def _rendered(self) -> str:
        if not self._lines.works and len(self._lines.text) < FIRST_CHARS and not self.message:
            return ""
        return self._lines.drawn(DRAFT_CHARS, apart="\n\n")

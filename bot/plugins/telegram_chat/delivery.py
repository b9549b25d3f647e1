"""Posts messages with buttons and files, each part once as far as Telegram lets that be known."""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any

from bot.plugin.chat import (
    DeliveryError,
    OutgoingFile,
    OutgoingMessage,
    PostedCard,
    ReadBlob,
    Receipt,
    ReplyTarget,
    without_end,
)
from bot.plugin.clock import Clock
from bot.plugin.drawing import Language, Phrase
from bot.plugin.payloads import JsonObject, text_in
from bot.plugins.telegram_chat.buttons import keyboard, unseen_options
from bot.plugins.telegram_chat.connection import TelegramConnection
from bot.plugins.telegram_chat.live import TelegramLive
from bot.plugins.telegram_chat.markup import NO_PREVIEW, FormattedText, pieces_of, to_html
from bot.plugins.telegram_chat.media import MOST_SENT_BYTES
from bot.plugins.telegram_chat.places import ChatSpot, Me, spot_of
from bot.plugins.telegram_chat.sent import SentNotes, SentParts
from bot.plugins.telegram_chat.trouble import (
    TelegramRefused,
    TelegramTrouble,
    TelegramUnreached,
    TelegramUnsure,
)

log = logging.getLogger(__name__)

PAUSES_S = (0.5, 1.0, 3.0)
LONGEST_LIMIT_S = 30.0
"""A longer rate limit is left to the outbox."""
IN_PRIVATE = Phrase("I answer that in private. Write to me first: {address}")
_NO_CHAT = ("bot was blocked", "can't initiate conversation", "chat not found", "deactivated")


@dataclass(frozen=True)
class TelegramDelivery:
    """Sends, and tells what was sent."""

    connection: TelegramConnection
    notes: SentNotes
    clock: Clock
    read_blob: ReadBlob
    me: Callable[[], Awaitable[Me]]

    async def send(self, message: OutgoingMessage, key: str, live: TelegramLive | None) -> Receipt:
        """Post the missing parts of this send. Raises DeliveryError."""
        files = [(file, await self._bytes(file, message)) for file in message.files]
        texts = _texts(message)
        if not texts and not files:
            raise DeliveryError("an empty message can't be shown on Telegram")
        spot, sent = spot_of(message.target), await self.notes.of(key)
        wanted = {f"t{number}" for number in range(len(texts))}
        wanted |= {f"f{number}" for number, (_, data) in enumerate(files) if data}
        if not wanted:
            raise DeliveryError("an empty file can't be shown on Telegram")
        for number, shown in enumerate(texts):
            buttons = keyboard(message.choices) if number == len(texts) - 1 else None
            draft = live if number == 0 else None
            await self._part(
                f"t{number}",
                key,
                spot,
                (sent, wanted),
                lambda shown=shown, buttons=buttons, draft=draft: self._text(
                    message, spot, shown, buttons, draft
                ),
            )
        for number, (file, data) in enumerate(files):
            if data:
                await self._part(
                    f"f{number}",
                    key,
                    spot,
                    (sent, wanted),
                    lambda file=file, data=data: self._file(message, spot, file, data),
                )
        if live is not None and (first := sent.parts.get("t0")) is not None:
            await live.keep(first)
        return _receipt(sent, message.target, self.clock)

    async def find_sent(self, target: ReplyTarget, key: str) -> Receipt | None:
        """The receipt where the notes say that every part was posted. Raises DeliveryError."""
        sent = await self.notes.of(key)
        return _receipt(sent, target, self.clock) if sent.whole else None

    async def _part(
        self,
        name: str,
        key: str,
        spot: ChatSpot,
        parts: tuple[SentParts, set[str]],
        post: Callable[[], Awaitable[str]],
    ) -> None:
        """Post one part and note it. `parts` are those posted by now, and the names of all."""
        sent, wanted = parts
        if name in sent.parts:
            return
        try:
            sent.parts[name] = await self._insist(post)
        except TelegramTrouble as trouble:
            if isinstance(trouble, TelegramUnsure):
                log.warning(
                    "send=<%s>, part=<%s>, trouble=<%s> | may stand there already; Telegram "
                    "can't be asked, so it is posted again",
                    key,
                    name,
                    trouble,
                )
            raise
        sent.whole = wanted <= sent.parts.keys()
        await self.notes.note(key, spot, sent)

    async def _insist(
        self, post: Callable[[], Awaitable[str]], passing: type[TelegramTrouble] = TelegramUnreached
    ) -> str:
        """Try again what certainly was not done; with `passing`, what may be done twice."""
        for pause in PAUSES_S:
            try:
                return await post()
            except TelegramRefused as refused:
                wait = refused.retry_after
                if refused.lasting or (wait or 0.0) > LONGEST_LIMIT_S:
                    raise
                await self.clock.sleep(pause if wait is None else wait)
            except passing:
                await self.clock.sleep(pause)
        return await post()

    # --- one part ---

    async def _text(
        self,
        message: OutgoingMessage,
        spot: ChatSpot,
        shown: FormattedText,
        buttons: JsonObject | None,
        live: TelegramLive | None,
    ) -> str:
        if live is not None and (done := await live.finish(shown, buttons)) is not None:
            return done
        arguments = {**spot.arguments(), **shown.arguments(buttons)}
        try:
            return await self._posted("sendMessage", message, arguments)
        except TelegramRefused as refused:
            if not refused.says("can't parse entities"):
                raise
            log.info("refused=<%s> | shown without markup", refused)
            plain = {**_without(arguments, "parse_mode"), "text": shown.plain}
            return await self._posted("sendMessage", message, plain)

    async def _file(
        self, message: OutgoingMessage, spot: ChatSpot, file: OutgoingFile, data: bytes
    ) -> str:
        async def upload(_method: str, **arguments: Any) -> JsonObject:
            return await self.connection.upload(arguments, file.name, data)

        return await self._posted("sendDocument", message, spot.arguments(), upload)

    async def _posted(
        self,
        method: str,
        message: OutgoingMessage,
        arguments: JsonObject,
        call: Callable[..., Awaitable[JsonObject]] | None = None,
    ) -> str:
        call = call or self.connection.call
        try:
            answer = await call(method, **arguments)
        except TelegramRefused as refused:
            if refused.says("thread not found", "topic_closed", "topic_deleted"):
                answer = await call(method, **_without(arguments, "message_thread_id"))
            elif message.target.ephemeral_to is not None and refused.says(*_NO_CHAT):
                return await self._point(message.target, message.language)
            else:
                raise
        if not text_in(answer, "message_id"):
            raise TelegramUnsure(method, "an answer without an id")
        return text_in(answer, "message_id")

    async def _point(self, target: ReplyTarget, language: Language) -> str:
        """Say in the group that the answer is for their private chat, which is not open yet."""
        me = await self.me()
        words = IN_PRIVATE.said(language, address=f"https://t.me/{me.username}")
        open_to_all = spot_of(replace(target, ephemeral_to=None))
        if open_to_all.chat == target.ephemeral_to:
            raise TelegramRefused("sendMessage", "the person has closed their private chat")
        answer = await self.connection.call(
            "sendMessage", **open_to_all.arguments(), text=words, link_preview_options=NO_PREVIEW
        )
        return text_in(answer, "message_id")

    async def _bytes(self, file: OutgoingFile, message: OutgoingMessage) -> bytes:
        """A card whose call can't be read must not be decided."""
        data = await self.read_blob(file.blob) or b""
        if not data and message.choices:
            raise DeliveryError(f"no longer stored: {file.name}")
        if len(data) > MOST_SENT_BYTES:
            raise DeliveryError(f"{file.name} is over 50 MB, more than bots may send on Telegram")
        if not data:
            log.warning("file=<%s> | the file is empty, so it is not sent", file.name)
        return data

    # --- cards ---

    async def close_card(self, card: PostedCard, line: str) -> None:
        """See domain.chat.ChatAdapter."""
        texts = _texts(card.message)
        posted = [id_ for part, id_ in zip(texts, card.receipt.message_ids, strict=False) if part]
        if not posted:
            raise DeliveryError("this card has no text to close")
        asked = without_end(texts[-1].html, to_html(card.message.while_open))
        over = FormattedText(f"{asked}\n\n<i>{pieces_of(line)[0].html}</i>".strip())
        chat = {"chat_id": spot_of(card.message.target).chat, "message_id": int(posted[-1])}
        arguments = {**chat, **over.arguments()}
        try:
            await self.edit(arguments)
        except TelegramRefused as refused:
            if not refused.says("can't parse entities", "too long", "too_long"):
                raise
            # room for the line: the card itself goes on to say what was asked
            cut = FormattedText(f"{asked[:2000]}")
            short = FormattedText(f"{_escaped(cut.plain)}…\n\n{_escaped(line)}")
            await self.edit({**chat, **short.arguments()})

    async def edit(self, arguments: JsonObject) -> None:
        """Edit a message; doing it twice changes nothing. Raises TelegramTrouble."""

        async def attempt() -> str:
            try:
                await self.connection.call("editMessageText", **arguments)
            except TelegramRefused as refused:
                if not refused.says("message is not modified"):
                    raise
            return ""

        await self._insist(attempt, TelegramTrouble)


def _texts(message: OutgoingMessage) -> list[FormattedText]:
    """The texts of a message, in order; its buttons stand under the last one."""
    texts = pieces_of(message.text + unseen_options(message.choices))
    return texts or ([FormattedText("…")] if message.choices else [])


def _receipt(sent: SentParts, target: ReplyTarget, clock: Clock) -> Receipt:
    """Texts come before files, as they were posted."""
    names = sorted(sent.parts, key=lambda name: (name[0] != "t", int(name[1:])))
    ids = tuple(sent.parts[name] for name in names)
    return Receipt(ids, target.conversation.id, sent_at=clock.now())


def _without(arguments: JsonObject, name: str) -> JsonObject:
    return {known: value for known, value in arguments.items() if known != name}


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")

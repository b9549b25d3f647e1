"""Telegram as a `ChatAdapter`: stores before it confirms, and shows each reply once."""

import asyncio
import hashlib
import json
import logging
from collections.abc import AsyncGenerator, Coroutine, Sequence
from contextlib import aclosing
from dataclasses import replace
from datetime import timedelta
from typing import Any

from bot.plugin.catch_up import Recovered, Recovery
from bot.plugin.chat import (
    DIRECT,
    Accept,
    Addressed,
    Attachment,
    BotError,
    ChatServices,
    Conversation,
    IncomingMessage,
    LiveReply,
    MessageKind,
    OutgoingMessage,
    PlatformPerson,
    PostedCard,
    Receipt,
    ReplyTarget,
    SettingsError,
    StorageError,
    turn_of,
)
from bot.plugin.clock import Clock
from bot.plugin.commands import NativeCommands, SkillScope, SlashCommand
from bot.plugin.drawing import Phrase, language_of_app
from bot.plugin.payloads import JsonObject, Unreadable, object_in
from bot.plugin.recent import Recent
from bot.plugins.telegram_chat.connection import TelegramConnection, load_sdk
from bot.plugins.telegram_chat.delivery import TelegramDelivery
from bot.plugins.telegram_chat.inbound import ClickedButton, UpdateReader
from bot.plugins.telegram_chat.live import TelegramLive, TelegramStage
from bot.plugins.telegram_chat.media import gathered, read_file
from bot.plugins.telegram_chat.places import PLATFORM, Me, spot_of
from bot.plugins.telegram_chat.readers import TelegramReaders
from bot.plugins.telegram_chat.sent import SentNotes
from bot.plugins.telegram_chat.settings import TelegramSecrets, TelegramSettings
from bot.plugins.telegram_chat.trouble import TelegramRefused, TelegramTrouble
from bot.plugins.telegram_chat.updates import Updates

log = logging.getLogger(__name__)

_NAMED = frozenset({Addressed.MENTION, Addressed.COMMAND})
FOR_SOMEBODY_ELSE = Phrase("This question is for somebody else.")


class TelegramChat:
    """Implements `domain.chat.ChatAdapter`.

    Nothing is connected until `run`, or the first send, needs it. `drafts` of the services store
    what was posted.
    """

    def __init__(
        self,
        settings: TelegramSettings,
        secrets: TelegramSecrets,
        services: ChatServices,
        connection: TelegramConnection | None = None,
    ) -> None:
        clock = services.clock
        self._settings = settings
        self._secrets = secrets
        self._clock = clock
        self._connection = connection or TelegramConnection(secrets, settings, clock)
        self._notes = SentNotes(services.drafts, clock)
        self._stage = TelegramStage(self._connection, self._notes, clock)
        self._delivery = TelegramDelivery(
            self._connection, self._notes, clock, services.read_blob, self._identity
        )
        self.readers = TelegramReaders(self._connection, clock)
        self.unreadable = Unreadable(PLATFORM)
        self._backlog = MissedUpdates(services.recovery, clock)
        self._updates = Updates(
            self._connection, settings, secrets, clock, self._take, self._backlog.begin
        )
        self._native: NativeCommands | None = None
        self._me: Me | None = None
        self._reader: UpdateReader | None = None
        self._accept: Accept | None = None
        self._accepted: Recent[str, None] = Recent()
        self._later: set[asyncio.Task[None]] = set()

    @property
    def platform(self) -> str:
        return PLATFORM

    @property
    def connected(self) -> bool:
        """Whether updates are accepted now."""
        return self._accept is not None and self._reader is not None

    def last_frame(self) -> float | None:
        """Implements domain.chat.Alive."""
        return self._updates.silent_s()

    def skipped(self) -> int:
        """Implements domain.chat.Skips."""
        return self.unreadable.count

    def offer(self, native: NativeCommands) -> None:
        """Implements native_commands.NativePlatform."""
        self._native = native

    def routes(self) -> Sequence[Any]:
        """Implements domain.chat.ServedOverHttp, for mode webhook."""
        return self._updates.routes()

    async def probe(self) -> None:
        """Implements domain.chat.Probed."""
        await self._connection.call("getMe")

    # --- incoming ---

    async def run(self, accept: Accept) -> None:
        """Serve until cancelled.

        Raises SettingsError for a token that can't work, TelegramTrouble when Telegram is lost.
        """
        if problems := self._secrets.problems(self._settings):
            raise SettingsError("; ".join(problems))
        self._connection.reopen()
        self._me = None  # asked again: the token may be another bot's
        try:
            await asyncio.to_thread(load_sdk)
            me = await self._identity()
            self._reader = UpdateReader(me, self._settings, self._clock, self._is_ours)
            await self._backlog.begin()
            self._accept = accept
            log.info("bot=<%s>, mode=<%s> | connected to Telegram", me.id, self._settings.mode)
            self._spawn(self._clear())
            if self._native is not None:
                self._spawn(keep_registered(self._connection, self._native, me, self._clock))
            await self._updates.serve()
        except TelegramRefused as refused:
            if not refused.no_token:
                raise
            raise SettingsError(
                f"{refused}; check TELEGRAM_BOT_TOKEN (@BotFather, /token)"
            ) from refused
        finally:
            self._accept = None
            for task in self._later:
                task.cancel()
            await self._connection.close()

    def _is_ours(self, name: str) -> bool:
        return self._native is not None and name in self._native.built_in

    async def _take(self, updates: Sequence[JsonObject]) -> None:
        """Accept updates in order. Raises StorageError: they are not confirmed then."""
        if self._accept is None:
            raise StorageError("an update came while Telegram is not served")
        read: list[tuple[IncomingMessage, ClickedButton | None]] = []
        for update in gathered(updates):
            with self.unreadable.skipping("update", str(update.get("update_id"))):
                read += self._read(update)
        messages = self._backlog.sorted([message for message, _ in read])
        for message, (_, click) in zip(messages, read, strict=True):
            await self._hear(message)
            if click is not None:
                self._spawn(self._answer_click(click.id))
        await self._backlog.heard(messages, updates=len(updates))

    def _read(self, update: JsonObject) -> list[tuple[IncomingMessage, ClickedButton | None]]:
        if self._reader is None:
            raise RuntimeError("an update came before run() knew who the bot is")
        if "callback_query" in update:
            click = self._reader.click(update)
            if click is None:
                return []
            if click.message is None or click.asked not in {"", click.message.sender.id}:
                words = _not_for(click.message) if click.message else ""
                self._spawn(self._answer_click(click.id, words))
                return []
            return [(click.message, click)]
        message = self._reader.message(update)
        if message is None:
            return []
        self.readers.heard(object_in(object_in(update, "message"), "chat"))
        if message.kind is MessageKind.EDIT and message.addressed in _NAMED:
            # In privacy mode the bot may see the message only now that it names it.
            whole = self._reader.message({"message": update["edited_message"]})
            return [(one, None) for one in (whole, message) if one is not None]
        return [(message, None)]

    async def _hear(self, message: IncomingMessage) -> None:
        """Accept durably, each key once. Raises StorageError."""
        if self._accept is None or message.key in self._accepted:
            return
        acceptance = await self._accept(message)
        self._accepted[message.key] = None
        log.debug("key=<%s>, acceptance=<%s> | accepted", message.key, acceptance)

    # --- beside the conversation ---

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(self._quietly(work))
        self._later.add(task)
        task.add_done_callback(self._later.discard)

    async def _quietly(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except BotError as trouble:
            log.info("trouble=<%s> | not done beside the conversation", trouble)

    async def _answer_click(self, id_: str, words: str = "") -> None:
        """Without it, the button shows a clock for a while."""
        more = {"text": words, "show_alert": True} if words else {}
        await self._connection.call_now("answerCallbackQuery", callback_query_id=id_, **more)

    async def _clear(self) -> None:
        """Delete drafts that a crashed process left half written; their turns answer anew."""
        for draft in await self._notes.left():
            try:
                await self._connection.call(
                    "deleteMessage", chat_id=draft.chat, message_id=int(draft.message)
                )
            except TelegramRefused as refused:
                if not refused.lasting:
                    continue
            except TelegramTrouble:
                continue
            await self._notes.closed(draft.id)

    # --- outgoing ---

    async def send(
        self, message: OutgoingMessage, key: str, live: LiveReply | None = None
    ) -> Receipt:
        """Show it once; a draft of `live` becomes the answer."""
        if (done := await self._delivery.find_sent(message.target, key)) is not None:
            return done
        draft = live if isinstance(live, TelegramLive) else None
        receipt = await self._delivery.send(message, key, draft)
        spot, turn = spot_of(message.target), turn_of(key)
        for one in self._stage.open if draft is None else ():
            if (one.turn, one.spot.chat, one.spot.topic) == (turn, spot.chat, spot.topic):
                one.move_down()
        return receipt

    async def find_sent(self, target: ReplyTarget, key: str) -> Receipt | None:
        """The receipt if every part of the send is on record as posted."""
        return await self._delivery.find_sent(target, key)

    def live(self, target: ReplyTarget, turn: str, key: str = "") -> LiveReply:
        return TelegramLive(self._stage, spot_of(target), turn)

    def fetch(self, attachment: Attachment) -> AsyncGenerator[bytes]:
        return read_file(self._connection, attachment)

    async def close_card(self, card: PostedCard, line: str) -> None:
        await self._delivery.close_card(card, line)

    async def member(self, there: Conversation, person: str) -> PlatformPerson | None:
        """Implements domain.chat.KnowsMembers."""
        return await self.readers.member(there, person)

    # --- who ---

    async def _identity(self) -> Me:
        if self._me is None:
            self._me = Me.read(await self._connection.call("getMe"))
        return self._me


def _not_for(clicked: IncomingMessage) -> str:
    """For somebody who clicked where another was asked."""
    return FOR_SOMEBODY_ELSE.said(language_of_app(clicked.locale))


_LIVE = timedelta(seconds=30)
"""A younger message was not missed."""
FULL = 100
"""So many updates at once: there are more."""


class MissedUpdates:
    """Sorts the messages of each answer of Telegram until one is not full.

    What came while nobody listened and is beyond the limits is recorded, not answered. Telegram
    keeps updates for a day at most and shows no history, so nothing else is read.
    """

    def __init__(self, recovery: Recovery | None, clock: Clock) -> None:
        self._recovery = recovery
        self._clock = clock
        self._recovered: Recovered | None = None
        self._is_open = False

    async def begin(self) -> None:
        """Something may have been missed. Raises StorageError."""
        if self._recovery is not None:
            self._recovered = await self._recovery.begin(PLATFORM)
            self._is_open = True

    def sorted(self, messages: Sequence[IncomingMessage]) -> list[IncomingMessage]:
        """The messages, those beyond the limits marked as missed."""
        known = self._recovered
        if not self._is_open or known is None or known.floor is None:
            return list(messages)
        now, newer = self._clock.now(), dict[str, int]()
        found: list[IncomingMessage] = []
        for message in reversed(messages):
            if message.kind in {MessageKind.TEXT, MessageKind.COMMAND}:
                place = message.conversation.key
                newer[place] = newer.get(place, 0) + 1
                late = message.sent_at < known.since or newer[place] > known.messages
                if late and now - message.sent_at > _LIVE:
                    found.append(replace(message, missed=True))
                    continue
            found.append(message)
        return found[::-1]

    async def heard(self, messages: Sequence[IncomingMessage], *, updates: int) -> None:
        """These are recorded: tell places that got no answer, and end with the last of them.

        Raises StorageError.
        """
        if not self._is_open or self._recovery is None:
            return
        late: dict[str, Conversation] = {
            one.conversation.key: one.conversation for one in messages if one.missed
        }
        for place in late.values():
            await self._recovery.tell(place)
        if updates < FULL:
            self._is_open = False
            try:
                await self._recovery.finish(PLATFORM)
            except StorageError:
                self._is_open = True
                raise
            log.info("late=<%d> | caught up", len(late))


MOST = 100
ABOUT_CHARS = 250
RETRY_S = (5.0, 30.0, 120.0, 600.0)


def listed(commands: Sequence[SlashCommand]) -> list[JsonObject]:
    """The commands for everybody, in Telegram's form: a group's own skills would show elsewhere."""
    fitting = [one for one in commands if one.scope is not SkillScope.WORKSPACE]
    fitting = sorted(fitting, key=lambda one: one.scope is not SkillScope.BUILT_IN)[:MOST]
    return [
        {
            "command": one.name,
            "description": " ".join(one.description.split())[:ABOUT_CHARS] or one.name,
        }
        for one in fitting
    ]


async def keep_registered(
    connection: TelegramConnection, native: NativeCommands, me: Me, clock: Clock
) -> None:
    """One call per change of the commands, none after a restart without one.

    Never returns; failures are logged and tried again.
    """
    scope, failures = f"{PLATFORM}:{me.id}", 0
    while True:
        try:
            async with aclosing(native.watch(Conversation(PLATFORM, DIRECT, DIRECT))) as changes:
                async for commands in changes:
                    await _sync(connection, native, scope, listed(commands))
                    failures = 0
        except (TelegramTrouble, StorageError) as error:
            log.warning("error=<%s> | commands not registered", error)
        await clock.sleep(RETRY_S[min(failures, len(RETRY_S) - 1)])
        failures += 1


async def _sync(
    connection: TelegramConnection, native: NativeCommands, scope: str, wanted: list[JsonObject]
) -> None:
    now = hashlib.sha256(json.dumps(wanted, sort_keys=True).encode()).hexdigest()
    if (kept := await native.registered(scope)) is not None and kept.get("hash") == now:
        return
    await connection.call("setMyCommands", commands=wanted)
    await native.keep(scope, {"hash": now})
    log.info("commands=<%d> | registered", len(wanted))

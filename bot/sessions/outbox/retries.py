"""Later tries of sends that a platform did not take at once.

See docs/rules.md#sends.
"""

import asyncio
import json
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Generic, TypeVar

from bot.domain.chat import ChatAdapter
from bot.domain.clock import Clock
from bot.domain.database import Database, Unit, Write
from bot.domain.languages import Phrase
from bot.domain.messages import OutgoingMessage, Place, ReplyTarget
from bot.domain.processes import Notices
from bot.domain.step_keys import StepKind, sibling_key, step_in, step_key, turn_of
from bot.errors import DeliveryError, StorageError
from bot.sessions.outbox.card_store import receipt_write, ref_of, remove_write
from bot.sessions.outbox.outbox_store import (
    PendingSend,
    held_back,
    next_pending,
    notice_write,
    outbox_state_write,
    pending_sends,
    pending_write,
)
from bot.sessions.outbox.spoken_language import spoken_at
from bot.sessions.records.conversation_store import conversation_of
from bot.sessions.records.envelope import outgoing_from_json, outgoing_to_json

T = TypeVar("T")


class KeptReading(Generic[T]):
    """Reads once, and again after each `drop`; `read` never gives None.

    A reading that began before a drop may miss the change, so it is given but not kept.
    """

    def __init__(self, read: Callable[[], Awaitable[T]]) -> None:
        self._read = read
        self._kept: T | None = None
        self._drops = 0

    async def get(self) -> T:
        """What is kept, or what is read now. Raises what `read` raises."""
        if self._kept is not None:
            return self._kept
        drops = self._drops
        found = await self._read()
        if drops == self._drops:
            self._kept = found
        return found

    def drop(self) -> None:
        """It has changed: read it again next time."""
        self._drops += 1
        self._kept = None


log = logging.getLogger(__name__)


async def until_due(clock: Clock, wake: asyncio.Event, due: datetime | None) -> None:
    """Return when `wake` is set, or at the moment `due` if there is one."""
    waits: list[asyncio.Task[object]] = [asyncio.create_task(_awaited(wake.wait()))]
    if due is not None:
        waits.append(asyncio.create_task(_awaited(clock.sleep_until(due))))
    try:
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()


async def _awaited(what: Awaitable[object]) -> object:
    return await what


RETRY_S = (2.0, 10.0, 60.0, 300.0, 900.0)
KEEP_TRYING = timedelta(hours=24)
_DAMAGED = "/damaged"
"""The end of the key of the notice about an unreadable send."""
_ASKER = "asker"
"""Stored beside a pending message: the asker's id on their platform."""
_KEPT = "outbox"
_IF_LOST = "if_lost"


@dataclass(eq=False)
class SendRetries:
    """Keeps the order of sends behind a pending one, and tries pending sends when they are due.

    `adapter` raises DeliveryError for a platform that is not connected.

    `carded` is called with the subject of each recorded card.
    """

    database: Database
    clock: Clock
    adapter: Callable[[OutgoingMessage], ChatAdapter]
    carded: Callable[[str], None]
    _wake: asyncio.Event = field(default_factory=asyncio.Event)
    _notices: Notices | None = None
    _lines: dict[str, asyncio.Task[int]] = field(default_factory=dict[str, asyncio.Task[int]])
    """By platform: the retries in progress.

    A platform that does not answer delays no other.
    """
    _flushing: defaultdict[str, asyncio.Lock] = field(
        default_factory=lambda: defaultdict(asyncio.Lock)
    )
    held_back: KeptReading[set[tuple[str, str]]] = field(init=False)
    """The conversations (by key) and persons for whom an earlier send waits."""

    def __post_init__(self) -> None:
        self.held_back = KeptReading(lambda: held_back(self.database))

    def share(self, notices: Notices) -> None:
        """One of several processes makes later tries: tell it what is kept, and hear of others."""
        self._notices = notices
        notices.listen(_KEPT, lambda _text: self._look_again())

    async def others_sent(self) -> None:
        """Another process may have kept a send for later."""
        self._look_again()

    def wake(self) -> None:
        """Try pending sends soon, here and in other processes: some were stored."""
        self._look_again()
        if self._notices is not None:
            self._notices.post(_KEPT, "")

    def _look_again(self) -> None:
        self.held_back.drop()
        self._wake.set()

    async def run(self) -> None:
        """Retry pending sends when they are due, until cancelled."""
        async with asyncio.TaskGroup() as group:
            while True:
                self._wake.clear()
                now, due = self.clock.now(), await next_pending(self.database)
                free = {platform: at for platform, at in due.items() if platform not in self._lines}
                for platform in [platform for platform, at in free.items() if at <= now]:
                    del free[platform]
                    self._lines[platform] = group.create_task(
                        self._line(platform), name=f"outbox-{platform}"
                    )
                soonest = min(free.values(), default=None)
                await until_due(self.clock, self._wake, soonest)

    async def _line(self, platform: str) -> int:
        try:
            return await self.flush(platform, self.clock.now())
        finally:
            del self._lines[platform]
            self._wake.set()

    async def flush(self, platform: str, before: datetime | None = None) -> int:
        """Retry pending sends (all of a platform that came back); returns how many succeeded."""
        far = before or self.clock.now() + KEEP_TRYING
        delivered = 0
        failed: set[str] = set()
        # Two tasks that check at the same time whether it was sent would both send it.
        async with self._flushing[platform]:
            while due := [
                one
                for one in await pending_sends(self.database, platform, far)
                if one.key not in failed
            ]:
                for pending in due:
                    if await self._again(pending):
                        delivered += 1
                    else:
                        failed.add(pending.key)
        return delivered

    async def _again(self, pending: PendingSend) -> bool:
        try:
            message = outgoing_from_json(pending.message)
        except ValueError:  # the error quotes the message, which belongs in no log
            await self._set_aside(pending)
            return False
        try:
            adapter = self.adapter(message)
            receipt = await adapter.find_sent(message.target, pending.key) or await adapter.send(
                message, pending.key
            )
        except DeliveryError as error:
            await self._write(self._postponed(pending, error))
            return False
        except Exception as error:
            # An unexpected error: one message that can't be sent must not end everything, now and
            # at each start.
            log.exception("send=<%s> | could not be tried", pending.key)
            broken = DeliveryError(f"{type(error).__name__}: {error}", retryable=True)
            await self._write(self._postponed(pending, broken))
            return False
        sent = Unit.of(outbox_state_write(pending.key, "sent"))
        if not message.choices:
            await self._write(sent)
            return True
        await self._write(sent + Unit.of(receipt_write(pending.key, receipt)))
        if (ref := await ref_of(self.database, pending.key)) is not None:
            self.carded(ref)
        return True

    async def _set_aside(self, pending: PendingSend) -> None:
        """Skip an unreadable row, and tell its place with the turn's reference."""
        log.error("send=<%s> | can't be read any more, set aside", pending.key)
        unit = Unit.of(
            outbox_state_write(pending.key, "dropped", "its record can't be read any more")
        )
        place = await conversation_of(self.database, pending.conversation)
        if place is not None and not pending.key.endswith(_DAMAGED):
            language, ref = await spoken_at(self.database, place), turn_of(pending.key)
            text = Phrase(
                "Sorry, an answer that waited to be sent here is damaged and lost. Please ask "
                "again. (reference {ref})"
            ).said(language, ref=ref)
            key, notice = f"{pending.key}{_DAMAGED}", OutgoingMessage(ReplyTarget(place), text)
            unit += Unit.of(notice_write(key, pending.person, notice, self.clock.now()))
        await self._write(unit)

    def _postponed(self, pending: PendingSend, error: DeliveryError) -> Unit:
        now = self.clock.now()
        if not error.retryable or now - pending.created_at > KEEP_TRYING:
            log.error("send=<%s>, error=<%s> | given up on a message", pending.key, error)
            dropped = (
                outbox_state_write(pending.key, "dropped", str(error)),
                remove_write(pending.key),
            )
            self._wake.set()
            return Unit((*dropped, *given_up_writes(pending, now)))
        wait = RETRY_S[min(pending.attempts, len(RETRY_S) - 1)]
        again = replace(pending, attempts=pending.attempts + 1)
        return Unit.of(pending_write(again, str(error), now + timedelta(seconds=wait)))

    async def _write(self, unit: Unit) -> None:
        try:
            await self.database.write(unit)
            self.held_back.drop()
        except StorageError:
            log.exception("the outbox could not store the outcome of a send")
            raise


def told_directly(
    key: str, message: OutgoingMessage, person: str, asker: str, now: datetime
) -> list[Write]:
    """Tell the person directly, once per turn, that an answer could not be posted."""
    target = message.target
    if not asker or target.ephemeral_to is not None or target.conversation.place is Place.DM:
        return []
    alone = ReplyTarget(target.conversation, ephemeral_to=asker)
    told = Phrase(
        "I may not write where you asked me, so my answer is not there: the place is closed, or I "
        "lack a permission. Write to me here instead. (reference {ref})"
    ).said(message.language, ref=turn_of(key))
    notice = OutgoingMessage(alone, told, language=message.language)
    step = step_key(StepKind.SEND, "refused")
    return [notice_write(sibling_key(key, step), person, notice, now)]


def given_up_writes(pending: PendingSend, now: datetime) -> list[Write]:
    """Tell the person directly about a message that stayed undelivered, if permitted."""
    kept = json.loads(pending.message)
    if if_lost := kept.get(_IF_LOST):
        key = sibling_key(pending.key, f"{step_in(pending.key)}:lost")
        return [notice_write(key, pending.person, outgoing_from_json(if_lost), now)]
    message = outgoing_from_json(pending.message)
    return told_directly(pending.key, message, pending.person, kept.get(_ASKER, ""), now)


def with_asker(message: str, asker: str, if_lost: OutgoingMessage | None = None) -> str:
    lost = {} if if_lost is None else {_IF_LOST: outgoing_to_json(if_lost)}
    return json.dumps({**json.loads(message), _ASKER: asker, **lost}, ensure_ascii=False)

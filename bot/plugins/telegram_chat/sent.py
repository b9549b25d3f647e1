"""What was posted, by key: Telegram lets bots read no history and knows no key of ours.

Each part of a send is noted as soon as Telegram names its id. So a crash later posts nothing again.
Between Telegram's answer and the note there is a gap that nobody can close from outside.
"""

import json
import logging
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from bot.plugin.chat import DeliveryError, OpenDraft, OpenDrafts, StorageError
from bot.plugin.clock import Clock, format_utc
from bot.plugins.telegram_chat.places import PLATFORM, ChatSpot

log = logging.getLogger(__name__)

REMEMBERED = 500
"""The notes of so many newest sends are kept: the outbox asks soon or never."""
_SENT, _LIVE = "telegram:sent:", "telegram:live:"


@dataclass
class SentParts:
    """The parts of one send that were posted: message ids, by part."""

    parts: dict[str, str] = field(default_factory=dict[str, str])
    whole: bool = False

    def as_json(self, at: str) -> str:
        return json.dumps({"at": at, "parts": self.parts, "whole": self.whole})


@dataclass(frozen=True)
class LeftDraft:
    """A draft that an earlier process left."""

    id: str
    chat: str
    message: str


class SentNotes:
    """Notes of sends and of open drafts, kept across crashes."""

    def __init__(self, drafts: OpenDrafts, clock: Clock) -> None:
        self._drafts = drafts
        self._clock = clock
        self._sent: OrderedDict[str, SentParts] | None = None
        self._left: list[LeftDraft] = []

    async def of(self, key: str) -> SentParts:
        """What is known of a send. Raises DeliveryError while the notes can't be read."""
        return (await self._known()).get(key) or SentParts()

    async def note(self, key: str, spot: ChatSpot, sent: SentParts) -> None:
        """Note what was posted by now. A failure is only logged: it is posted all the same."""
        known = await self._known()
        known[key] = sent
        known.move_to_end(key)
        draft = OpenDraft(
            f"{_SENT}{key}",
            spot.chat,
            spot.topic,
            spot.answers,
            sent.as_json(format_utc(self._clock.now())),
        )
        try:
            await self._drafts.note(PLATFORM, draft)
            while len(known) > REMEMBERED:
                await self._drafts.forget(PLATFORM, f"{_SENT}{known.popitem(last=False)[0]}")
        except StorageError as error:
            log.warning("send=<%s>, error=<%s> | posted, but not noted", key, error)

    async def opened(self, id_: str, spot: ChatSpot, message: str) -> None:
        """A draft stands there. Raises StorageError."""
        draft = OpenDraft(f"{_LIVE}{id_}", spot.chat, spot.topic, spot.answers, message)
        await self._drafts.note(PLATFORM, draft)

    async def closed(self, id_: str) -> None:
        """A draft became the answer or is gone."""
        try:
            await self._drafts.forget(PLATFORM, f"{_LIVE}{id_}")
        except StorageError as error:
            log.info("error=<%s> | a draft that is gone stays on record", error)

    async def left(self) -> list[LeftDraft]:
        """Drafts of an earlier process, each once. Raises DeliveryError."""
        await self._known()
        left, self._left = self._left, []
        return left

    async def _known(self) -> OrderedDict[str, SentParts]:
        if self._sent is None:
            try:
                rows = await self._drafts.left(PLATFORM)
            except StorageError as error:
                raise DeliveryError(f"what was sent is unknown: {error}", retryable=True) from error
            if self._sent is None:
                self._sent = _read([row for row in rows if row.id.startswith(_SENT)])
                answers = {id_ for sent in self._sent.values() for id_ in sent.parts.values()}
                self._left = [
                    LeftDraft(row.id.removeprefix(_LIVE), row.channel, row.message)
                    for row in rows
                    if row.id.startswith(_LIVE) and row.message not in answers
                ]
        return self._sent


def _read(rows: list[OpenDraft]) -> OrderedDict[str, SentParts]:
    found: list[tuple[str, str, SentParts]] = []
    for row in rows:
        try:
            written: Mapping[str, Any] = json.loads(row.message)
            parts = {str(part): str(id_) for part, id_ in written["parts"].items()}
        except (ValueError, LookupError, AttributeError, TypeError):
            log.warning("note=<%s> | a note of a send can't be read", row.id)
            continue
        at = str(cast("object", written.get("at", "")))
        sent = SentParts(parts, written.get("whole") is True)
        found.append((at, row.id.removeprefix(_SENT), sent))
    return OrderedDict((key, sent) for _, key, sent in sorted(found, key=lambda one: one[0]))

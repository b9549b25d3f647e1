"""Attachments: their bytes, fetched once per turn into data/blobs (step `fetch:<n>`).

Tools get whole files: from this message, and from messages near it.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Collection, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial

from bot.domain.chat import ChatAdapter
from bot.domain.clock import Clock
from bot.domain.database import Database, Unit
from bot.domain.files import AttachedFile
from bot.domain.json_types import JsonObject
from bot.domain.messages import FILES_READ, Attachment, IncomingMessage
from bot.domain.step_keys import StepKind, step_key
from bot.domain.tool_context import ToolContext
from bot.domain.turns import Recorded, Turn
from bot.errors import DeliveryError, ToolError, raised_as
from bot.knowledge.reading import MOST_BYTES
from bot.sessions.opening.attachment_store import (
    attached,
    attachment_write,
    kept_bytes,
    needed_blobs,
    settled_write,
)
from bot.sessions.opening.blocks import WHOLE_CHARS, FetchedFile
from bot.sessions.records.conversation_store import newest_keys_of
from bot.sessions.records.envelope import message_of
from bot.storage.blobs import Blobs
from bot.turns.engine import TurnEngine

log = logging.getLogger(__name__)

MOST_NAMED = 20
"""Of the files beyond."""
AT_ONCE = 4
"""The number of files fetched at the same time, over all turns."""
TRY_AGAIN_S = (1.0, 4.0)
"""Pauses before fetching a file again after a temporary failure."""
SWEEP_EVERY = timedelta(minutes=5)
_HEAD_BYTES = 4 * WHOLE_CHARS
"""The part of a text that a request can hold, and that tells the kind of a file."""
_MEGABYTE = 1024 * 1024
_EARLIER = 20
"""The number of a person's own recent messages here that may supply a file."""


@dataclass(frozen=True)
class FileRoom:
    """The most bytes for the files of unfinished turns."""

    person: int
    total: int


FILE_ROOM = FileRoom(200 * _MEGABYTE, 2_000 * _MEGABYTE)
"""One person's files fill at most a tenth of it."""


@dataclass(eq=False)
class Attachments:
    """Fetches a message's files; one that fails never blocks the others.

    The files are kept until their turn is over.
    """

    blobs: Blobs
    adapters: Mapping[str, ChatAdapter]
    database: Database
    clock: Clock
    room: FileRoom
    taken_by: Callable[[], Collection[str]] = tuple[str, ...]
    """Names of tools that take files now, known once the house stands."""
    _fetching: asyncio.Semaphore = field(default_factory=partial(asyncio.Semaphore, AT_ONCE))
    _arriving: Counter[str] = field(default_factory=Counter[str])
    """Bytes of files being fetched, by person."""

    async def fetch(
        self, turn: Turn, message: IncomingMessage, first: int = 0
    ) -> list[FetchedFile]:
        """A message's files, numbered from `first` in the journal; those over the limit by name."""
        files = [
            await self._one(turn, message, first + number, attachment)
            for number, attachment in enumerate(message.files[:FILES_READ])
        ]
        return files + _beyond(message.files[FILES_READ:])

    async def again(self, message: IncomingMessage, attachment: Attachment, most: int) -> bytes:
        """Fetch a file of `message`, or one it quotes, again from its platform: up to `most` bytes.

        Raises DeliveryError, StorageError.
        """
        person = f"{message.conversation.platform}:{message.sender.id}"
        blob, _ = await self._patiently(message, attachment, person)
        return await self.blobs.get(blob, most) or b""

    async def kept(self, blob: str, most: int) -> bytes | None:
        """At most `most` bytes of an already fetched file; None when it is no longer stored.

        Raises StorageError.
        """
        return await self.blobs.get(blob, most)

    async def whole(self, file: FetchedFile) -> bytes:
        """The whole content of a file of which `file.data` is only the beginning.

        Raises StorageError.
        """
        data = file.data or b""
        return await self.blobs.get(file.blob) or b"" if file.size > len(data) else data

    async def run(self) -> None:
        """Free the space of finished turns' files every five minutes, until cancelled.

        Raises StorageError.
        """
        while True:
            await self.sweep()
            await self.clock.sleep(SWEEP_EVERY.total_seconds())

    async def sweep(self) -> int:
        """Remove files unneeded by turns and messages in two sweeps in a row; returns how many."""
        await self.database.write(Unit.of(settled_write(self.taken_by())))
        return await self.blobs.sweep(await needed_blobs(self.database))

    async def keep(self, data: bytes) -> str:
        """Store the bytes of an attachment to a message of ours; returns the name of their blob.

        Raises StorageError.
        """
        return await self.blobs.put(data)

    async def _one(
        self, turn: Turn, message: IncomingMessage, number: int, attachment: Attachment
    ) -> FetchedFile:
        person = f"{message.conversation.platform}:{message.sender.id}"

        async def fetch() -> Recorded:
            try:
                blob, size = await self._patiently(message, attachment, person)
            except DeliveryError as error:
                log.warning(
                    "turn=<%s>, file=<%s>, error=<%s> | attachment not read",
                    turn.ref,
                    attachment.name,
                    error,
                )
                return Recorded({"problem": str(error)})
            write = attachment_write(
                turn.id, number, attachment.name, attachment.mime, size, blob, person
            )
            return Recorded({"blob": blob, "size": size}, Unit.of(write))

        stored: JsonObject = await turn.step(step_key(StepKind.FETCH, number), fetch)
        if "problem" in stored:
            return FetchedFile(attachment.name, attachment.mime, None, stored["problem"])
        head = await self.blobs.get(stored["blob"], _HEAD_BYTES)
        if head is None:  # the data folder was restored without it
            gone = "it is no longer kept; send it again"
            return FetchedFile(attachment.name, attachment.mime, None, gone)
        size = int(stored.get("size", attachment.size))
        return FetchedFile(
            attachment.name,
            attachment.mime,
            head,
            size=size,
            blob=stored["blob"],
            # What they reply to or forward was said by others.
            spoken=any(own.spoken and own.ref == attachment.ref for own in message.attachments),
            seconds=attachment.seconds,
        )

    async def _patiently(
        self, message: IncomingMessage, attachment: Attachment, person: str
    ) -> tuple[str, int]:
        for wait in TRY_AGAIN_S:
            try:
                return await self._keep(message, attachment, person)
            except DeliveryError as error:
                if not error.retryable:
                    raise
                log.info(
                    "file=<%s>, error=<%s>, wait=<%s> | trying again", attachment.name, error, wait
                )
            await self.clock.sleep(wait)
        return await self._keep(message, attachment, person)

    async def _keep(
        self, message: IncomingMessage, attachment: Attachment, person: str
    ) -> tuple[str, int]:
        """Fetch a file to disk; returns its name there and its size. Raises DeliveryError."""
        adapter = self.adapters.get(message.conversation.platform)
        if adapter is None:
            raise DeliveryError(f"{message.conversation.platform} is not connected now")
        async with self._fetching, aclosing(adapter.fetch(attachment)) as pieces:
            kept = await kept_bytes(self.database, person)
            self._require_room(person, kept, attachment.size)
            async with aclosing(self._within_room(pieces, person, kept)) as allowed:
                blob, size = await self.blobs.put_pieces(allowed)
        now = await kept_bytes(self.database, person)  # others may have ended meanwhile
        self._require_room(person, now, size)
        return blob, size

    async def _within_room(
        self, pieces: AsyncGenerator[bytes], person: str, kept: tuple[int, int]
    ) -> AsyncGenerator[bytes]:
        """Pass pieces on until the space is used up, whatever size the platform announced."""
        taken = 0
        try:
            async for piece in pieces:
                taken += len(piece)
                self._arriving[person] += len(piece)
                self._require_room(person, kept)
                yield piece
        finally:
            self._arriving[person] -= taken
            self._arriving += Counter[str]()  # drop people without a file in progress

    def _require_room(self, person: str, kept: tuple[int, int], more: int = 0) -> None:
        own, whole = kept
        if own + self._arriving[person] + more > self.room.person:
            most = f"{self.room.person // _MEGABYTE} MB"
            raise DeliveryError(
                f"their files that are still worked on may fill {most} and this one goes beyond "
                "that; they can send it again a few minutes after those are answered"
            )
        if whole + self._arriving.total() + more > self.room.total:
            raise DeliveryError(
                "there is no room for more files right now; they can send it again in a few minutes"
            )


def _beyond(attachments: Sequence[Attachment]) -> list[FetchedFile]:
    if not attachments:
        return []
    names = ", ".join(attachment.name for attachment in attachments[:MOST_NAMED])
    more = f" and {len(attachments) - MOST_NAMED} more" if len(attachments) > MOST_NAMED else ""
    reason = f"only the first {FILES_READ} files of a message are read; they can send the others"
    return [FetchedFile(f"{names}{more}", attachments[0].mime, None, f"{reason} on their own")]


@dataclass(frozen=True)
class _Near:
    """A file, the message that brought it, and its blob if it was already fetched."""

    name: str
    mime: str
    message: IncomingMessage
    attachment: Attachment | None = None
    blob: str = ""


@dataclass(frozen=True)
class KeptAttachments:
    """Implements `AttachedFiles`.

    A file counts when the asking person sent it here lately, or when their message replies to a
    message here that has it. A file from elsewhere does not: it may be private there.
    """

    database: Database
    engine: TurnEngine
    attachments: Attachments

    async def of(self, context: ToolContext, name: str) -> AttachedFile | None:
        async for near in self._near(context):
            if near.name == name and (data := await self._read(near)) is not None:
                return AttachedFile(name, near.mime, data)
        return None

    async def names(self, context: ToolContext) -> tuple[str, ...]:
        return tuple(dict.fromkeys([near.name async for near in self._near(context)]))

    async def _read(self, near: _Near) -> bytes | None:
        if near.attachment is None:
            return await self.attachments.kept(near.blob, MOST_BYTES + 1)
        if near.attachment.size > MOST_BYTES:
            most = MOST_BYTES // 1024**2
            raise ToolError(f"{near.name} has more than {most} MB, which is too much to keep")
        with raised_as(ToolError, DeliveryError, about=f"{near.name} can't be read now"):
            return await self.attachments.again(near.message, near.attachment, MOST_BYTES + 1)

    async def _near(self, context: ToolContext) -> AsyncGenerator[_Near]:
        """Files of the quoted messages and of the person's own, newest first."""
        asked = message_of({"message": context.envelope}) if context.envelope else None
        if asked is None:
            return
        sender = f"{asked.conversation.platform}:{asked.sender.id}"
        here = asked.conversation
        places = dict.fromkeys((here.key, here.channel_key))
        keys = await newest_keys_of(self.database, [*places], context.person.id, _EARLIER)
        for number, key in enumerate(dict.fromkeys((asked.key, *keys))):
            record = await self.engine.recorded(key)
            message = message_of(record.body) if record is not None else None
            if record is None or message is None:
                continue
            for row in await attached(self.database, sender, record.id):
                yield _Near(row["name"], row["mime"], message, blob=row["blob"])
            for one in message.attachments:
                yield _Near(one.name, one.mime, message, one)
            if number == 0:
                for one in (one for quote in message.quoted for one in quote.attachments):
                    yield _Near(one.name, one.mime, message, one)

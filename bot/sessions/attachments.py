"""Attachments: the bytes behind a reference, fetched once per turn into data/blobs (step `fetch:<n>`)."""

import logging
from collections.abc import Mapping, Sequence

from bot.domain.chat import ChatAdapter
from bot.domain.database import Unit
from bot.domain.json_types import JsonObject
from bot.domain.messages import Attachment, IncomingMessage
from bot.domain.turns import Recorded, Turn
from bot.errors import DeliveryError
from bot.sessions.conversation_store import attachment_write
from bot.sessions.opening import FetchedFile
from bot.storage.blobs import Blobs

log = logging.getLogger(__name__)

MOST_FILES = 8


class Attachments:
    """Fetches a message's files; one that fails never blocks the others."""

    def __init__(self, blobs: Blobs, adapters: Mapping[str, ChatAdapter]) -> None:
        self._blobs = blobs
        self._adapters = adapters

    async def fetch(self, turn: Turn, message: IncomingMessage, first: int = 0) -> list[FetchedFile]:
        """All files of a message, numbered from `first` in the journal; those beyond the limit are named."""
        files = [
            await self._one(turn, message, first + number, attachment)
            for number, attachment in enumerate(message.attachments[:MOST_FILES])
        ]
        return files + _beyond(message.attachments[MOST_FILES:])

    async def _one(self, turn: Turn, message: IncomingMessage, number: int, attachment: Attachment) -> FetchedFile:
        async def fetch() -> Recorded:
            adapter = self._adapters.get(message.conversation.platform)
            try:
                if adapter is None:
                    raise DeliveryError(f"{message.conversation.platform} is not connected now")
                data = await adapter.fetch(attachment)
            except DeliveryError as error:
                log.warning("turn=<%s>, file=<%s>, error=<%s> | attachment not read", turn.ref, attachment.name, error)
                return Recorded({"problem": str(error)})
            blob = await self._blobs.put(data)
            write = attachment_write(turn.id, number, attachment.name, attachment.mime, len(data), blob)
            return Recorded({"blob": blob}, Unit.of(write))

        stored: JsonObject = await turn.step(f"fetch:{number}", fetch)
        if "problem" in stored:
            return FetchedFile(attachment.name, attachment.mime, None, stored["problem"])
        return FetchedFile(attachment.name, attachment.mime, await self._blobs.get(stored["blob"]))


def _beyond(attachments: Sequence[Attachment]) -> list[FetchedFile]:
    reason = f"only the first {MOST_FILES} files of a message are read"
    return [FetchedFile(attachment.name, attachment.mime, None, reason) for attachment in attachments]

"""Whole files for tools: from this message, and from messages near it."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass

from bot.domain.database import Database
from bot.domain.files import AttachedFile
from bot.domain.messages import Attachment, IncomingMessage
from bot.domain.tool_context import ToolContext
from bot.domain.turns import TurnEngine
from bot.errors import DeliveryError, ToolError
from bot.knowledge.reading import MOST_BYTES
from bot.sessions.opening.attachment_store import attached
from bot.sessions.opening.attachments import Attachments
from bot.sessions.records.conversation_store import newest_keys_of
from bot.sessions.records.envelope import message_of

EARLIER = 20
"""The number of a person's own recent messages here that may supply a file."""


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
        try:
            return await self.attachments.again(near.message, near.attachment, MOST_BYTES + 1)
        except DeliveryError as error:
            raise ToolError(f"{near.name} can't be read now: {error}") from error

    async def _near(self, context: ToolContext) -> AsyncGenerator[_Near]:
        """Files of the quoted messages and of the person's own, newest first."""
        asked = message_of({"message": context.envelope}) if context.envelope else None
        if asked is None:
            return
        sender = f"{asked.conversation.platform}:{asked.sender.id}"
        here = asked.conversation
        places = dict.fromkeys((here.key, here.channel_key))
        keys = await newest_keys_of(self.database, [*places], context.person.id, EARLIER)
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

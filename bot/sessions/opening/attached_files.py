"""Files of messages that are being answered, for tools that take one whole."""

from bot.domain.database import Database
from bot.domain.files import AttachedFile
from bot.domain.tools import ToolContext
from bot.sessions.opening.attachment_store import attached, attached_names
from bot.sessions.records.envelope import message_of
from bot.storage.blobs import Blobs


class KeptAttachments:
    """Implements `AttachedFiles` over fetched files; only those that the asker sent."""

    def __init__(self, database: Database, blobs: Blobs) -> None:
        self._database = database
        self._blobs = blobs

    async def of(self, context: ToolContext, name: str) -> AttachedFile | None:
        sender = _sender(context)
        row = await attached(self._database, sender, name) if sender else None
        data = await self._blobs.get(row["blob"]) if row is not None else None
        return (
            AttachedFile(name, row["mime"], data) if row is not None and data is not None else None
        )

    async def names(self, context: ToolContext) -> tuple[str, ...]:
        sender = _sender(context)
        return await attached_names(self._database, sender) if sender else ()


def _sender(context: ToolContext) -> str:
    """Whoever sent the message that is answered, as the files of turns name them."""
    message = message_of({"message": context.envelope}) if context.envelope else None
    return f"{message.conversation.platform}:{message.sender.id}" if message is not None else ""

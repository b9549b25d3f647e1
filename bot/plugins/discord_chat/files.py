"""Files that people sent, read when needed: possibly long after their links expired."""

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack

from bot.plugin.chat import Attachment, DeliveryError
from bot.plugin.payloads import JsonObject, object_in, objects_in, text_in
from bot.plugin.recent import Recent
from bot.plugins.discord_chat.names import FORM_FILES, FileRef
from bot.plugins.discord_chat.places import REMEMBERED
from bot.plugins.discord_chat.rest import DiscordRest
from bot.plugins.discord_chat.seen import CallRefused, SeenFile

LARGEST_FILE = 25 * 2**20
_LINK_GONE = frozenset({403, 404})


class Files:
    """Reads attachments by their refs; an expired link is renewed by reading the message again."""

    def __init__(self, rest: Callable[[], DiscordRest]) -> None:
        self._rest = rest
        self._links: Recent[str, str] = Recent(REMEMBERED)

    def know(self, attachments: Sequence[Attachment], seen: Sequence[SeenFile]) -> None:
        """The addresses from the message or form; they work for some hours."""
        for attachment, file in zip(attachments, seen, strict=True):
            self._links[attachment.ref] = file.url

    async def fetch(self, attachment: Attachment) -> AsyncGenerator[bytes]:
        """The file in pieces. Raises DeliveryError when it is gone, cut off or too large."""
        _require_size(attachment, attachment.size)
        size = 0
        async with AsyncExitStack() as stack:
            async for piece in await self._opened(attachment, stack):
                size += len(piece)
                _require_size(attachment, size)
                yield piece

    async def _opened(self, attachment: Attachment, stack: AsyncExitStack) -> AsyncIterator[bytes]:
        known = self._links.pop(attachment.ref, None)
        for link in (known, None):
            try:
                url = link or await self._renewed(attachment)
                return await stack.enter_async_context(self._rest().line.download(url))
            except CallRefused as error:
                if error.status not in _LINK_GONE:
                    raise
        raise DeliveryError(f"{attachment.name} is gone: it is no longer part of its message")

    async def _renewed(self, attachment: Attachment) -> str:
        """A link that works for some hours."""
        ref = FileRef.parse(attachment.ref)
        if ref.message.startswith(FORM_FILES):
            raise DeliveryError(
                f"{attachment.name} is gone: Discord keeps what a form took for a short time; they "
                "can send it as a message"
            )
        try:
            message = await self._rest().message(ref.channel, ref.message)
        except CallRefused as error:
            if error.status == 404:
                raise DeliveryError(
                    f"{attachment.name} is gone: its message was deleted"
                ) from error
            raise
        for found in _files_of(message):
            if text_in(found, "id") == ref.file and text_in(found, "url"):
                return text_in(found, "url")
        raise DeliveryError(f"{attachment.name} is gone: it is no longer part of its message")


def _require_size(attachment: Attachment, size: int) -> None:
    if size > LARGEST_FILE:
        raise DeliveryError(f"{attachment.name} has {size / 2**20:.0f} MB; up to 25 MB are read")


def _files_of(message: JsonObject) -> list[JsonObject]:
    """The files of a message, those of what it forwards included."""
    forwarded = [
        object_in(snapshot, "message") for snapshot in objects_in(message, "message_snapshots")
    ]
    return [file for part in (message, *forwarded) for file in objects_in(part, "attachments")]

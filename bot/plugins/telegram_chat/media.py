"""Files of messages, and words for what is no text and no file."""

from collections.abc import AsyncGenerator, Sequence

from bot.plugin.chat import Attachment, DeliveryError
from bot.plugin.payloads import JsonObject, number_in, object_in, objects_in, text_in
from bot.plugins.telegram_chat.connection import TelegramConnection
from bot.plugins.telegram_chat.trouble import TelegramRefused

MOST_FILE_BYTES = 20 * 1024 * 1024
"""The most that the Bot API lets a bot download."""
MOST_SENT_BYTES = 50 * 1024 * 1024
"""The most that it takes."""
_KINDS = {
    "document": ("file", "", "application/octet-stream"),
    "audio": ("audio", ".mp3", "audio/mpeg"),
    "voice": ("voice", ".ogg", "audio/ogg"),
    "video": ("video", ".mp4", "video/mp4"),
    "video_note": ("video", ".mp4", "video/mp4"),
}
"""By field of a message: the first part of the name, the ending, and the type if it has none."""
_SPOKEN = frozenset({"voice", "video_note"})
"""Fields of what is recorded in the app."""
_CLOSED = ("story", "game", "paid_media")
"""Fields of what people send, and bots can't look into."""
_PARTS = "parts of the album"
"""A field of our own."""


def gathered(updates: Sequence[JsonObject]) -> list[JsonObject]:
    """The updates with each album as one message: Telegram makes one of each of its files."""
    albums: dict[str, list[JsonObject]] = {}
    for message in (object_in(update, "message") for update in updates):
        parts = albums.setdefault(album_of(message), [])
        if not (_caption(message) and any(map(_caption, parts))):  # more words stay apart
            parts.append(message)
    albums.pop("", None)
    found: list[JsonObject] = []
    for update in updates:
        message = object_in(update, "message")
        parts = albums.get(album_of(message), [])
        first = next(filter(_caption, parts), parts[0] if parts else None)
        if message is first:
            found.append({**update, "message": {**message, _PARTS: parts}})
        elif not any(message is part for part in parts):
            found.append(update)
    return found


def album_of(message: JsonObject) -> str:
    """The id of the album that a message is a part of, or nothing."""
    return text_in(message, "media_group_id")


def _caption(message: JsonObject) -> str:
    return text_in(message, "caption")


def attachments_of(message: JsonObject) -> tuple[Attachment, ...]:
    """Its files: documents, photos (the largest size), audio, voice messages and videos."""
    if parts := objects_in(message, _PARTS):
        return tuple(file for part in parts for file in attachments_of(part))
    number, found = text_in(message, "message_id"), list[Attachment]()
    for field, (stem, ending, usual) in _KINDS.items():
        file = object_in(message, field)
        if text_in(file, "file_id"):
            name = text_in(file, "file_name") or f"{stem}-{number}{ending}"
            mime = text_in(file, "mime_type") or usual
            size = max(number_in(file, "file_size"), 0)
            spoken = field in _SPOKEN and "forward_origin" not in message
            seconds = float(max(number_in(file, "duration"), 0))
            found.append(Attachment(text_in(file, "file_id"), name, mime, size, spoken, seconds))
    sizes = [one for one in objects_in(message, "photo") if text_in(one, "file_id")]
    if sizes:
        best = max(sizes, key=lambda one: number_in(one, "width") * number_in(one, "height"))
        size = max(number_in(best, "file_size"), 0)
        found.append(
            Attachment(text_in(best, "file_id"), f"photo-{number}.jpg", "image/jpeg", size)
        )
    return tuple(found)


def described(message: JsonObject) -> str:
    """Words for what is neither text nor file; empty for notices of the chat."""
    if sticker := object_in(message, "sticker"):
        return f"[sticker: {text_in(sticker, 'emoji') or 'without emoji'}]"
    if place := object_in(message, "location"):
        where = f"{text_in(place, 'latitude')}, {text_in(place, 'longitude')}"
        title = text_in(object_in(message, "venue"), "title")
        return f"[place: {title + ', ' if title else ''}{where}]"
    if contact := object_in(message, "contact"):
        names = (text_in(contact, "first_name"), text_in(contact, "last_name"))
        return f"[contact: {' '.join(filter(None, names))}, {text_in(contact, 'phone_number')}]"
    if poll := object_in(message, "poll"):
        options = ", ".join(text_in(one, "text") for one in objects_in(poll, "options"))
        return f"[poll: {text_in(poll, 'question')} ({options})]"
    if listed := object_in(message, "checklist"):
        tasks = ", ".join(text_in(one, "text") for one in objects_in(listed, "tasks"))
        return f"[checklist: {text_in(listed, 'title')} ({tasks})]"
    if dice := object_in(message, "dice"):
        return f"[{text_in(dice, 'emoji') or 'dice'}: {number_in(dice, 'value')}]"
    return next((f"[{kind}]" for kind in _CLOSED if kind in message), "")


async def read_file(
    connection: TelegramConnection, attachment: Attachment
) -> AsyncGenerator[bytes]:
    """A file in pieces. Raises DeliveryError when it is gone, cut off or too large."""
    if attachment.size > MOST_FILE_BYTES:
        raise DeliveryError(f"{attachment.name} is over 20 MB, more than bots may read on Telegram")
    try:
        async with connection.download(attachment.ref, MOST_FILE_BYTES) as pieces:
            async for piece in pieces:
                yield piece
    except TelegramRefused as refused:
        raise DeliveryError(
            f"{attachment.name} can't be read: {refused.error}",
            retryable=refused.retry_after is not None,
        ) from refused

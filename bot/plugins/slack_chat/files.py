"""Files that people attach on Slack: read from a message, then fetched."""

from collections.abc import AsyncGenerator

from bot.plugin.chat import Attachment, DeliveryError
from bot.plugin.payloads import (
    JsonObject,
    number_in,
    object_in,
    objects_in,
    plain_file_name,
    text_in,
)
from bot.plugins.slack_chat.connection import SlackConnection
from bot.plugins.slack_chat.posts import Posts
from bot.plugins.slack_chat.trouble import SlackRefused

CANVAS = "application/vnd.slack-docs"
"""The stated type of a canvas, which Slack hands out as HTML."""
_CLIPS = {"slack_audio", "slack_video"}
"""Subtypes of files that were recorded in the app."""


def file_names(message: JsonObject) -> tuple[str, ...]:
    files = objects_in(message, "files")
    return tuple(str(file.get("name") or file.get("title") or file.get("id")) for file in files)


def is_open(file: JsonObject) -> bool:
    """Whether everybody in the workspace may see it."""
    return file.get("is_public") is True


def attachments_of(event: JsonObject) -> tuple[Attachment, ...]:
    files: list[JsonObject] = objects_in(event, "files")
    return tuple(
        Attachment(
            ref=text_in(file, "id"),
            name=text_in(file, "name") or text_in(file, "title") or text_in(file, "id"),
            mime=_mime(file),
            size=max(number_in(file, "size"), 0),
            spoken=text_in(file, "subtype") in _CLIPS
            and text_in(file, "user") == text_in(event, "user"),
            seconds=max(number_in(file, "duration_ms"), 0) / 1000,
        )
        for file in files
        if text_in(file, "id")
    )


def _mime(file: JsonObject) -> str:
    stated = text_in(file, "mimetype") or "application/octet-stream"
    return "text/html" if stated == CANVAS else stated


MOST_FILE_BYTES = 32 * 1024 * 1024
_WHY = {
    "file_deleted": "it was deleted",
    "file_not_found": "it is gone, or of a place or company that Bellhop does not see;"
    " they can upload a copy here",
    "access_denied": "it belongs to another company; they can upload a copy here",
}


async def read_file(
    posts: Posts, connection: SlackConnection, attachment: Attachment
) -> AsyncGenerator[bytes]:
    """A file in pieces, by a fresh link.

    Raises DeliveryError when it is gone, cut off, elsewhere or too large.
    """
    try:
        found = object_in(await posts.call("files.info", file=attachment.ref), "file")
        url = text_in(found, "url_private_download")
        if not url:
            where = text_in(found, "external_type") or text_in(found, "mode") or "no link"
            raise DeliveryError(
                f"{plain_file_name(text_in(found, 'name') or attachment.name)} is not kept on Slack"
                f" ({where}); they can upload a copy"
            )
        async with connection.download(url, MOST_FILE_BYTES) as (mime, pieces):
            if mime == "text/html" and attachment.mime != "text/html":
                wrong = "Slack asks to sign in; check SLACK_BOT_TOKEN"
                raise DeliveryError(f"{attachment.name} can't be read: {wrong}")
            async for piece in pieces:
                yield piece
    except SlackRefused as refused:
        why = _WHY.get(refused.error, refused.error)
        raise DeliveryError(f"{attachment.name} can't be read: {why}") from refused

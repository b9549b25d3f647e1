"""The files of a message in Slack."""

from bot.plugin.chat import Attachment
from bot.plugin.payloads import JsonObject, number_in, objects_in, text_in

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

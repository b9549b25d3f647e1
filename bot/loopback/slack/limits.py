"""Slack's limits for messages. Each function returns Slack's error code, or None."""

from typing import Any, cast

from bot.loopback.slack.block_rules import MARKDOWN, blocks_error
from bot.plugin.models import JsonObject

TEXT = 40_000
STATUSES = {"active", "processing", "suspended", "closed"}


def content_error(text: object, markdown: object, blocks: object) -> str | None:
    """Check the content of chat.postMessage, chat.update and chat.postEphemeral."""
    if markdown is not None and (text is not None or blocks is not None):
        return "markdown_text_conflict"
    if markdown is None and text is None and not blocks:
        return "no_text"
    if markdown is not None and len(str(markdown)) > MARKDOWN:
        return "msg_too_long"
    if text is not None and len(str(text)) > TEXT:
        return "msg_too_long"
    if isinstance(markdown, str) and not markdown.strip():
        return "no_text"
    return blocks_error(blocks) if blocks is not None else None


def chunks_error(chunks: object) -> str | None:
    """Check the `chunks` of chat.startStream, appendStream and stopStream."""
    if not isinstance(chunks, list):
        return "invalid_chunks"
    total = 0
    for chunk in cast("list[Any]", chunks):
        if not isinstance(chunk, dict):
            return "invalid_chunks"
        known = cast("JsonObject", chunk)
        match known.get("type"):
            case "markdown_text":
                total += len(str(known.get("text", "")))
            case "task_update":
                if not known.get("id") or not str(known.get("title", "")):
                    return "invalid_chunks"
                if known.get("status") not in {"pending", "in_progress", "complete", "error"}:
                    return "invalid_chunks"
            case "plan_update" | "blocks":
                continue
            case _:
                return "invalid_chunks"
    return "msg_too_long" if total > MARKDOWN else None


def metadata_error(metadata: object) -> str | None:
    if metadata is None:
        return None
    if not isinstance(metadata, dict):
        return "invalid_metadata_format"
    known = cast("JsonObject", metadata)
    if not isinstance(known.get("event_type"), str) or not isinstance(
        known.get("event_payload"), dict
    ):
        return "invalid_metadata_schema"
    return None


def prompts_error(prompts: object) -> str | None:
    """Check suggested prompts: at most four, each with a title and a message."""
    if not isinstance(prompts, list) or not 1 <= len(cast("list[Any]", prompts)) <= 4:
        return "invalid_arguments"
    listed = cast("list[JsonObject]", prompts)
    return (
        None
        if all(prompt.get("title") and prompt.get("message") for prompt in listed)
        else "invalid_arguments"
    )

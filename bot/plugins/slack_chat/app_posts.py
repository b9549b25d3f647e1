"""The words of a message that an app posted: they stand in its blocks and attachments.

Its `text` is for notifications, and often empty. All of it is written in Slack's own markup here.
Sources: docs.slack.dev/reference/block-kit/blocks,
docs.slack.dev/legacy/legacy-messaging/legacy-secondary-message-attachments.
"""

from collections.abc import Iterator, Sequence

from bot.plugin.payloads import (
    JsonObject,
    as_objects,
    as_values,
    number_in,
    object_in,
    objects_in,
    text_in,
)
from bot.plugins.slack_chat.markup import escape

_OF_OTHERS = ("from_url", "original_url", "is_share", "is_msg_unfurl")
"""Marks of an attachment that the app didn't write: a link's preview, a shared message."""

_MOST_INDENT = 8
MOST_CHARS = 40_000
"""The most that Slack lets a text have; blocks and attachments can have many times that."""


def words_of(message: JsonObject) -> str:
    """What people read in a message. Of a person's it is the text: below stand previews."""
    text = text_in(message, "text")
    if not text_in(message, "bot_id"):
        return text
    attached = [
        _attachment(one)
        for one in objects_in(message, "attachments")
        if not any(one.get(mark) for mark in _OF_OTHERS)
    ]
    return _lines(_blocks(objects_in(message, "blocks")) or text, *attached)[:MOST_CHARS]


def words_of_shared(shared: JsonObject) -> str:
    """What people read in the attachment that stands for a shared message."""
    whole = [object_in(one, "message") for one in objects_in(shared, "message_blocks")]
    blocks = (_blocks(objects_in(one, "blocks")) for one in whole)
    return text_in(shared, "text") or _lines(*blocks) or text_in(shared, "fallback")


def _attachment(attached: JsonObject) -> str:
    title, link = text_in(attached, "title"), text_in(attached, "title_link")
    words = _lines(
        text_in(attached, "pretext"),
        text_in(attached, "author_name"),
        f"<{link}|{title or link}>" if link else title,
        text_in(attached, "text"),
        *(_lines(text_in(one, "title"), text_in(one, "value"), by=": ")
          for one in objects_in(attached, "fields")),
        _blocks(objects_in(attached, "blocks")),
    )  # fmt: skip
    return words or text_in(attached, "fallback")


def _blocks(blocks: Sequence[JsonObject]) -> str:
    return _lines(*(line for block in blocks for line in _block(block)))


def _block(block: JsonObject) -> Iterator[str]:
    """The lines of a block. Buttons and menus say nothing of what happened."""
    match block.get("type"):
        case "header" | "section":
            yield _said(object_in(block, "text"))
            yield from map(_said, objects_in(block, "fields"))
        case "context":
            yield _lines(*map(_said, objects_in(block, "elements")), by=" ")
        case "rich_text":
            yield from map(_rich, objects_in(block, "elements"))
        case "markdown":
            yield escape(text_in(block, "text"))
        case "image" | "video":
            yield _said(object_in(block, "title")) or escape(text_in(block, "alt_text"))
        case "table":
            for row in as_values(block.get("rows")):
                yield _lines(*map(_cell, as_objects(row)), by=" | ")
        case _:
            return


def _said(words: JsonObject) -> str:
    """A text object; other elements of a context are pictures."""
    match words.get("type"):
        case "mrkdwn":
            return text_in(words, "text")
        case "plain_text":
            return escape(text_in(words, "text"))
        case _:
            return ""


def _cell(cell: JsonObject) -> str:
    if cell.get("type") == "rich_text":
        return _lines(*map(_rich, objects_in(cell, "elements")), by=" ")
    return escape(text_in(cell, "text"))


def _rich(part: JsonObject) -> str:
    """A paragraph, a quote, code, or a list of such."""
    if part.get("type") != "rich_text_list":
        return _run(part)
    numbered, first = part.get("style") == "ordered", 1 + number_in(part, "offset")
    inset = " " * 4 * min(max(number_in(part, "indent"), 0), _MOST_INDENT)
    return _lines(
        *(
            f"{inset}{f'{number}.' if numbered else '•'} {_run(one)}"
            for number, one in enumerate(objects_in(part, "elements"), first)
        )
    )


def _run(section: JsonObject) -> str:
    return "".join(map(_piece, objects_in(section, "elements")))


def _piece(piece: JsonObject) -> str:
    """A part of a line, as Slack's markup writes it."""
    match piece.get("type"):
        case "text":
            return escape(text_in(piece, "text"))
        case "link":
            url, label = text_in(piece, "url"), escape(text_in(piece, "text"))
            return f"<{url}|{label or url}>"
        case "user":
            return f"<@{text_in(piece, 'user_id')}>"
        case "channel":
            return f"<#{text_in(piece, 'channel_id')}>"
        case "emoji":
            return f":{text_in(piece, 'name')}:"
        case "broadcast" | "usergroup":
            return f"<!{text_in(piece, 'range') or 'subteam'}>"
        case "date":
            return escape(text_in(piece, "fallback"))
        case _:
            return ""


def _lines(*words: str, by: str = "\n") -> str:
    return by.join(filter(None, words))

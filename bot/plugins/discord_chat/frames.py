"""A card as a frame of Discord's second kind of components, and the text of such messages.

Their text is in no `content`, like that of the embeds that apps post.
"""

from collections.abc import Iterator, Sequence
from datetime import timedelta

from bot.plugin.clock import Clock
from bot.plugin.payloads import JsonObject, number_in, object_in, objects_in, text_in
from bot.plugin.recent import Fresh

IS_COMPONENTS_V2 = 1 << 15
"""Discord never takes this flag off a message, and such a message has no `content`."""
LOADING = 1 << 7
"""An answer that an app promised. It is empty until the app edits it."""
_ROW, _TEXT, _SEPARATOR, _CONTAINER = 1, 10, 14, 17
_WAITS = 0xF0B232
"""The colour of a card that can still be decided."""
_DEPTH = 3
"""A text lies in a section of a container, at most."""
PLAIN_FOR = timedelta(hours=1)
_MOST = 2_000


def plain_places(clock: Clock) -> Fresh[str, bool]:
    """Channels where Discord lately refused a frame and took the same card as plain text."""
    return Fresh(clock, PLAIN_FOR, _MOST)


def frame(text: str, rows: Sequence[JsonObject]) -> list[JsonObject]:
    """The text, and below a line its rows of buttons; a closed card has no rows and no colour."""
    written: JsonObject = {"type": _TEXT, "content": text}
    if not rows:
        return [{"type": _CONTAINER, "components": [written]}]
    inner = [written, {"type": _SEPARATOR}, *rows]
    return [{"type": _CONTAINER, "accent_color": _WAITS, "components": inner}]


def words_of_message(message: JsonObject) -> str:
    """The text that people read in a message, in whichever form it was sent."""
    if number_in(message, "flags") & IS_COMPONENTS_V2:
        return "\n".join(_texts(objects_in(message, "components"), _DEPTH))
    said = text_in(message, "content")
    embeds = (
        "\n".join(_embed(one))
        for one in objects_in(message, "embeds")
        if one.get("type") == "rich" and not _is_preview(one, said, message)
    )
    return "\n".join(filter(None, (said, *embeds)))


def _is_preview(embed: JsonObject, said: str, message: JsonObject) -> bool:
    """Whether it shows a link of the message: then its words are others'.

    All embeds of a person do. Nobody says who wrote a message that somebody forwarded.
    """
    author, url = object_in(message, "author"), text_in(embed, "url")
    if not author:
        return bool(url) and url in said
    return not author.get("bot") and not message.get("webhook_id")


def _embed(embed: JsonObject) -> Iterator[str]:
    """The lines of an app's embed, such as the alert of a monitor."""
    parts = (text_in(object_in(embed, "author"), "name"), text_in(embed, "title"))
    yield from filter(None, (*parts, text_in(embed, "url"), text_in(embed, "description")))
    for field in objects_in(embed, "fields"):
        yield f"{text_in(field, 'name')}: {text_in(field, 'value')}"


def _texts(components: Sequence[JsonObject], depth: int) -> Iterator[str]:
    for one in components if depth else ():
        if one.get("type") == _TEXT:
            yield text_in(one, "content")
        yield from _texts(objects_in(one, "components"), depth - 1)

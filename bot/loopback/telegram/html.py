"""Reads texts with `parse_mode` HTML, by the rules of the Bot API reference ("HTML style")."""

import re
from html import unescape

from bot.loopback.telegram.faults import Refusal
from bot.plugin.models import JsonObject

_TAG = re.compile(r"<(/?)([a-z-]+)((?:\s[^<>]*)?)>|<", re.IGNORECASE)
_HREF = re.compile(r'^\s+href="([^"]*)"$')
_LANGUAGE = re.compile(r'^\s+class="language-([^"]*)"$')
_KINDS = {
    "b": "bold",
    "strong": "bold",
    "i": "italic",
    "em": "italic",
    "u": "underline",
    "s": "strikethrough",
    "code": "code",
    "pre": "pre",
    "a": "text_link",
    "blockquote": "blockquote",
}
_ENTITY = re.compile(r"&(?!(?:lt|gt|amp|quot|#\d+|#x[0-9a-f]+);)", re.IGNORECASE)


def units(text: str) -> int:
    """Return the length in units of UTF-16, in which Telegram counts."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def read_html(source: str) -> tuple[str, list[JsonObject]]:
    """Return the text and its entities. Raises Refusal as Telegram does for broken markup."""
    text, entities, opened, done = "", list[JsonObject](), list[tuple[str, int, JsonObject]](), 0
    for tag in _TAG.finditer(source):
        text += _plain(source[done : tag.start()])
        done = tag.end()
        name = (tag[2] or "").lower()
        if not name:
            raise _broken("Unsupported start tag", tag.start())
        if tag[1]:
            if not opened or opened[-1][0] != name:
                raise _broken(f'Unexpected end tag "{name}"', tag.start())
            _, start, entity = opened.pop()
            if units(text) > start:
                entities.append({**entity, "offset": start, "length": units(text) - start})
            continue
        if name not in _KINDS:
            raise _broken(f'Unsupported start tag "{name}"', tag.start())
        around = [one for one, _, _ in opened]
        in_code = "code" in around or ("pre" in around and name != "code")
        if in_code or (name == "blockquote" and name in around):
            raise _broken(f'"{name}" can\'t stand inside "{around[-1]}"', tag.start())
        opened.append((name, units(text), _entity(name, tag[3], tag.start())))
    if opened:
        raise _broken(f'Can\'t find end tag corresponding to start tag "{opened[-1][0]}"', done)
    text += _plain(source[done:])
    return text, sorted(entities, key=lambda one: (one["offset"], -one["length"]))


def _entity(name: str, attributes: str, at: int) -> JsonObject:
    entity: JsonObject = {"type": _KINDS[name]}
    if name == "a":
        href = _HREF.match(attributes)
        if href is None:
            raise _broken("a link without href", at)
        return {**entity, "url": unescape(href[1])}
    if attributes and not (name == "code" and _LANGUAGE.match(attributes)):
        raise _broken(f"unexpected attributes{attributes}", at)
    return entity


def _plain(part: str) -> str:
    if _ENTITY.search(part) is not None and re.search(r"&\w+;", part):
        raise _broken("an unknown HTML entity", 0)
    return unescape(part)


def _broken(why: str, at: int) -> Refusal:
    return Refusal(400, f"Bad Request: can't parse entities: {why} at byte offset {at}")

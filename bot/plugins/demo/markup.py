"""What people wrote, as HTML without any tag of theirs."""

import html
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

Names = Callable[[str], str | None]
"""The name of a person or a channel, by its id."""

_MENTION = re.compile(r"<(@[!&]?|#)([A-Z0-9]+)(?:\|[^>]*)?>")
_TIMESTAMP = re.compile(r"<t:(\d+)(?::[a-zA-Z])?>")
_SLACK_LINK = re.compile(r"<((?:https?|mailto):[^|>]+)(?:\|([^>]*))?>")
_SLACK_BOLD = re.compile(r"(?<![\w*])\*(?=\S)([^*\n]+?)(?<=\S)\*(?![\w*])")
_SLACK_STRUCK = re.compile(r"(?<![\w~])~(?=\S)([^~\n]+?)(?<=\S)~(?![\w~])")
_BARE_LINK = re.compile(r"https?://[^\s<>\"]*[^\s<>\".,;:!?)']")
_SUBTEXT = re.compile(r"^-# (.+)$", re.MULTILINE)
_LINKED = re.compile(r"https?://|mailto:", re.IGNORECASE)
"""How an address begins of which both platforms make a link."""


class _Reader(MarkdownIt):
    def validateLink(self, url: str) -> bool:  # noqa: N802 - theirs
        return _LINKED.match(url) is not None


def _link_opens(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Any
) -> str:
    tokens[index].attrSet("target", "_blank")
    tokens[index].attrSet("rel", "noopener noreferrer")
    return renderer.renderToken(tokens, index, options, env)


def _cell_opens(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Any
) -> str:
    """The page forbids styles in attributes: the side of a column is a class."""
    style = tokens[index].attrs.pop("style", "")
    if side := str(style).removeprefix("text-align:"):
        tokens[index].attrSet("class", side)
    return renderer.renderToken(tokens, index, options, env)


def _link_bare_addresses(state: StateCore) -> None:
    """Both platforms make a link of an address that stands in a text as it is."""
    for block in state.tokens:
        depth, found = 0, list[Token]()
        for token in block.children or ():
            depth += {"link_open": 1, "link_close": -1}.get(token.type, 0)
            found += [token] if depth or token.type != "text" else _linked(token.content)
        block.children = found or block.children


def _linked(text: str) -> Iterator[Token]:
    end = 0
    for address in _BARE_LINK.finditer(text):
        yield Token("text", "", 0, content=text[end : address.start()])
        yield Token("link_open", "a", 1, attrs={"href": address[0]})
        yield Token("text", "", 0, content=address[0])
        yield Token("link_close", "a", -1)
        end = address.end()
    yield Token("text", "", 0, content=text[end:])


def _reader() -> MarkdownIt:
    reader = _Reader("commonmark", {"html": False, "breaks": True})
    reader.enable(["table", "strikethrough"]).disable("image")
    reader.add_render_rule("link_open", _link_opens)
    reader.add_render_rule("th_open", _cell_opens)
    reader.add_render_rule("td_open", _cell_opens)
    reader.core.ruler.push("bare addresses", _link_bare_addresses)
    return reader


_MARKDOWN = _reader()


def from_markdown(text: str, names: Names) -> str:
    """Discord's markdown, and that of Slack's markdown blocks."""
    named = _MENTION.sub(lambda found: _mention(found[1], found[2], names), text)
    named = _TIMESTAMP.sub(r"`\1`", named)
    return _MARKDOWN.render(_SUBTEXT.sub(r"*\1*", named))


def from_mrkdwn(text: str, names: Names) -> str:
    """Slack's own markup; `&`, `<` and `>` are written as entities in it."""
    linked = _SLACK_LINK.sub(lambda found: f"[{found[2] or found[1]}]({found[1]})", text)
    named = _MENTION.sub(lambda found: _mention(found[1], found[2], names), linked)
    marked = _SLACK_STRUCK.sub(r"~~\1~~", _SLACK_BOLD.sub(r"**\1**", named))
    return _MARKDOWN.render(html.unescape(marked))


def plain(text: str, names: Names) -> str:
    """A text in one line with the names of whom it mentions, for titles."""
    named = _MENTION.sub(lambda found: _mention(found[1], found[2], names), text)
    return " ".join(named.split())


def _mention(sign: str, id_: str, names: Names) -> str:
    return f"{sign[0]}{names(id_) or id_}"

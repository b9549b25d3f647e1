"""What people wrote, as HTML without any tag of theirs."""

import html
import re
from collections.abc import Callable, Sequence
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

Names = Callable[[str], str | None]
"""The name of a person or a channel, by its id."""

_MENTION = re.compile(r"<(@[!&]?|#)([A-Z0-9]+)(?:\|[^>]*)?>")
_TIMESTAMP = re.compile(r"<t:(\d+)(?::[a-zA-Z])?>")
_SLACK_LINK = re.compile(r"<((?:https?|mailto):[^|>]+)(?:\|([^>]*))?>")
_SLACK_BOLD = re.compile(r"(?<![\w*])\*(?=\S)([^*\n]+?)(?<=\S)\*(?![\w*])")
_SLACK_STRUCK = re.compile(r"(?<![\w~])~(?=\S)([^~\n]+?)(?<=\S)~(?![\w~])")
_SUBTEXT = re.compile(r"^-# (.+)$", re.MULTILINE)


def _link_opens(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Any
) -> str:
    tokens[index].attrSet("target", "_blank")
    tokens[index].attrSet("rel", "noopener noreferrer")
    return renderer.renderToken(tokens, index, options, env)


def _reader() -> MarkdownIt:
    reader = MarkdownIt("commonmark", {"html": False, "breaks": True})
    reader.enable(["table", "strikethrough"]).disable("image")
    reader.add_render_rule("link_open", _link_opens)
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

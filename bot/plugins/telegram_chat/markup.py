"""Markdown as Telegram's HTML, and Telegram's texts with their entities as words.

Outgoing text can't notify anybody: names behind an @ are kept apart from it, and links lead to web
pages only.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape, unescape

from markdown_it import MarkdownIt
from markdown_it.token import Token

from bot.plugin.drawing import split_text, tables_as_code
from bot.plugin.payloads import JsonObject, number_in, object_in, plain_name, text_in

MOST_UNITS = 4096
"""The most that Telegram shows in one message, in units of UTF-16, without the markup."""
_PIECE_CHARS = 3800
_SHORTEST = 40
_MENTION = re.compile(r"(?<![\w/.])@(?=\w)")
_TAG = re.compile(r"<[^>]*>")
_WEB = re.compile(r"https?://", re.IGNORECASE)
_LANGUAGE = re.compile(r"[A-Za-z0-9_+#-]{1,30}")
_INLINE = {
    "strong_open": "<b>",
    "strong_close": "</b>",
    "em_open": "<i>",
    "em_close": "</i>",
    "s_open": "<s>",
    "s_close": "</s>",
    "softbreak": "\n",
    "hardbreak": "\n",
}


NO_PREVIEW = {"is_disabled": True}


@dataclass(frozen=True)
class FormattedText:
    """One message: its HTML, and its text for a Telegram that does not take the HTML."""

    html: str

    @property
    def plain(self) -> str:
        return unescape(_TAG.sub("", self.html))

    def arguments(self, buttons: JsonObject | None = None) -> JsonObject:
        """The parts of a call that show it."""
        shown = {"text": self.html, "parse_mode": "HTML", "link_preview_options": NO_PREVIEW}
        return shown if buttons is None else {**shown, "reply_markup": buttons}


def pieces_of(text: str) -> list[FormattedText]:
    """A markdown text as messages that fit; none for a blank one."""
    return [
        shown
        for piece in split_text(tables_as_code(text), _PIECE_CHARS)
        for shown in _fitting(piece)
    ]


def _fitting(piece: str) -> list[FormattedText]:
    shown = FormattedText(to_html(piece))
    if units(shown.plain) <= MOST_UNITS or len(piece) < _SHORTEST:
        return [shown] if shown.plain.strip() else []
    return [one for part in split_text(piece, len(piece) // 2 + 1) for one in _fitting(part)]


def units(text: str) -> int:
    """The length of a text as Telegram counts it."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def tame(text: str) -> str:
    """An invisible joiner keeps `@name` a plain word."""
    return _MENTION.sub("@\u2060", text)


def to_html(text: str) -> str:
    """Markdown in the tags that Telegram knows; everything else stays as text."""
    return _Writer().write(_parser().parse(text))


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("strikethrough")


class _Writer:
    """Writes the tokens of one text."""

    def __init__(self) -> None:
        self._out: list[str] = []
        self._lists: list[int | None] = []
        """The next number of each open list; None for bullets."""
        self._quotes = 0

    def write(self, tokens: Sequence[Token]) -> str:
        for token in tokens:
            self._block(token)
        return re.sub(r"\n{3,}", "\n\n", "".join(self._out)).strip("\n")

    def _block(self, token: Token) -> None:  # noqa: C901, PLR0912 - a case for each kind
        match token.type:
            case "inline":
                self._out.append(_inline(token.children or []))
            case "paragraph_close":
                self._out.append("\n" if token.hidden or self._lists else "\n\n")
            case "heading_open":
                self._out.append("<b>")
            case "heading_close":
                self._out.append("</b>\n\n")
            case "bullet_list_open":
                self._lists.append(None)
            case "ordered_list_open":
                start = token.attrGet("start")
                self._lists.append(int(start) if start is not None else 1)
            case "bullet_list_close" | "ordered_list_close":
                self._lists.pop()
                self._out.append("" if self._lists else "\n")
            case "list_item_open":
                self._out.append(self._item())
            case "blockquote_open":
                self._quotes += 1
                self._out.append("<blockquote>" if self._quotes == 1 else "")
            case "blockquote_close":
                self._quotes -= 1
                self._end_quote()
            case "fence" | "code_block":
                self._out.append(_code(token))
            case "hr":
                self._out.append("———\n\n")
            case "html_block":
                self._out.append(escape(tame(token.content), quote=False))
            case _:
                return

    def _item(self) -> str:
        indent, number = "  " * (len(self._lists) - 1), self._lists[-1]
        if number is None:
            return f"{indent}• "
        self._lists[-1] = number + 1
        return f"{indent}{number}. "

    def _end_quote(self) -> None:
        if self._quotes == 0:  # quotes can't be nested on Telegram
            while self._out and not self._out[-1].strip("\n"):
                self._out.pop()
            self._out[-1] = self._out[-1].rstrip("\n")
            self._out.append("</blockquote>\n\n")


def _code(token: Token) -> str:
    language = _LANGUAGE.fullmatch(token.info.strip().partition(" ")[0])
    body = escape(token.content.rstrip("\n"), quote=False)
    if language is not None:
        body = f'<code class="language-{escape(language[0])}">{body}</code>'
    return f"<pre>{body}</pre>\n\n" if body else ""


def _inline(tokens: Sequence[Token]) -> str:
    out: list[str] = []
    links: list[bool] = []
    for token in tokens:
        match token.type:
            case "code_inline":
                out.append(f"<code>{escape(token.content, quote=False)}</code>")
            case "link_open":
                href = str(token.attrGet("href") or "")
                links.append(_WEB.match(href) is not None)
                out.append(f'<a href="{escape(href)}">' if links[-1] else "")
            case "link_close":
                out.append("</a>" if links.pop() else "")
            case "image":
                out.append(escape(f"{token.content} ({token.attrGet('src')})", quote=False))
            case kind if kind in _INLINE:
                out.append(_INLINE[kind])
            case _:
                out.append(escape(tame(token.content), quote=False))
    return "".join(out)


# --- incoming ---


def readable(text: str, entities: Sequence[JsonObject]) -> str:
    """The text, with links written out; names of people without a public name are cleaned."""

    def word(entity: JsonObject, said: str) -> str | None:
        match text_in(entity, "type"):
            case "text_mention":
                return f"@{plain_name(said)}"
            case "text_link" if (url := text_in(entity, "url")) and url != said:
                return f"{said} ({url})"
            case _:
                return None

    return _replaced(text, entities, word)


def typed_words(text: str, entities: Sequence[JsonObject]) -> str:
    """What the sender typed: people whom the app named for them by id, emoji of others left out."""

    def word(entity: JsonObject, said: str) -> str | None:
        match text_in(entity, "type"):
            case "text_mention":
                return f"<@{text_in(object_in(entity, 'user'), 'id')}>"
            case "text_link" if (url := text_in(entity, "url")) and url != said:
                return f"{said} ({url})"
            case "custom_emoji":
                return " "
            case _:
                return None

    return _replaced(text, entities, word)


def said_by(entity: JsonObject, text: str) -> str:
    """The part of a text that an entity is about: its offsets count units of UTF-16."""
    coded = text.encode("utf-16-le", "surrogatepass")
    start = 2 * max(number_in(entity, "offset"), 0)
    end = start + 2 * max(number_in(entity, "length"), 0)
    return coded[start:end].decode("utf-16-le", "replace")


def _replaced(
    text: str, entities: Sequence[JsonObject], word: Callable[[JsonObject, str], str | None]
) -> str:
    coded = text.encode("utf-16-le", "surrogatepass")
    parts: list[str] = []
    done = 0
    for entity in sorted(entities, key=lambda one: number_in(one, "offset")):
        start = 2 * number_in(entity, "offset")
        end = start + 2 * number_in(entity, "length")
        if start < done or end <= start or end > len(coded):
            continue
        instead = word(entity, coded[start:end].decode("utf-16-le", "replace"))
        if instead is not None:
            parts += [coded[done:start].decode("utf-16-le", "replace"), instead]
            done = end
    return "".join((*parts, coded[done:].decode("utf-16-le", "replace")))

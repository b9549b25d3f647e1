"""Markdown to Notion's blocks.

Block types: https://developers.notion.com/reference/block, texts: …/reference/rich-text,
languages: …/reference/block#code.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markdown_it.tree import SyntaxTreeNode

from bot.plugin.tools import JsonObject

_LINKABLE = ("http://", "https://", "mailto:")
_URL_CHARS = 2000
_STYLES = {"strong": "bold", "em": "italic", "s": "strikethrough"}

HEADINGS = "headings below the third level became third-level headings"
IMAGES = "pictures became links: a page that loads them would tell their server"
LINKS = "links that are no web or mail address became text"
NUMBERS = "numbered lists start at 1"
LANGUAGE = "code in a language that Notion does not know became plain text"

PLAIN = "plain text"
_NAMES = """
abap arduino bash basic c clojure coffeescript css dart diff docker elixir elm erlang flow fortran
gherkin glsl go graphql groovy haskell html java javascript json julia kotlin latex less lisp
livescript lua makefile markdown markup matlab mermaid nix objective-c ocaml pascal perl php
powershell prolog protobuf python r reason ruby rust sass scala scheme scss shell sql swift
typescript vb.net verilog vhdl webassembly xml yaml c++ c# f#
"""
_KNOWN = frozenset(_NAMES.split())
_SHORT = {
    "cpp": "c++",
    "csharp": "c#",
    "fsharp": "f#",
    "dockerfile": "docker",
    "golang": "go",
    "hs": "haskell",
    "js": "javascript",
    "jsx": "javascript",
    "kt": "kotlin",
    "md": "markdown",
    "plain": PLAIN,
    "text": PLAIN,
    "txt": PLAIN,
    "py": "python",
    "rb": "ruby",
    "rs": "rust",
    "sh": "shell",
    "ts": "typescript",
    "tsx": "typescript",
    "yml": "yaml",
    "zsh": "shell",
}


def language_of(info: str) -> str | None:
    """The language after a fence, PLAIN without one; None if Notion doesn't have it."""
    name = (info.split() or ["plain"])[0].casefold()
    known = _SHORT.get(name, name)
    return known if known in _KNOWN or known == PLAIN else None


@dataclass(frozen=True)
class Converted:
    """Blocks as Notion expects them. `changed`: what the conversion lost, in words."""

    blocks: tuple[JsonObject, ...]
    changed: tuple[str, ...] = ()


def blocks_of(markdown: str) -> Converted:
    """Convert a text.

    Takes up to a second for 30,000 hostile characters, so call it in a thread.
    """
    tree = _parsed(markdown)
    reader = _Reader()
    blocks = tuple(reader.blocks(tree.children))
    return Converted(blocks, tuple(reader.changed))


def block(kind: str, **content: Any) -> JsonObject:
    return {"object": "block", "type": kind, kind: content}


def text(content: str, styles: Iterable[str] = (), url: str = "") -> JsonObject:
    """A piece of rich text."""
    link = {"link": {"url": url}} if url else {}
    annotations = dict.fromkeys(sorted(styles), True)
    piece: JsonObject = {"type": "text", "text": {"content": content, **link}}
    return {**piece, "annotations": annotations} if annotations else piece


def _parsed(markdown: str) -> SyntaxTreeNode:
    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    return SyntaxTreeNode(parser.parse(markdown))


@dataclass(frozen=True)
class _Span:
    content: str
    styles: frozenset[str]
    url: str = ""


@dataclass
class _Reader:
    changed: dict[str, None] = field(default_factory=dict[str, None])

    def blocks(self, nodes: Sequence[SyntaxTreeNode]) -> Iterator[JsonObject]:
        for node in nodes:
            yield from self._block(node)

    def _block(self, node: SyntaxTreeNode) -> Iterator[JsonObject]:
        match node.type:
            case "heading":
                level = int(node.tag[1:])
                if level > 3:
                    self._note(HEADINGS)
                yield block(f"heading_{min(level, 3)}", rich_text=self._rich(node))
            case "bullet_list":
                yield from (self._item(item, "bulleted_list_item") for item in node.children)
            case "ordered_list":
                if node.attrs.get("start", 1) != 1:
                    self._note(NUMBERS)
                yield from (self._item(item, "numbered_list_item") for item in node.children)
            case "blockquote":
                yield self._parent("quote", node.children)
            case "fence" | "code_block":
                code = _Span(node.content.removesuffix("\n"), frozenset())
                yield block("code", rich_text=_texts([code]), language=self._language(node.info))
            case "hr":
                yield block("divider")
            case "table":
                yield self._table(node)
            case _:
                yield block("paragraph", rich_text=self._rich(node))

    def _item(self, item: SyntaxTreeNode, kind: str) -> JsonObject:
        first = item.children[0] if item.children else None
        if first is not None and first.type == "paragraph" and first.children:
            # The source tells escaped brackets from those of a to-do.
            mark = first.children[0].content[:4].casefold()
            if mark in {"[ ] ", "[x] "} or mark in {"[ ]", "[x]"}:
                done = self._parent("to_do", item.children, skipped=4)
                done["to_do"]["checked"] = mark.startswith("[x]")
                return done
        return self._parent(kind, item.children)

    def _parent(self, kind: str, nodes: Sequence[SyntaxTreeNode], skipped: int = 0) -> JsonObject:
        """A block whose text is the first paragraph below it; its children are the rest."""
        content: JsonObject = {"rich_text": []}
        if nodes and nodes[0].type == "paragraph":
            content["rich_text"] = self._rich(nodes[0], skipped)
            nodes = nodes[1:]
        if children := list(self.blocks(nodes)):
            content["children"] = children
        return block(kind, **content)

    def _table(self, table: SyntaxTreeNode) -> JsonObject:
        rows = [row for part in table.children for row in part.children]
        cells = [[self._rich(cell) for cell in row.children] for row in rows]
        width = max(len(row) for row in cells)
        lines = [block("table_row", cells=[*row, *[[]] * (width - len(row))]) for row in cells]
        return block(
            "table", table_width=width, has_column_header=True, has_row_header=False, children=lines
        )

    def _rich(self, node: SyntaxTreeNode, skipped: int = 0) -> list[JsonObject]:
        inline = node.children[0] if node.children else None
        if inline is None or inline.type != "inline":
            return []
        spans = list(self._spans(inline.to_tokens()[0].children or []))
        return _texts(_without_start(spans, skipped))

    def _spans(self, tokens: Sequence[Token]) -> Iterator[_Span]:
        styles: list[str] = []
        url, began = "", False
        for token in tokens:
            kind = token.type.removesuffix("_open").removesuffix("_close")
            if kind in _STYLES and token.nesting == 1:
                styles.append(_STYLES[kind])
            elif kind in _STYLES:
                styles.remove(_STYLES[kind])
            elif kind == "link" and token.nesting == 1:
                url, began = str(token.attrs.get("href", "")), False
            elif kind == "link":
                if not self._linkable(url) and url:
                    yield _Span(f" ({url})" if began else url, frozenset(styles))
                elif not began and url:
                    yield _Span(url, frozenset(styles), url)
                url = ""
            else:
                span = self._leaf(token, frozenset(styles), url)
                began = began or bool(span.content)
                yield span

    def _leaf(self, token: Token, styles: frozenset[str], url: str) -> _Span:
        link = url if self._linkable(url) else ""
        match token.type:
            case "code_inline":
                return _Span(token.content, styles | {"code"}, link)
            case "image":
                self._note(IMAGES)
                source = str(token.attrs.get("src", ""))
                label = token.content or source
                if self._linkable(source):
                    return _Span(label, styles, link or source)
                return _Span(
                    f"{label} ({source})" if source and label != source else label, styles, link
                )
            case "softbreak" | "hardbreak":
                return _Span("\n", styles, link)
            case _:
                return _Span(token.content, styles, link)

    def _linkable(self, url: str) -> bool:
        if url.casefold().startswith(_LINKABLE) and len(url) <= _URL_CHARS:
            return True
        if url:
            self._note(LINKS)
        return False

    def _language(self, info: str) -> str:
        known = language_of(info)
        if known is None:
            self._note(LANGUAGE)
        return known or PLAIN

    def _note(self, what: str) -> None:
        self.changed[what] = None


def _texts(spans: Iterable[_Span]) -> list[JsonObject]:
    """Rich text from spans; adjacent spans of the same style are joined."""
    found: list[JsonObject] = []
    for (styles, url), same in groupby(
        (one for one in spans if one.content), lambda one: (one.styles, one.url)
    ):
        found.append(text("".join(one.content for one in same), styles, url))
    return found


def _without_start(spans: list[_Span], characters: int) -> list[_Span]:
    kept: list[_Span] = []
    for span in spans:
        cut = min(characters, len(span.content))
        characters -= cut
        kept.append(_Span(span.content[cut:], span.styles, span.url))
    return kept

"""Markdown to the Atlassian Document Format, in which Jira takes descriptions and comments.

https://developer.atlassian.com/cloud/jira/platform/apis/document/structure/
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from bot.domain.json_types import JsonObject

if TYPE_CHECKING:
    from markdown_it.token import Token
    from markdown_it.tree import SyntaxTreeNode

_MARKS = {"strong": "strong", "em": "em", "s": "strike"}
_LINKABLE = ("http://", "https://", "mailto:")


def adf_of(markdown: str) -> JsonObject:
    """A document.

    Takes up to a second for 30,000 hostile characters, so call it in a thread.
    """
    from markdown_it import MarkdownIt  # noqa: PLC0415 - most homes never need it
    from markdown_it.tree import SyntaxTreeNode  # noqa: PLC0415

    parser = MarkdownIt("commonmark", {"html": False}).enable("strikethrough")
    tree = SyntaxTreeNode(parser.parse(markdown))
    return {"type": "doc", "version": 1, "content": list(_blocks(tree.children))}


def _blocks(nodes: "Sequence[SyntaxTreeNode]") -> Iterator[JsonObject]:
    for node in nodes:
        match node.type:
            case "heading":
                level = int(node.tag[1:])
                yield {"type": "heading", "attrs": {"level": level}, "content": _inline(node)}
            case "bullet_list" | "ordered_list":
                kind = "bulletList" if node.type == "bullet_list" else "orderedList"
                yield {"type": kind, "content": [_item(item) for item in node.children]}
            case "blockquote":
                yield {"type": "blockquote", "content": _paragraphs(node.children)}
            case "fence" | "code_block":
                text = node.content.removesuffix("\n")
                content = [{"type": "text", "text": text}] if text else []
                yield {"type": "codeBlock", "content": content}
            case "hr":
                yield {"type": "rule"}
            case _:
                yield {"type": "paragraph", "content": _inline(node)}


def _item(node: "SyntaxTreeNode") -> JsonObject:
    """A list item holds paragraphs, code and further lists; anything else becomes paragraphs."""
    content = _paragraphs(node.children)
    if content[0]["type"] not in {"paragraph", "codeBlock"}:
        content.insert(0, {"type": "paragraph", "content": []})
    return {"type": "listItem", "content": content}


def _paragraphs(nodes: "Sequence[SyntaxTreeNode]") -> list[JsonObject]:
    allowed = {"paragraph", "bulletList", "orderedList", "codeBlock"}
    found = [one if one["type"] in allowed else _plain(one) for one in _blocks(nodes)]
    return found or [{"type": "paragraph", "content": []}]


def _plain(block: JsonObject) -> JsonObject:
    """The text of a block that may not stand where it does, as a paragraph."""
    texts = [piece for piece in _pieces(block) if piece["type"] in {"text", "hardBreak"}]
    return {"type": "paragraph", "content": texts}


def _pieces(block: JsonObject) -> Iterator[JsonObject]:
    for one in block.get("content", ()):
        if "content" in one:
            yield from _pieces(one)
        else:
            yield one


def _inline(node: "SyntaxTreeNode") -> list[JsonObject]:
    inline = node.children[0] if node.children else None
    if inline is None or inline.type != "inline":
        return []
    return list(_spans(inline.to_tokens()[0].children or []))


def _spans(tokens: "Sequence[Token]") -> Iterator[JsonObject]:
    marks: list[str] = []
    url = ""
    for token in tokens:
        kind = token.type.removesuffix("_open").removesuffix("_close")
        match kind:
            case "strong" | "em" | "s":
                if token.nesting == 1:
                    marks.append(_MARKS[kind])
                else:
                    marks.remove(_MARKS[kind])
            case "link":
                href = str(token.attrs.get("href", "")) if token.nesting == 1 else ""
                url = href if href.startswith(_LINKABLE) else ""
            case "hardbreak":
                yield {"type": "hardBreak"}
            case "softbreak":
                yield _text(" ", marks, url)
            case "code_inline":
                # Jira allows no other mark beside code but a link.
                yield _text(token.content, ["code"], url)
            case _ if token.content:
                yield _text(token.content, marks, url)
            case _:
                continue


def _text(content: str, marks: Sequence[str], url: str) -> JsonObject:
    found: list[dict[str, Any]] = [{"type": mark} for mark in sorted(set(marks))]
    if url:
        found.append({"type": "link", "attrs": {"href": url}})
    piece: JsonObject = {"type": "text", "text": content}
    return {**piece, "marks": found} if found else piece

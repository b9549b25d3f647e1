"""Notion's blocks to markdown for a model; `to_blocks` can read this markdown."""

import re
from collections.abc import Sequence
from typing import Any

from bot.plugin.services import as_object, as_objects, as_values
from bot.plugin.tools import JsonObject
from bot.plugins.notion.limits import children_of

_MARKS = {"strikethrough": "~~", "italic": "_", "bold": "**"}
"""Ordered from the inside out."""
_SPECIAL = re.compile(r"[\\`*\[\]<>|]|~(?=~)|(?<=~)~|(?<![^\W_])_|_(?![^\W_])|&(?=[#\w])|!(?=\[)")
_START = re.compile(r"#{1,6}(?=\s|$)|[-+=:](?!\w)|-{2,}|={2,}")
_NUMBERED = re.compile(r"(\d{1,9})[.)](?=\s|$)")
_CLOSING = re.compile(r"(?<!\S)#+$")
"""Markdown takes such an end of a heading for decoration."""
_LISTED = frozenset({"bulleted_list_item", "numbered_list_item", "to_do", "toggle"})
_INLINED = frozenset({"column_list", "column", "synced_block", "template"})
"""Blocks without a text of their own: their children stand in their place."""
_DEPTH = 30


def markdown_of(blocks: Sequence[JsonObject], depth: int = 0) -> str:
    """The blocks with all descendants. A block without a markdown form is named in brackets."""
    if depth > _DEPTH:
        return "[more is nested below here]"
    parts: list[str] = []
    number, before = 0, ""
    for one in blocks:
        kind = str(one.get("type"))
        number = number + 1 if kind == "numbered_list_item" else 0
        part = _block(one, kind, number, depth)
        if part is None:
            continue
        tight = kind in _LISTED and before in _LISTED
        parts.append(("\n" if tight else "\n\n" if parts else "") + part)
        before = kind
    return "".join(parts)


def plain_text(texts: object) -> str:
    """The words of rich text alone."""
    return "".join(str(one.get("plain_text", _content(one))) for one in as_objects(texts))


def _block(one: JsonObject, kind: str, number: int, depth: int) -> str | None:  # noqa: PLR0911 - one form each
    """One block with all its descendants; None for a block that shows nothing."""
    given = as_object(one.get(kind))
    texts = _rich(given.get("rich_text"))
    below = children_of(one)
    match kind:
        case "heading_1" | "heading_2" | "heading_3":
            text = _CLOSING.sub(r"\\\g<0>", " ".join(texts.split()))
            return _followed(f"{'#' * int(kind[-1])} {text}".rstrip(), below, depth)
        case "bulleted_list_item" | "toggle":
            return _item("- ", texts, below, depth)
        case "numbered_list_item":
            return _item(f"{number}. ", texts, below, depth)
        case "to_do":
            return _item("- ", f"[{'x' if given.get('checked') else ' '}] {texts}", below, depth)
        case "quote" | "callout":
            inner = "\n\n".join(filter(None, [texts, markdown_of(below, depth + 1)]))
            return _prefixed("> ", "> ", inner)
        case "table":
            return _table(below)
        case _ if kind in _INLINED:
            return markdown_of(below, depth + 1) or None
        case _ if texts and kind != "code":
            return _followed(texts, below, depth)
        case _:
            return _childless(one, kind, given) or markdown_of(below, depth + 1) or None


def _childless(one: JsonObject, kind: str, given: JsonObject) -> str | None:
    match kind:
        case "code":
            return _code(plain_text(given.get("rich_text")), str(given.get("language") or ""))
        case "equation":
            return _code(str(given.get("expression", "")), "latex")
        case "divider":
            return "---"
        case "child_page" | "child_database":
            return (
                f"[{kind.replace('_', ' ')}: {_escaped(str(given.get('title', '')))} "
                f"({one.get('id', '')})]"
            )
        case "bookmark" | "embed" | "link_preview" | "image" | "file" | "pdf" | "video" | "audio":
            return _linked(kind, given)
        case "paragraph" | "table_of_contents" | "breadcrumb":
            return None
        case _:
            return f"[a block of type {_escaped(kind)[:40]}, which can't be shown here]"


def _followed(text: str, below: Sequence[JsonObject], depth: int) -> str:
    return "\n\n".join(filter(None, [text, markdown_of(below, depth + 1)]))


def _item(mark: str, text: str, below: Sequence[JsonObject], depth: int) -> str:
    inner = markdown_of(below, depth + 1)
    between = "\n" if below and str(below[0].get("type")) in _LISTED else "\n\n"
    return _prefixed(mark, " " * len(mark), text + (between + inner if inner else ""))


def _prefixed(first: str, others: str, text: str) -> str:
    head, *lines = text.split("\n")
    return "\n".join(
        [
            first + head if head else first.rstrip(),
            *(others + line if line else others.rstrip() for line in lines),
        ]
    )


def _code(code: str, language: str) -> str:
    longest = max((len(run) for run in re.findall(r"`{3,}", code)), default=2)
    fence = "`" * (longest + 1)
    name = "" if language == "plain text" else re.sub(r"[\s`]+", " ", language).strip()
    return f"{fence}{name}\n{code}\n{fence}"


def _table(rows: Sequence[JsonObject]) -> str | None:
    lines = [[_cell(cell) for cell in _cells(row)] for row in rows]
    if not lines:
        return None
    width = max(1, *(len(line) for line in lines))
    padded = [line + [""] * (width - len(line)) for line in lines]
    padded.insert(1, ["---"] * width)
    return "\n".join(f"| {' | '.join(line)} |" for line in padded)


def _cells(row: JsonObject) -> list[Any]:
    return as_values(as_object(row.get("table_row")).get("cells"))


def _cell(texts: object) -> str:
    return " ".join(_rich(texts).split())


def _linked(kind: str, given: JsonObject) -> str:
    """A link with its caption; Notion's own files have addresses that end within the hour."""
    place = given.get(str(given.get("type")))
    url = given.get("url") or as_object(place).get("url")
    caption = plain_text(given.get("caption")) or str(given.get("name") or kind.replace("_", " "))
    return (
        f"[{_escaped(' '.join(caption.split()))}]({_address(str(url))})"
        if url
        else f"[{kind}: {_escaped(caption)}]"
    )


def _rich(texts: object) -> str:
    lines = "".join(_span(one) for one in as_objects(texts)).split("\n")
    return "\n".join(_unlike_block(line.strip()) for line in lines if line.strip())


def _unlike_block(line: str) -> str:
    """A line of text, with a backslash where it would begin a list or heading."""
    if number := _NUMBERED.match(line):
        return f"{number[1]}\\{line[number.end(1) :]}"
    return f"\\{line}" if _START.match(line) else line


def _span(one: JsonObject) -> str:
    content = str(one.get("plain_text", _content(one)))
    styles = as_object(one.get("annotations"))
    inner = content.strip()
    if not inner:
        return content
    begin, end = content.index(inner), content.index(inner) + len(inner)
    shown = _inline_code(inner) if styles.get("code") else _escaped(inner)
    for style, mark in _MARKS.items():
        if styles.get(style):
            shown = f"{mark}{shown}{mark}"
    if url := _url(one):
        shown = f"[{shown}]({_address(url)})"
    return content[:begin] + shown + content[end:]


def _inline_code(code: str) -> str:
    code = " ".join(code.split("\n"))
    fence = "`" * (max((len(run) for run in re.findall(r"`+", code)), default=0) + 1)
    pad = " " if code.startswith("`") or code.endswith("`") else ""
    return f"{fence}{pad}{code}{pad}{fence}"


def _content(one: JsonObject) -> str:
    return str(as_object(one.get("text")).get("content", ""))


def _url(one: JsonObject) -> str:
    link = as_object(as_object(one.get("text")).get("link"))
    found = link.get("url") if link else one.get("href")
    return found if isinstance(found, str) else ""


def _address(url: str) -> str:
    """The text without characters that would end the link early."""
    return re.sub(
        r"[\s()<>\\]", lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()), url
    )


def _escaped(text: str) -> str:
    return _SPECIAL.sub(lambda found: "\\" + found[0], text)

"""Markdown as the makers of documents take it: without raw HTML, and without pictures."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.token import Token


@lru_cache(maxsize=1)
def parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")


@dataclass(frozen=True)
class MarkedTable:
    """A table of Markdown, and the heading above it."""

    heading: str
    rows: Sequence[Sequence[str]]


def tables_in(content: str) -> Iterator[MarkedTable]:
    """The tables of a text, in its order."""
    heading, rows, within = "", list[list[str]](), False
    tokens = parser().parse(content)
    for at, token in enumerate(tokens):
        match token.type:
            case "heading_open":
                heading = plain(tokens[at + 1])
            case "table_open":
                rows, within = [], True
            case "tr_open":
                rows.append([])
            case "inline" if within:
                rows[-1].append(plain(token))
            case "table_close":
                within = False
                yield MarkedTable(heading, rows)
            case _:
                continue


def plain(token: Token) -> str:
    """The text of a line without its marks."""
    parts: list[str] = []
    for child in token.children or ():
        if child.type in {"softbreak", "hardbreak"}:
            parts.append(" ")
        else:
            parts.append(child.content)
    return "".join(parts).strip()

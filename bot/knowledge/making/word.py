"""Markdown as a Word document."""

import io
import re
from collections.abc import Iterator
from typing import Any

from markdown_it.token import Token

from bot.knowledge.making.markdown import parser
from bot.knowledge.making.orders import FileOrder, MadeFile

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_INDENT_CM = 0.75
_CODE_FONT = "Consolas"


def made_docx(order: FileOrder) -> MadeFile:
    import docx  # noqa: PLC0415 - after the limits

    document: Any = docx.Document()
    document.core_properties.title = order.title[:255]
    document.core_properties.author = ""
    _Writer(document).write(parser().parse(_CONTROL.sub("", order.content)))
    data = io.BytesIO()
    document.save(data)
    return MadeFile(data.getvalue())


class _Writer:
    """Goes through the blocks of a text; `lists` are those that are open, with their numbers."""

    def __init__(self, document: Any) -> None:
        self._document = document
        self._lists: list[int | None] = []
        self._mark = ""
        self._quotes = 0

    def write(self, tokens: list[Token]) -> None:
        at = 0
        while at < len(tokens):
            token = tokens[at]
            if token.type == "table_open":
                at = self._table(tokens, at)
            elif token.type == "heading_open":
                line = self._document.add_heading("", min(int(token.tag[1:]), 9))
                _runs(line, tokens[at + 1])
                at += 2
            else:
                self._block(token)
            at += 1

    def _block(self, token: Token) -> None:
        match token.type:
            case "blockquote_open" | "blockquote_close":
                self._quotes += token.nesting
            case "inline":
                _runs(self._paragraph(), token)
            case "fence" | "code_block":
                run = self._paragraph().add_run(token.content.rstrip("\n"))
                run.font.name = _CODE_FONT
            case "hr":
                self._document.add_paragraph("* * *").alignment = 1
            case _:
                self._in_list(token)

    def _in_list(self, token: Token) -> None:
        match token.type:
            case "bullet_list_open":
                self._lists.append(None)
            case "ordered_list_open":
                self._lists.append(int(token.attrs.get("start", 1)))
            case "bullet_list_close" | "ordered_list_close":
                self._lists.pop()
            case "list_item_open":
                number = self._lists[-1]
                self._mark = "•\t" if number is None else f"{number}.\t"
                if number is not None:
                    self._lists[-1] = number + 1
            case _:
                return

    def _paragraph(self) -> Any:
        from docx.shared import Cm  # noqa: PLC0415

        paragraph = self._document.add_paragraph(style="Quote" if self._quotes else None)
        if depth := len(self._lists):
            paragraph.paragraph_format.left_indent = Cm(_INDENT_CM * depth)
            paragraph.paragraph_format.space_after = 0
            if self._mark:
                paragraph.paragraph_format.first_line_indent = Cm(-_INDENT_CM)
                paragraph.paragraph_format.tab_stops.add_tab_stop(Cm(_INDENT_CM * depth))
                paragraph.add_run(self._mark)
                self._mark = ""
        return paragraph

    def _table(self, tokens: list[Token], at: int) -> int:
        """Write the table that begins here; returns where it ends."""
        end = next(n for n in range(at, len(tokens)) if tokens[n].type == "table_close")
        rows = [*_rows(tokens[at:end])]
        table = self._document.add_table(len(rows), max(map(len, rows)), style="Table Grid")
        for number, row in enumerate(rows):
            for column, cell in enumerate(row):
                _runs(table.cell(number, column).paragraphs[0], cell, bold=number == 0)
        self._document.add_paragraph()
        return end


def _rows(tokens: list[Token]) -> Iterator[list[Token]]:
    row: list[Token] = []
    for token in tokens:
        if token.type == "tr_open":
            row = []
        elif token.type == "inline":
            row.append(token)
        elif token.type == "tr_close":
            yield row


def _runs(paragraph: Any, line: Token, *, bold: bool = False) -> None:
    """The words of a line with their emphasis; a link with its address behind it."""
    strong, slanted, link = int(bold), 0, ""
    begins = 0
    for child in line.children or ():
        match child.type:
            case "strong_open" | "strong_close":
                strong += child.nesting
            case "em_open" | "em_close":
                slanted += child.nesting
            case "softbreak" | "hardbreak":
                paragraph.add_run(" " if child.type == "softbreak" else "\n")
            case "link_open":
                link, begins = str(child.attrs.get("href", "")), len(paragraph.text)
            case "link_close":
                if link and paragraph.text[begins:] != link.removeprefix("mailto:"):
                    paragraph.add_run(f" ({link})")
            case _ if child.content:
                run = paragraph.add_run(child.content)
                run.bold, run.italic = bool(strong), bool(slanted)
                if child.type == "code_inline":
                    run.font.name = _CODE_FONT
            case _:
                continue

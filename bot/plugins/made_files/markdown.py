"""Markdown as a Word document and a PDF, and its tables: without raw HTML, without pictures.

A PDF has letters of most of the world's alphabets.
"""

import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from bot.plugins.made_files.orders import CantMake, FileOrder, MadeFile

_FONTS = Path(__file__).parent / "fonts"
_PDF_FACES = {
    "": "DejaVuSans.ttf",
    "B": "DejaVuSans-Bold.ttf",
    "I": "DejaVuSans-Oblique.ttf",
    "BI": "DejaVuSans-Bold.ttf",
}
_PDF_SIZE = 10
_MARGIN_MM = 20
_NAMED_LETTERS = 20
_PDF_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_LINK = re.compile(r'<a href="([^"]*)"[^>]*>(.*?)</a>', re.DOTALL)
"""As the renderer above writes it."""
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_INDENT_CM = 0.75
_CODE_FONT = "Consolas"


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")


@dataclass(frozen=True)
class MarkedTable:
    """A table of Markdown, and the heading above it."""

    heading: str
    rows: Sequence[Sequence[str]]


def tables_in(content: str) -> Iterator[MarkedTable]:
    """The tables of a text, in its order."""
    heading, rows, within = "", list[list[str]](), False
    tokens = _parser().parse(content)
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


def _with_address(link: re.Match[str]) -> str:
    """On paper nobody can follow a link whose address isn't there."""
    address, words = link[1], link[2]
    shown = address.removeprefix("mailto:")
    return link[0] if words == shown else f"{link[0]} ({shown})"


def made_pdf(order: FileOrder) -> MadeFile:
    """Markdown as a PDF, with letters of most of the world's alphabets."""
    from fpdf import FPDF  # noqa: PLC0415 - after the limits
    from fpdf.errors import FPDFException  # noqa: PLC0415
    from fpdf.fonts import FontFace, TextStyle  # noqa: PLC0415

    document: Any = FPDF(format="A4")
    document.set_margin(_MARGIN_MM)
    document.set_auto_page_break(auto=True, margin=_MARGIN_MM)
    document.set_title(order.title)
    for style, file in _PDF_FACES.items():
        document.add_font("Sans", style, _FONTS / file)
        document.add_font("Mono", style, _FONTS / "DejaVuSansMono.ttf")
    document.add_page()
    document.set_font("Sans", size=_PDF_SIZE)
    content = _PDF_CONTROL.sub("", order.content)
    missing = sorted({one for one in content if one.isprintable()} - _known(document))
    html = _parser().render(
        "".join("\N{REPLACEMENT CHARACTER}" if one in missing else one for one in content)
    )
    html = _LINK.sub(_with_address, html)
    styles: dict[str, Any] = {
        f"h{level}": TextStyle(
            font_style="B",
            font_size_pt=size,
            color=(0, 0, 0),
            t_margin=5,
            b_margin=2,
        )
        for level, size in enumerate((18, 15, 13, 11, 10, 10), 1)
    }
    styles["code"] = FontFace(family="Mono")
    styles["pre"] = TextStyle(font_family="Mono", font_size_pt=_PDF_SIZE - 1)
    styles["a"] = FontFace(color=(0, 0, 160), emphasis="UNDERLINE")
    try:
        document.write_html(
            html.replace("<table>", '<table border="1" cellpadding="2">'),
            tag_styles=styles,
            font_family="Sans",
        )
        data = bytes(document.output())
    except (FPDFException, ValueError, LookupError, NotImplementedError) as error:
        raise CantMake(
            f"it can't be laid out as a PDF ({error}); make its tables narrower, or a .docx"
        ) from error
    note = ""
    if missing:
        shown = " ".join(escape(one) for one in missing[:_NAMED_LETTERS])
        note = f"characters that the PDF can't show were replaced: {shown}"
    return MadeFile(data, note)


def _known(document: Any) -> set[str]:
    """The characters that the font has."""
    return {chr(code) for code in document.fonts["sans"].cmap} | {"\n", "\t"}


def made_docx(order: FileOrder) -> MadeFile:
    """Markdown as a Word document."""
    import docx  # noqa: PLC0415 - after the limits

    document: Any = docx.Document()
    document.core_properties.title = order.title[:255]
    document.core_properties.author = ""
    _Writer(document).write(_parser().parse(_CONTROL.sub("", order.content)))
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
        from docx.shared import Cm  # noqa: PLC0415 - after the limits

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
